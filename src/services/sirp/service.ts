import { mkdir } from 'node:fs/promises'
import type { Command } from '../../commands/command.ts'
import type { Deliveries } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import { MapperPool } from '../../engine/mapping/pool.ts'
import { Sandbox } from '../../engine/sandbox/sandbox.ts'
import { Database } from '../../engine/tables/database.ts'
import { Tables } from '../../engine/tables/tables.ts'
import { entryUrl } from '../../entry.ts'
import { ForageError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Settings } from '../../settings.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { NamedTexts } from '../secrets/named-texts.ts'
import type { Service } from '../service.ts'
import type { QueryNames } from './constants.ts'
import { type DomainPolicies, Processor } from './processor.ts'

export interface SirpOptions {
  readonly catalog: Catalog
  readonly commands: readonly Command[]
  readonly expander: Expander
  readonly deliveries: Deliveries
  readonly names: QueryNames
  readonly checkpoints: Pick<NamedTexts, 'save'>
  readonly screenshots: Pick<Screenshots, 'keepFor'>
  readonly policies: DomainPolicies
  /** Where the tables of queries lie, and what must not outlive the process. */
  readonly tablesFolder: string
  readonly temporaryFolder: string
  readonly settings: Pick<
    Settings,
    | 'memoryMb'
    | 'threads'
    | 'queries'
    | 'minutes'
    | 'ttl'
    | 'cacheTtl'
    | 'columns'
    | 'sqlSeconds'
    | 'uploadLimit'
  >
  /** Take up the queries that an earlier process did not finish. */
  readonly takesUp: boolean
  readonly log: Logger
}

/** Memory for the SELECT of a user, in a process of its own. */
const SANDBOX_MB = 512

/** sirp: the query processor. */
export class SirpService implements Service {
  readonly name = 'sirp'
  readonly needs = ['secrets', 'gonogo', 'jobs', 'workers', 'mentos'] as const
  readonly #options: SirpOptions
  #tables: Tables | undefined
  #processor: Processor | undefined

  constructor(options: SirpOptions) {
    this.#options = options
  }

  get processor(): Processor {
    if (this.#processor) return this.#processor
    throw new ForageError('service_unavailable', 'The service sirp does not run at the moment.', {
      retryAfterSeconds: 1,
    })
  }

  async start(): Promise<void> {
    const { settings, catalog, commands, expander, deliveries, policies, names, checkpoints, log } =
      this.#options
    this.#tables = await this.#openTables()
    const processor = new Processor({
      catalog,
      tables: this.#tables,
      commands,
      expander,
      deliveries,
      policies,
      names,
      checkpoints,
      screenshots: this.#options.screenshots,
      uploadLimit: settings.uploadLimit,
      log,
      queriesAtOnce: settings.queries,
      maxMinutes: settings.minutes,
      ttlSeconds: settings.ttl,
      cacheTtlSeconds: settings.cacheTtl,
    })
    await processor.start({ takesUp: this.#options.takesUp })
    this.#processor = processor
  }

  async stop(): Promise<void> {
    const processor = this.#processor
    const tables = this.#tables
    // Nothing is taken in any more from here on: it would be with nobody until the next start.
    this.#processor = undefined
    this.#tables = undefined
    await processor?.stop()
    await tables?.close()
  }

  detail(): string {
    const { running, queued } = this.processor.counts
    return `${running} queries run, ${queued} wait`
  }

  async #openTables(): Promise<Tables> {
    const { settings, tablesFolder, temporaryFolder } = this.#options
    await mkdir(tablesFolder, { recursive: true, mode: 0o700 })
    const database = await Database.open({
      temporary: temporaryFolder,
      folders: [tablesFolder],
      memoryMb: settings.memoryMb,
      ...(settings.threads > 0 && { threads: settings.threads }),
    })
    return new Tables({
      database,
      mappers: new MapperPool({ entry: entryUrl('engine/mapping/entry') }),
      sandbox: new Sandbox({ memoryMb: SANDBOX_MB, entry: entryUrl('engine/sandbox/child') }),
      folder: tablesFolder,
      maxColumns: settings.columns,
      sandboxTimeoutMs: settings.sqlSeconds * 1000,
    })
  }
}

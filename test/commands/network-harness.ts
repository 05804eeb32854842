import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '../../src/commands/command.ts'
import { commands } from '../../src/commands/index.ts'
import { JobExecutor } from '../../src/engine/job-executor.ts'
import { Run } from '../../src/engine/run.ts'
import type { StageCache, Warning } from '../../src/engine/run-options.ts'
import type { SecretAccess } from '../../src/engine/secrets.ts'
import type { Tables } from '../../src/engine/tables/tables.ts'
import { parseJson, type Row } from '../../src/language/json.ts'
import { plan } from '../../src/language/planner.ts'
import { Dialer } from '../../src/network/dialer.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { MemoryLimiter } from '../../src/services/gonogo/memory-limiter.ts'
import { PolicyBook } from '../../src/services/gonogo/policy-book.ts'
import { MemoryJobQueue } from '../../src/services/jobs/memory-queue.ts'
import { SecretsService } from '../../src/services/secrets/service.ts'
import { TokenEndpoint } from '../../src/services/secrets/token-endpoint.ts'
import { Vault } from '../../src/services/secrets/vault.ts'
import { constantsOf } from '../../src/services/sirp/constants.ts'
import { orderBy } from '../../src/sql/relation.ts'
import { rowsOf } from '../../src/sql/rows.ts'
import { sql } from '../../src/sql/sql.ts'
import type { Catalog } from '../../src/storage/catalog/catalog.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { openTables } from '../support/tables.ts'

export interface Outcome {
  readonly rows: readonly Row[]
  readonly warnings: readonly Warning[]
}

/** Runs whole queries, expanding stages included, by the engine with a real HTTP client, limiter and job queue. */
export class NetworkHarness {
  readonly #commands: readonly Command[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'forage-network-'))
  readonly #client = new HttpClient(new Dialer(new NetworkPolicy({ exposed: false, network: [] })))
  readonly #limiter = new MemoryLimiter(new PolicyBook())
  /** Opened with the rest; nobody asks before. */
  readonly #access: SecretAccess = {
    open: handle => this.secrets.forQueries.open(handle),
    credential: name => this.secrets.forQueries.credential(name),
    authorize: (...given) => this.secrets.forQueries.authorize(...given),
  }
  readonly #executor = new JobExecutor({
    client: this.#client,
    limiter: this.#limiter,
    access: this.#access,
    // Commands that open pages have tests of their own, with a browser.
    browser: undefined as never,
  })
  readonly #queue = new MemoryJobQueue()
  readonly #worker = this.#queue.serve(this.#executor.execute, 16)
  #tables: Tables | undefined
  #catalog: Catalog | undefined
  #secrets: SecretsService | undefined

  constructor(given: readonly Command[] = commands) {
    this.#commands = given
  }

  async open(): Promise<void> {
    this.#catalog = openSqliteCatalog({ path: join(this.#folder, 'catalog.sqlite') })
    this.#secrets = new SecretsService({
      catalog: this.#catalog,
      vault: await Vault.open(this.#catalog, randomBytes(32)),
      tokenEndpoint: new TokenEndpoint(this.#client, this.#limiter),
      sessionMinutes: 1,
    })
    this.#tables = await openTables(this.#folder)
  }

  async close(): Promise<void> {
    await this.#worker[Symbol.asyncDispose]()
    await this.#client.close()
    await this.#tables?.close()
    await this.#catalog?.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get secrets(): SecretsService {
    return this.#secrets!
  }

  get tables(): Tables {
    return this.#tables!
  }

  async run(query: string, cache: StageCache | null = null): Promise<Outcome> {
    const tables = this.#tables!
    const { signal } = new AbortController()
    const planned = plan(query, { commands: this.#commands })
    if (!planned.plan) throw new Error(planned.diagnostics.map(({ message }) => message).join('\n'))
    const warnings: Warning[] = []
    const id = randomUUID()
    const startedAt = new Date()
    const run = new Run({
      id,
      plan: planned.plan,
      commands: new Map(this.#commands.map(command => [command.name, command])),
      tables,
      expander: { queue: this.#queue, executor: this.#executor, concurrency: 8, mostConcurrency: 16 },
      cache,
      startedAt,
      constant: constantsOf(id, startedAt, await this.secrets.forQueries.constants(planned.plan.stages)),
      signal,
      observer: {
        stage: () => undefined,
        warn: warning => void warnings.push(warning),
        journal: async () => undefined,
      },
      known: new Map(),
    })
    const relation = tables.relation(await run.execute())
    const texts = await tables.rows(
      sql`SELECT "row" FROM (${rowsOf(relation)}) ORDER BY ${orderBy(relation)}`,
      signal,
    )
    return { rows: texts.map(({ row }) => parseJson(String(row)) as Row), warnings }
  }
}

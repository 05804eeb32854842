import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Command } from '../../commands/command.ts'
import type { Deliveries, DeliveryOrder, StageDelivery } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import type { Row } from '../../language/json.ts'
import type { Logger } from '../../log.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { Cellar } from '../cellar/cellar.ts'
import { Manifests } from '../cellar/manifests.ts'
import { Uploads } from '../cellar/uploads.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { NamedTexts } from '../secrets/named-texts.ts'
import { ActiveQuery, Stopped } from './active-query.ts'
import { ResultCache } from './cache.ts'
import type { QueryNames } from './constants.ts'
import { type DeliveryTools, orderOf, withTable } from './delivering.ts'
import type { CommandRequest, DispatchRequest, TemplateRequest } from './dispatch-requests.ts'
import type { LimitsOf } from './estimate.ts'
import { type Checked, commandText, invalidQuery } from './planning.ts'
import { noSuchQuery, Queries, type QueriesOptions } from './queries.ts'
import { type CommandOrigin, QueryBook } from './query-book.ts'
import { QueryEndings } from './query-endings.ts'
import { QueryPlanner } from './query-planner.ts'
import { QueryQueue } from './query-queue.ts'
import { QueryRunner } from './query-runner.ts'
import { QueryReader } from './reader.ts'
import { Reaper } from './reaper.ts'
import type { QueryStatusRecord } from './records.ts'
import { freshStages } from './stored-stages.ts'
import { takeUp } from './take-up.ts'
import { TemplateRuns } from './template-runs.ts'
import type { TemplateValues } from './template-values.ts'
import { Templates } from './templates.ts'

export interface ProcessorOptions {
  readonly catalog: Catalog
  readonly tables: Tables
  readonly commands: readonly Command[]
  readonly expander: Expander
  readonly deliveries: Deliveries
  readonly policies: DomainPolicies
  readonly names: QueryNames
  readonly checkpoints: Pick<NamedTexts, 'save'>
  readonly screenshots: Pick<Screenshots, 'keepFor'>
  /** The largest uploaded file, in bytes. */
  readonly uploadLimit: number
  readonly log: Logger
  readonly queriesAtOnce: number
  readonly maxMinutes: number
  readonly ttlSeconds: number
  readonly cacheTtlSeconds: number
}

/** What sirp asks of gonogo. */
export interface DomainPolicies {
  readonly limitsOf: LimitsOf
  readonly waiting: QueriesOptions['waiting']
}

const SWEEP_EVERY_MS = 30_000

/** Takes queries in, runs them, and ends them. What they are and what they gave, its parts know. */
export class Processor {
  readonly cellar: Cellar
  readonly uploads: Uploads
  readonly manifests: Manifests
  readonly templates: Templates
  readonly planner: QueryPlanner
  readonly queries: Queries
  /** The rows of queries that have ended. */
  readonly reader: QueryReader
  readonly #options: ProcessorOptions
  readonly #book: QueryBook
  readonly #endings: QueryEndings
  readonly #queue: QueryQueue
  readonly #reaper: Reaper
  readonly #tools: DeliveryTools
  #sweeper: NodeJS.Timeout | undefined

  constructor(options: ProcessorOptions) {
    const { catalog, tables, names, policies } = options
    const book = new QueryBook(catalog)
    const cellar = new Cellar(catalog, tables)
    const templates = new Templates(catalog, options.commands)
    const cache = new ResultCache(catalog, tables.folder, options.cacheTtlSeconds)
    const parts = { ...options, book, cellar, templates, cache }
    this.#options = options
    this.#book = book
    this.cellar = cellar
    this.templates = templates
    this.uploads = new Uploads(cellar, tables, options.uploadLimit)
    this.manifests = new Manifests(catalog, options.screenshots)
    this.planner = new QueryPlanner({ ...parts, limitsOf: policies.limitsOf })
    this.#endings = new QueryEndings(parts)
    this.#tools = { ...parts, commands: new Map(options.commands.map(command => [command.name, command])) }
    const runner = new QueryRunner({
      ...parts,
      ...this.#tools,
      endings: this.#endings,
      templates: new TemplateRuns(templates, options.commands, names),
    })
    this.#queue = new QueryQueue({
      runner,
      endings: this.#endings,
      places: options.queriesAtOnce,
      summarize: id => this.reader.summarize(id),
      log: options.log,
    })
    this.#reaper = new Reaper({ ...options, folder: tables.folder, inUse: () => this.#filesInUse() })
    this.queries = new Queries({
      ...parts,
      active: id => this.active(id),
      waiting: policies.waiting,
      sweep: () => this.sweep(),
    })
    this.reader = new QueryReader({ ...parts, finished: id => this.queries.finished(id) })
  }

  get counts(): { readonly running: number; readonly queued: number } {
    return this.#queue.counts
  }

  /** Clears what a crash left behind and takes up the queries that were not finished, if that is its task. */
  async start({ takesUp }: { readonly takesUp: boolean }): Promise<void> {
    await this.#reaper.clearFolder()
    if (takesUp) await this.#takeUpUnfinished()
    this.#sweeper = setInterval(() => void this.#reaper.sweep(), SWEEP_EVERY_MS)
  }

  async #takeUpUnfinished(): Promise<void> {
    const { commands, tables } = this.#options
    const options = {
      book: this.#book,
      queue: this.#queue,
      endings: this.#endings,
      commands,
      folder: tables.folder,
      lastTable: (id: string) => this.queries.lastTable(id),
    }
    for (const row of await this.#book.unfinished()) await takeUp(row, options)
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeper)
    await this.#queue.stop()
    await this.#reaper.idle()
  }

  /** Takes away results that have had their time, now. */
  sweep(): Promise<void> {
    return this.#reaper.sweep()
  }

  async dispatch(request: DispatchRequest): Promise<ActiveQuery> {
    const checked = await this.planner.plan(request.query, request.templateValues)
    return this.#admit(request, checked, null, undefined)
  }

  /** `query` is the text of a template, or its id. */
  async dispatchTemplate({ values = {}, ...request }: TemplateRequest): Promise<ActiveQuery> {
    const filled = await this.templates.fill(request.query, values as TemplateValues)
    return this.dispatch({
      ...request,
      query: filled.query,
      templateId: filled.id,
      templateValues: filled.values,
    })
  }

  /** Runs one command, over the rows of the query `prev` if that is given. */
  async dispatchCommand(request: CommandRequest): Promise<ActiveQuery> {
    const { command, args = [], flags = {}, line = 1, prev = null, id, metadata } = request
    const document = { command, args: args.map(parts => parts.map(String)), flags, line }
    const origin = { document, prev }
    const checked = await this.planner.planCommand(origin)
    const input = prev === null ? undefined : await this.queries.lastTable(prev)
    return this.#admit({ query: commandText(document), id, metadata }, checked, origin, input)
  }

  async #admit(
    request: DispatchRequest,
    checked: Checked,
    command: CommandOrigin | null,
    input: StageFile | undefined,
  ): Promise<ActiveQuery> {
    if (!checked.plan) throw invalidQuery(checked.diagnostics)
    const asked = {
      id: request.id ?? randomUUID(),
      query: request.query,
      mode: request.mode ?? 'comprehensive',
      metadata: request.metadata ?? null,
      ttl: request.ttl || this.#options.ttlSeconds,
      minutes: request.minutes ?? 0,
      cleanup: request.cleanup ?? false,
      summary: request.summary ?? false,
      scheduledId: request.scheduledId ?? null,
      templateId: request.templateId ?? null,
      templateValues: request.templateValues ?? null,
      command,
    }
    const { plan: accepted } = checked
    const stages = freshStages(accepted.stages)
    return this.#queue.admit(async startNow => {
      const row = await this.#book.add(asked, accepted.stages, startNow)
      return new ActiveQuery(row, accepted, this.#book, { stages, input })
    })
  }

  /** Rows that come without a query, as an order to deliver them. */
  withOrder<T>(
    rows: readonly Row[],
    delivery: Omit<StageDelivery, 'table'>,
    signal: AbortSignal,
    use: (order: DeliveryOrder) => Promise<T>,
  ): Promise<T> {
    const tools = this.#tools
    return withTable(tools, rows, signal, table => use(orderOf(tools, { ...delivery, table }, signal)))
  }

  /** The query if it is queued or running. */
  active(id: string): ActiveQuery | undefined {
    return this.#queue.active(id)
  }

  /** What is in flight stops; the stages that are finished stay readable. */
  async cancel(id: string): Promise<Static<typeof QueryStatusRecord>> {
    const active = this.active(id)
    if (!active) {
      const { status } = await this.queries.record(id)
      throw new ForageError('wrong_state', `The query is ${status}: there is nothing to cancel.`)
    }
    active.stop(new Stopped('cancelled', 'The query was cancelled.'))
    await this.#queue.cancelQueued(active)
    return this.queries.statusOf(active)
  }

  /** Deletes a query and what nothing else uses of it; a running one is cancelled first. */
  async remove(id: string): Promise<void> {
    const active = this.active(id)
    if (active) {
      await this.cancel(id)
      await active.finished
    }
    if (!(await this.#book.remove(id))) throw noSuchQuery(id)
    await this.#reaper.sweep()
  }

  #filesInUse(): ReadonlySet<string> {
    return new Set([...this.#queue.all().flatMap(query => query.filesInUse), ...this.cellar.filesInUse])
  }
}

import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Command } from '../../commands/command.ts'
import { cacheKeys } from '../../engine/cache-key.ts'
import { cachedStages } from '../../engine/cached-stages.ts'
import { cellarVersions } from '../../engine/cellar.ts'
import type { Deliveries, DeliveryOrder, StageDelivery } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import { describe } from '../../language/describe.ts'
import { type Row, stringifyJson } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import type { CommandDocument, PlanDocument, Stage } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import type { Knowledge } from '../../language/read-value.ts'
import type { Logger } from '../../log.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { Cellar } from '../cellar/cellar.ts'
import { Manifests } from '../cellar/manifests.ts'
import { Uploads } from '../cellar/uploads.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { NamedTexts } from '../secrets/named-texts.ts'
import { ActiveQuery, Stopped } from './active-query.ts'
import { ResultCache } from './cache.ts'
import { type CommandPage, type CommandRecords, readCommands } from './command-records.ts'
import { constantsOf, type QueryNames, withTemplateValues } from './constants.ts'
import { type Decoration, decorate, quoteName } from './decorate.ts'
import { orderOf, withTable } from './delivering.ts'
import { type LimitsOf, withEstimates } from './estimate.ts'
import { type Checked, commandText, invalidQuery, planCommand } from './planning.ts'
import { type CommandOrigin, type Filters, QueryBook, type QueryRow } from './query-book.ts'
import { QueryRunner } from './query-runner.ts'
import { type FinishedQuery, QueryReader } from './reader.ts'
import { Reaper } from './reaper.ts'
import type { QueryRecord, QueryStatusRecord, StageRecord } from './records.ts'
import { commandRecord, queryRecord, stageRecord, statusRecord } from './records-of.ts'
import { findStage, freshStages, storedTables } from './stored-stages.ts'
import { takeUp } from './take-up.ts'
import { fillDocument } from './template-plan.ts'
import { TemplateRuns } from './template-runs.ts'
import { parametersIn, type TemplateValues } from './template-values.ts'
import { Templates } from './templates.ts'

export interface DispatchRequest {
  readonly query: string
  readonly id?: string | undefined
  readonly mode?: 'turbo' | 'comprehensive' | undefined
  readonly ttl?: number | undefined
  readonly minutes?: number | undefined
  readonly cleanup?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly metadata?: Record<string, unknown> | undefined
  /** The schedule that this is a run of: what it fetches, it fetches anew. */
  readonly scheduledId?: string | undefined
  readonly templateId?: string | null
  readonly templateValues?: TemplateValues
}

export interface TemplateRequest extends Omit<DispatchRequest, 'templateId' | 'templateValues'> {
  readonly values?: Record<string, unknown> | undefined
}

export interface CommandRequest {
  readonly command: string
  readonly args?: readonly (readonly unknown[])[] | undefined
  readonly flags?: Record<string, unknown> | undefined
  readonly prev?: string | undefined
  readonly line?: number | undefined
  readonly metadata?: Record<string, unknown> | undefined
  readonly id?: string | undefined
}

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
  /** The domains that a query waits for at this moment, and until when. */
  readonly waiting: (queryId: string) => readonly { readonly domain: string; readonly untilMs: number }[]
}

const SWEEP_EVERY_MS = 30_000

/** Takes queries in, runs them, and answers what is asked about them. */
export class Processor {
  readonly #options: ProcessorOptions
  /** The rows of queries that have ended. */
  readonly reader: QueryReader
  readonly #book: QueryBook
  readonly #cache: ResultCache
  readonly cellar: Cellar
  readonly uploads: Uploads
  readonly manifests: Manifests
  readonly templates: Templates
  readonly #runner: QueryRunner
  readonly #reaper: Reaper
  #sweeper: NodeJS.Timeout | undefined

  constructor(options: ProcessorOptions) {
    const { catalog, tables, commands, log } = options
    this.#options = options
    this.#book = new QueryBook(catalog)
    this.cellar = new Cellar(catalog, tables)
    this.uploads = new Uploads(this.cellar, tables, options.uploadLimit)
    this.manifests = new Manifests(catalog, options.screenshots)
    this.templates = new Templates(catalog, commands)
    this.#cache = new ResultCache(catalog, tables.folder, options.cacheTtlSeconds)
    this.reader = new QueryReader({
      book: this.#book,
      tables,
      commands,
      expander: options.expander,
      names: options.names,
      finished: id => this.#finished(id),
    })
    this.#runner = new QueryRunner({
      book: this.#book,
      tables,
      expander: options.expander,
      cache: this.#cache,
      deliveries: options.deliveries,
      cellar: this.cellar,
      templates: new TemplateRuns(this.templates, commands, options.names),
      names: options.names,
      checkpoints: options.checkpoints,
      commands: new Map(commands.map(command => [command.name, command])),
      summarize: id => this.reader.summarize(id),
      places: options.queriesAtOnce,
      maxMinutes: options.maxMinutes,
      log,
    })
    this.#reaper = new Reaper({ catalog, folder: tables.folder, log, inUse: () => this.#filesInUse() })
  }

  get counts(): { readonly running: number; readonly queued: number } {
    return this.#runner.counts
  }

  /** Clears what a crash left behind and takes up the queries that were not finished, if that is its task. */
  async start({ takesUp }: { readonly takesUp: boolean }): Promise<void> {
    await this.#reaper.clearFolder()
    if (takesUp) await this.#takeUpUnfinished()
    this.#sweeper = setInterval(() => void this.#reaper.sweep(), SWEEP_EVERY_MS)
  }

  async #takeUpUnfinished(): Promise<void> {
    const { commands, tables } = this.#options
    const lastTable = (id: string) => this.#lastTable(id)
    const options = { book: this.#book, runner: this.#runner, commands, folder: tables.folder, lastTable }
    for (const row of await this.#book.unfinished()) await takeUp(row, options)
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeper)
    await this.#runner.stop()
    await this.#reaper.idle()
  }

  /** The plan as a document; a query with mistakes throws them all. */
  async parse(
    text: string,
    options: { readonly parseOnly: boolean; readonly addFlags: boolean },
    values: TemplateValues = {},
  ): Promise<PlanDocument> {
    const { commands } = this.#options
    const knows = await this.#knowledge(text)
    const planned = plan(text, { commands, syntaxOnly: options.parseOnly, knows })
    if (planned.diagnostics.length > 0) throw invalidQuery(planned.diagnostics)
    const document = describe(planned, { addFlags: options.addFlags })
    if (!planned.plan) return document
    const cached = await this.#cachedNow(planned.plan.stages, values)
    return withEstimates(document, planned.plan, { limitsOf: this.#options.policies.limitsOf, cached })
  }

  /** The stages that would be answered from the cache if the query ran now. */
  async #cachedNow(stages: readonly Stage[], values: TemplateValues): Promise<ReadonlySet<number>> {
    // Without a value for all that its template asks for it could not run.
    const isWhole = parametersIn(stages).every(path => valueAt(values, path) !== undefined)
    if (!isWhole) return new Set()
    const kept = withTemplateValues(stringifyJson(values), await this.#options.names.constants(stages))
    const constant = constantsOf(randomUUID(), new Date(), kept)
    const versions = await cellarVersions(stages, { constant }, this.cellar)
    const keys = cacheKeys(stages, constant, versions)
    const found = await cachedStages(stages, keys, this.#cache.find, { constant })
    return new Set(found.keys())
  }

  /** Takes away results that have had their time, now. */
  sweep(): Promise<void> {
    return this.#reaper.sweep()
  }

  /** What could be done next with the result of a query: with the paths given, or the columns of the last time it ran. */
  async decorate(
    query: string,
    type: 'attribute' | 'multiattribute',
    given?: readonly string[],
  ): Promise<Decoration[]> {
    const { commands, names } = this.#options
    const checked = plan(query, { commands, knows: await names.knowledge(query) })
    if (!checked.plan) throw invalidQuery(checked.diagnostics)
    const paths = given ?? (await this.#book.columnsOfLastRun(query)).map(quoteName)
    return decorate(query, type, paths, this.#options.commands)
  }

  async dispatch(request: DispatchRequest): Promise<ActiveQuery> {
    const { commands } = this.#options
    const knows = await this.#knowledge(request.query, Object.keys(request.templateValues ?? {}))
    return this.#admit(request, plan(request.query, { commands, knows }), null, undefined)
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

  /** The plan of a template with the values in it. */
  async parseTemplate(query: string, values: TemplateValues): Promise<PlanDocument> {
    const filled = await this.templates.fill(query, values, { partly: true })
    const options = { parseOnly: false, addFlags: true }
    return fillDocument(await this.parse(filled.query, options, filled.values), filled.values)
  }

  /** Which names there are outside of a query. `values`: those that its template was given; not checked without. */
  async #knowledge(text: string, values?: readonly string[]): Promise<Knowledge> {
    const templates = /\bruntemplate\b/i.test(text) ? await this.templates.names() : undefined
    const stores = /--store\b/i.test(text) ? await this.#options.deliveries.storeNames() : undefined
    return {
      ...(await this.#options.names.knowledge(text)),
      device: () => new Set(this.#options.expander.executor.devices().map(({ name }) => String(name))),
      ...(templates && { template: () => templates }),
      ...(stores && { store: () => stores }),
      ...(values && values.length === 0 && { templateValue: () => new Set<string>() }),
    }
  }

  /** Runs one command, over the rows of the query `prev` if that is given. */
  async dispatchCommand(request: CommandRequest): Promise<ActiveQuery> {
    const { command, args = [], flags = {}, line = 1, prev = null, id, metadata } = request
    const document = { command, args: args.map(parts => parts.map(String)), flags, line }
    const origin = { document, prev }
    const { commands, names } = this.#options
    const checked = planCommand(origin, commands, await names.knowledge(commandText(document)))
    const input = prev === null ? undefined : await this.#lastTable(prev)
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
    return this.#runner.admit(async startNow => {
      const row = await this.#book.add(asked, accepted.stages, startNow)
      return new ActiveQuery(row, accepted, this.#book, { stages, input })
    })
  }

  async #lastTable(id: string): Promise<StageFile> {
    const { stages } = await this.#finished(id)
    const table = storedTables(this.#options.tables.folder, stages).get(stages.length - 1)
    if (table) return table
    throw new ForageError(
      'expired',
      `The query ${id} has no rows to work on: it failed, was cancelled, or they have expired.`,
    )
  }

  /** Rows that come without a query, as an order to deliver them. */
  withOrder<T>(
    rows: readonly Row[],
    delivery: Omit<StageDelivery, 'table'>,
    signal: AbortSignal,
    use: (order: DeliveryOrder) => Promise<T>,
  ): Promise<T> {
    const commands = new Map(this.#options.commands.map(command => [command.name, command]))
    const tools = { ...this.#options, commands, cellar: this.cellar }
    return withTable(tools, rows, signal, table => use(orderOf(tools, { ...delivery, table }, signal)))
  }

  active(id: string): ActiveQuery | undefined {
    return this.#runner.active(id)
  }

  async record(id: string): Promise<Static<typeof QueryRecord>> {
    const active = this.#runner.active(id)
    if (active) return queryRecord(active.row, active.stages.length)
    return queryRecord(await this.#row(id), (await this.#book.stages(id)).length)
  }

  async list(
    filters: Filters,
    offset: number,
    limit: number,
  ): Promise<{ items: Static<typeof QueryRecord>[]; total: number }> {
    const { rows, total } = await this.#book.list(filters, offset, limit)
    return { items: rows.map(row => queryRecord(this.#runner.active(row.id)?.row ?? row, row.stages)), total }
  }

  async status(id: string): Promise<Static<typeof QueryStatusRecord>> {
    const active = this.#runner.active(id)
    if (active)
      return statusRecord(active.row, active.stages.length, active, this.#options.policies.waiting(id))
    return statusRecord(await this.#row(id), (await this.#book.stages(id)).length, undefined)
  }

  /** What is in flight stops; the stages that are finished stay readable. */
  async cancel(id: string): Promise<Static<typeof QueryStatusRecord>> {
    const active = this.#runner.active(id)
    if (!active) {
      const { status } = await this.#row(id)
      throw new ForageError('wrong_state', `The query is ${status}: there is nothing to cancel.`)
    }
    active.stop(new Stopped('cancelled', 'The query was cancelled.'))
    await this.#runner.cancelQueued(active)
    return statusRecord(active.row, active.stages.length, active, this.#options.policies.waiting(id))
  }

  /** Deletes a query and what nothing else uses of it; a running one is cancelled first. */
  async remove(id: string): Promise<void> {
    const active = this.#runner.active(id)
    if (active) {
      await this.cancel(id)
      await active.finished
    }
    if (!(await this.#book.remove(id))) throw noSuchQuery(id)
    await this.#reaper.sweep()
  }

  async stages(id: string): Promise<Static<typeof StageRecord>[]> {
    const active = this.#runner.active(id)
    if (!active) await this.#row(id)
    const rows = await this.#book.stages(id)
    return rows.map(row => stageRecord(row, active?.stages[row.idx]))
  }

  async stage(id: string, reference: string): Promise<Static<typeof StageRecord>> {
    const { idx } = findStage(await this.#book.stages(id), reference)
    return (await this.stages(id))[idx]!
  }

  /** A page of one record for each run of a command: of a source or reduce command that is one for its stage. */
  async commands(id: string, stage: string | undefined, page: CommandPage): Promise<CommandRecords> {
    const row = this.#runner.active(id)?.row ?? (await this.#row(id))
    const rows = await this.#book.stages(id)
    const wanted = stage === undefined ? rows : [findStage(rows, stage)]
    const records = await this.stages(id)
    const single = (index: number) =>
      commandRecord(id, records[index]!, documentOf(row, index, this.#options.commands))
    return readCommands(this.#options.tables, wanted, single, page)
  }

  /** One whose time is over is expired, also when the sweep that says so has not come by yet. */
  async #row(id: string): Promise<QueryRow> {
    const row = await this.#book.find(id)
    if (!row) throw noSuchQuery(id)
    if (row.status === 'expired' || row.expires_at === null || Date.parse(row.expires_at) > Date.now())
      return row
    await this.#reaper.sweep()
    return (await this.#book.find(id)) ?? row
  }

  /** A query that has ended, for whoever wants its rows. */
  async #finished(id: string): Promise<FinishedQuery> {
    const active = this.#runner.active(id)
    if (active)
      throw new ForageError(
        'wrong_state',
        `The query is ${active.row.status}: its rows can be read when it is complete.`,
      )
    const row = await this.#row(id)
    return { row, stages: await this.#book.stages(id) }
  }

  #filesInUse(): ReadonlySet<string> {
    const tables = this.#runner
      .all()
      .flatMap(query => [query.input, ...query.stages.map(({ table }) => table)])
    const borrowed = this.#runner.all().flatMap(query => [...query.borrowed])
    return new Set([...tables.flatMap(table => table?.file ?? []), ...borrowed, ...this.cellar.filesInUse])
  }
}

function documentOf(row: QueryRow, index: number, commands: readonly Command[]): CommandDocument {
  if (row.plan !== null) return (JSON.parse(row.plan) as CommandOrigin).document
  return describe(plan(row.query, { commands })).stages[index]!.command
}

const noSuchQuery = (id: string): ForageError => new ForageError('not_found', `There is no query ${id}.`)

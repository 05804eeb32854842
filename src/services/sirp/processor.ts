import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import type { Command } from '../../commands/command.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import type { QueryError } from '../../engine/failure.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import { describe } from '../../language/describe.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import type { CommandDocument, PlanDocument } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import type { Logger } from '../../log.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { ActiveQuery, Stopped } from './active-query.ts'
import { ResultCache } from './cache.ts'
import { type Decoration, decorate } from './decorate.ts'
import { type Checked, commandText, invalidQuery, planCommand, planOf } from './planning.ts'
import {
  type CommandOrigin,
  type Filters,
  findStage,
  QueryBook,
  type QueryRow,
  storedJournals,
  storedTables,
} from './query-book.ts'
import { QueryRunner } from './query-runner.ts'
import { type FinishedQuery, QueryReader } from './reader.ts'
import { Reaper } from './reaper.ts'
import type { CommandRecord, QueryRecord, QueryStatusRecord, StageRecord } from './records.ts'
import { commandRecord, queryRecord, stageRecord, statusRecord } from './records-of.ts'

export interface DispatchRequest {
  readonly query: string
  readonly id?: string | undefined
  readonly mode?: 'turbo' | 'comprehensive' | undefined
  readonly ttl?: number | undefined
  readonly minutes?: number | undefined
  readonly cleanup?: boolean | undefined
  readonly summary?: boolean | undefined
  readonly metadata?: Record<string, unknown> | undefined
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
  readonly log: Logger
  readonly queriesAtOnce: number
  readonly maxMinutes: number
  readonly ttlSeconds: number
  readonly cacheTtlSeconds: number
}

/** How often a process may die under a query before the query is taken for the cause. */
const CRASHES_AT_MOST = 3
const SWEEP_EVERY_MS = 30_000

/** Takes queries in, runs them, and answers what is asked about them. */
export class Processor {
  readonly #options: ProcessorOptions
  /** The rows of queries that have ended. */
  readonly reader: QueryReader
  readonly #book: QueryBook
  readonly #runner: QueryRunner
  readonly #reaper: Reaper
  #sweeper: NodeJS.Timeout | undefined

  constructor(options: ProcessorOptions) {
    const { catalog, tables, commands, log } = options
    this.#options = options
    this.#book = new QueryBook(catalog)
    this.reader = new QueryReader({
      book: this.#book,
      tables,
      commands,
      expander: options.expander,
      finished: id => this.#finished(id),
    })
    this.#runner = new QueryRunner({
      book: this.#book,
      tables,
      expander: options.expander,
      cache: new ResultCache(catalog, tables.folder, options.cacheTtlSeconds),
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

  /** Clears what a crash left behind and takes up the queries that were not finished. */
  async start(): Promise<void> {
    await this.#reaper.clearFolder()
    for (const row of await this.#book.unfinished()) await this.#takeUp(row)
    this.#sweeper = setInterval(() => void this.#reaper.sweep(), SWEEP_EVERY_MS)
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeper)
    await this.#runner.stop()
    await this.#reaper.idle()
  }

  /** The plan as a document; a query with mistakes throws them all. */
  parse(text: string, options: { readonly parseOnly: boolean; readonly addFlags: boolean }): PlanDocument {
    const planned = plan(text, { commands: this.#options.commands, syntaxOnly: options.parseOnly })
    if (planned.diagnostics.length > 0) throw invalidQuery(planned.diagnostics)
    return describe(planned, { addFlags: options.addFlags })
  }

  /** What could be done next with the result of a query: its columns are those of the last time it ran. */
  async decorate(query: string, type: 'attribute' | 'multiattribute'): Promise<Decoration[]> {
    const checked = plan(query, { commands: this.#options.commands })
    if (!checked.plan) throw invalidQuery(checked.diagnostics)
    const columns = await this.#book.columnsOfLastRun(query)
    return decorate(query, type, columns, this.#options.commands)
  }

  dispatch(request: DispatchRequest): Promise<ActiveQuery> {
    return this.#admit(request, plan(request.query, { commands: this.#options.commands }), null, undefined)
  }

  /** Runs one command, over the rows of the query `prev` if that is given. */
  async dispatchCommand(request: CommandRequest): Promise<ActiveQuery> {
    const { command, args = [], flags = {}, line = 1, prev = null, id, metadata } = request
    const document = { command, args: args.map(parts => parts.map(String)), flags, line }
    const origin = { document, prev }
    const checked = planCommand(origin, this.#options.commands)
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
    const row = await this.#book.add(
      {
        id: request.id ?? randomUUID(),
        query: request.query,
        mode: request.mode ?? 'comprehensive',
        metadata: request.metadata ?? null,
        ttl: request.ttl || this.#options.ttlSeconds,
        minutes: request.minutes ?? 0,
        cleanup: request.cleanup ?? false,
        summary: request.summary ?? false,
        command,
      },
      checked.plan.stages,
      this.#runner.hasFreePlace,
    )
    const query = new ActiveQuery(row, checked.plan, this.#book, {
      tables: new Map(),
      journals: new Map(),
      input,
    })
    this.#runner.enqueue(query)
    return query
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
    if (active) return statusRecord(active.row, active.stages.length, active)
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
    return statusRecord(active.row, active.stages.length, active)
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

  /** One record for each run of a command: of a source or reduce command that is one for its stage. */
  async commands(id: string): Promise<Static<typeof CommandRecord>[]> {
    const stages = await this.stages(id)
    const row = this.#runner.active(id)?.row ?? (await this.#row(id))
    return stages.map(stage => commandRecord(id, stage, documentOf(row, stage.index, this.#options.commands)))
  }

  async #row(id: string): Promise<QueryRow> {
    const row = await this.#book.find(id)
    if (!row) throw noSuchQuery(id)
    return row
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

  /** A query that was not finished when the service stopped or died. */
  async #takeUp(row: QueryRow): Promise<void> {
    const wasRunning = row.status === 'running'
    if (wasRunning) await this.#book.countCrash(row.id)
    const crashes = row.crashes + (wasRunning ? 1 : 0)
    const checked = planOf(row, this.#options.commands)
    const { folder } = this.#options.tables
    const stages = await this.#book.stages(row.id)
    const query = new ActiveQuery(
      { ...row, crashes },
      checked.plan ?? { query: row.query, stages: [] },
      this.#book,
      {
        tables: storedTables(folder, stages),
        journals: storedJournals(folder, stages),
        input: await this.#inputOf(row),
      },
    )
    if (crashes >= CRASHES_AT_MOST) await this.#runner.giveUp(query, crashLoop(crashes))
    else if (!checked.plan) await this.#runner.giveUp(query, noLongerValid(checked.diagnostics))
    else this.#runner.enqueue(query)
  }

  async #inputOf(row: QueryRow): Promise<StageFile | undefined> {
    const prev = row.plan === null ? null : (JSON.parse(row.plan) as CommandOrigin).prev
    return prev === null ? undefined : this.#lastTable(prev)
  }

  #filesInUse(): ReadonlySet<string> {
    return new Set(
      this.#runner.all().flatMap(query => query.stages.flatMap(stage => stage.table?.file ?? [])),
    )
  }
}

function documentOf(row: QueryRow, index: number, commands: readonly Command[]): CommandDocument {
  if (row.plan !== null) return (JSON.parse(row.plan) as CommandOrigin).document
  return describe(plan(row.query, { commands })).stages[index]!.command
}

const noSuchQuery = (id: string): ForageError => new ForageError('not_found', `There is no query ${id}.`)

const nowhere = { stage: null, line: null, column: null, hint: null, sample: null }

const crashLoop = (crashes: number): QueryError => ({
  ...nowhere,
  code: 'crash_loop',
  message: `The service died ${crashes} times in a row while this query ran, so it is not tried again.`,
  hint: 'Ask for less at once, and look into the log of the service.',
})

const noLongerValid = (diagnostics: readonly Diagnostic[]): QueryError => ({
  ...nowhere,
  code: 'query_invalid',
  message: `This version of Forage does not understand the query any more: ${diagnostics[0]?.message}`,
})

import type { Transaction } from 'kysely'
import type { Command } from '../../commands/command.ts'
import { cellarVersions } from '../../engine/cellar.ts'
import type { Deliveries, StageDelivery } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import { type QueryError, StageFailure } from '../../engine/failure.ts'
import type { TemplateAccess } from '../../engine/nested-run.ts'
import { Run } from '../../engine/run.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import type { Logger } from '../../log.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import type { Cellar } from '../cellar/cellar.ts'
import type { NamedTexts } from '../secrets/named-texts.ts'
import { type ActiveQuery, Stopped } from './active-query.ts'
import type { ResultCache } from './cache.ts'
import { constantsOf, type QueryNames, withTemplateValues } from './constants.ts'
import { orderOf } from './delivering.ts'
import type { QueryBook } from './query-book.ts'

export interface RunnerOptions {
  readonly book: QueryBook
  readonly tables: Tables
  readonly expander: Expander
  readonly cache: ResultCache
  readonly deliveries: Deliveries
  readonly cellar: Cellar
  readonly templates: TemplateAccess
  readonly commands: ReadonlyMap<string, Command>
  readonly names: QueryNames
  readonly checkpoints: Pick<NamedTexts, 'save'>
  /** Queries at once; the others wait in the order they came. */
  readonly places: number
  /** The longest that a query may run which does not say so itself, in minutes. */
  readonly maxMinutes: number
  /** Computes the summary of a query that is complete. */
  readonly summarize: (id: string) => Promise<void>
  readonly log: Logger
}

/** A timer for longer than this (25 days) would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1
/** Later years have more digits, and times are compared as text. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31)

/** Runs queries, so many at once, and writes down how each ended. */
export class QueryRunner {
  readonly #options: RunnerOptions
  readonly #running = new Map<string, ActiveQuery>()
  readonly #waiting: ActiveQuery[] = []
  /** Places of queries that are being booked. */
  #promised = 0
  #stopping = false

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  get #hasFreePlace(): boolean {
    return !this.#stopping && this.#running.size + this.#promised < this.#options.places
  }

  get counts(): { readonly running: number; readonly queued: number } {
    return { running: this.#running.size, queued: this.#waiting.length }
  }

  active(id: string): ActiveQuery | undefined {
    return this.#running.get(id) ?? this.#waiting.find(query => query.row.id === id)
  }

  all(): ActiveQuery[] {
    return [...this.#running.values(), ...this.#waiting]
  }

  /** Takes a query in. A free place is its own before it is booked as running, so that no two are booked for one. */
  async admit(book: (startNow: boolean) => Promise<ActiveQuery>): Promise<ActiveQuery> {
    const startNow = this.#hasFreePlace
    if (startNow) this.#promised++
    try {
      const query = await book(startNow)
      if (this.#stopping) await this.#fail(query, new Stopped('shutdown', 'Forage is stopping.'))
      if (this.#stopping) query.settle()
      else if (startNow) this.#waiting.unshift(query)
      else this.#waiting.push(query)
      return query
    } finally {
      if (startNow) this.#promised--
      this.#next()
    }
  }

  enqueue(query: ActiveQuery): void {
    this.#waiting.push(query)
    this.#next()
  }

  /** Ends a query that nobody has begun with yet. One that runs ends by its signal. */
  async cancelQueued(query: ActiveQuery): Promise<void> {
    const place = this.#waiting.indexOf(query)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    await this.#fail(query, query.signal.reason)
    query.settle()
  }

  /** Running queries are stopped where they are and taken up at the next start; queued ones simply stay queued. */
  async stop(): Promise<void> {
    this.#stopping = true
    const running = [...this.#running.values()]
    for (const query of running) query.stop(new Stopped('shutdown', 'Forage is stopping.'))
    await Promise.all(running.map(query => query.finished))
    for (const query of this.#waiting.splice(0)) query.settle()
  }

  #next(): void {
    while (this.#hasFreePlace) {
      const query = this.#waiting.shift()
      if (!query) return
      this.#running.set(query.row.id, query)
      void this.#work(query).finally(() => {
        this.#running.delete(query.row.id)
        query.settle()
        if (query.row.summary_wanted && query.row.status === 'completed') this.#summarize(query.row.id)
        this.#next()
      })
    }
  }

  async #work(query: ActiveQuery): Promise<void> {
    try {
      await this.#begin(query)
      const { table, checkpoints } = await this.#run(query)
      await this.#end(query, 'completed', table.rows, null, checkpoints)
    } catch (error) {
      await this.#fail(query, error)
    }
  }

  #summarize(id: string): void {
    this.#options
      .summarize(id)
      .catch(error => this.#options.log.error({ err: error, query: id }, 'a summary failed'))
  }

  async #begin(query: ActiveQuery): Promise<void> {
    query.signal.throwIfAborted()
    if (query.row.status === 'running' && query.row.crashes === 0) return
    const startedAt = query.row.started_at ? new Date(query.row.started_at) : new Date()
    await this.#options.book.start(query.row.id, startedAt)
    Object.assign(query.row, { status: 'running', started_at: startedAt.toISOString() })
    query.events.emit('change', 'status', { id: query.row.id, status: 'running' })
  }

  async #run(query: ActiveQuery): Promise<{ table: StageFile; checkpoints: ReadonlyMap<string, string> }> {
    const { row } = query
    const minutes = row.minutes || this.#options.maxMinutes
    const message = `The query ran longer than the ${minutes} minute(s) it may take.`
    const limitMs = Math.min(minutes * 60_000, LONGEST_TIMER_MS)
    const timer = setTimeout(() => query.stop(new Stopped('out_of_time', message)), limitMs)
    // `forage query` ends when its query has, whatever came of it.
    timer.unref()
    const known = query.stages.flatMap((stage, index) => (stage.table ? [[index, stage.table] as const] : []))
    const startedAt = new Date(row.started_at!)
    const { cellar, templates, names } = this.#options
    const kept = withTemplateValues(row.template_values, await names.constants(query.plan.stages))
    const constant = constantsOf(row.id, startedAt, kept)
    const run = new Run({
      id: row.id,
      plan: query.plan,
      commands: this.#options.commands,
      tables: this.#options.tables,
      expander: this.#expander(row.mode),
      // What another query's rows decide is not to be found under the hash of this one's text.
      cache: query.input ? null : this.#options.cache.for(query),
      startedAt,
      constant,
      signal: query.signal,
      observer: query,
      known: new Map(known),
      hasFailedRows: query.failedRows > 0,
      journals: query.journals,
      input: query.input,
      written: `${row.query}\n${row.template_values ?? ''}`,
      cellar,
      cellarVersions: await cellarVersions(query.plan.stages, { constant }, cellar),
      templates,
      nesting: row.template_id === null ? [] : [row.template_id],
      deliver: delivery => this.#deliver(delivery, query.signal),
      readStore: (store, name) => this.#readStore(store, name, query.signal),
    })
    try {
      return { table: await run.execute(), checkpoints: await run.checkpoints() }
    } finally {
      clearTimeout(timer)
      await run.discardScratch()
    }
  }

  async #deliver(delivery: StageDelivery, signal: AbortSignal): Promise<void> {
    await this.#options.deliveries.deliver(orderOf(this.#options, delivery, signal))
  }

  #readStore(store: string, name: string | undefined, signal: AbortSignal): Promise<StageFile> {
    const { deliveries, tables } = this.#options
    return deliveries.read({ store, name, tables, signal }, rows => tables.ingest(rows, signal))
  }

  /** `turbo`: as wide as the workers are; the domain policies still hold. */
  #expander(mode: ActiveQuery['row']['mode']): Expander {
    const { expander } = this.#options
    return mode === 'turbo' ? { ...expander, concurrency: expander.mostConcurrency } : expander
  }

  async #fail(query: ActiveQuery, cause: unknown): Promise<void> {
    const stopped = cause instanceof Stopped ? cause.reason : undefined
    if (stopped === undefined && !(cause instanceof StageFailure))
      this.#options.log.error({ err: cause, query: query.row.id }, 'a query failed unexpectedly')
    try {
      if (stopped === 'shutdown') await this.#putBack(query)
      else await this.#end(query, stopped === 'cancelled' ? 'cancelled' : 'failed', null, errorOf(cause))
    } catch (error) {
      this.#options.log.error(
        { err: error, query: query.row.id },
        'the end of a query could not be written down',
      )
    }
  }

  async #putBack(query: ActiveQuery): Promise<void> {
    await query.saved
    await this.#options.book.putBack(query.row.id)
    query.row.status = 'queued'
  }

  /** A query that is given up before it is taken up: its end, without a run. */
  async giveUp(query: ActiveQuery, error: QueryError): Promise<void> {
    const stage = query.stages.findIndex(({ status }) => status !== 'completed')
    if (stage >= 0) query.stage(stage, { status: 'failed' })
    await this.#end(query, 'failed', null, error)
    query.settle()
  }

  async #end(
    query: ActiveQuery,
    status: 'completed' | 'failed' | 'cancelled',
    rows: number | null,
    error: QueryError | null,
    checkpoints: ReadonlyMap<string, string> = new Map(),
  ): Promise<void> {
    const { row } = query
    const finishedAt = new Date()
    const unsaved = await query.takeUnsaved()
    const end = {
      status,
      finishedAt,
      expiresAt: new Date(Math.min(finishedAt.getTime() + row.ttl * 1000, LAST_TIME_MS)),
      rows,
      failedRows: query.failedRows,
      fromCache: status === 'completed' && query.stages.every(stage => stage.fromCache),
      error,
      warnings: query.warnings,
      keepOnlyLast: row.mode === 'turbo' || row.cleanup === 1,
      also: async (db: Transaction<Schema>) => {
        await this.#options.checkpoints.save(checkpoints, db)
        await this.#options.cellar.settle(row.id, status === 'completed', db)
      },
      ...unsaved,
    } as const
    await this.#options.book.finish(row.id, end)
    Object.assign(row, {
      status,
      rows,
      failed_rows: end.failedRows,
      finished_at: finishedAt.toISOString(),
      expires_at: end.expiresAt.toISOString(),
      from_cache: end.fromCache ? 1 : 0,
      error: error && JSON.stringify(error),
      warnings: JSON.stringify(end.warnings),
      revision: row.revision + 1,
    })
  }
}

function errorOf(cause: unknown): QueryError | null {
  if (cause instanceof StageFailure) return cause.error
  const nowhere = { stage: null, line: null, column: null, hint: null, sample: null }
  if (cause instanceof Stopped) {
    if (cause.reason === 'cancelled') return null
    return {
      ...nowhere,
      code: 'timeout',
      message: cause.message,
      hint: 'Give it more `minutes`, or ask for less at once.',
    }
  }
  return {
    ...nowhere,
    code: 'internal_error',
    message: 'Something went wrong on our side; the log has the reason.',
  }
}

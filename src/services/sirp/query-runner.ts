import type { Command } from '../../commands/command.ts'
import { type CellarAccess, cellarVersions } from '../../engine/cellar.ts'
import type { Deliveries } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import type { TemplateAccess } from '../../engine/nested-run.ts'
import { Run } from '../../engine/run.ts'
import type { RunOptions } from '../../engine/run-options.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { type ActiveQuery, Stopped } from './active-query.ts'
import type { ResultCache } from './cache.ts'
import { constantsOf, type QueryNames, withTemplateValues } from './constants.ts'
import { orderOf } from './delivering.ts'
import type { QueryBook } from './query-book.ts'
import type { QueryEndings } from './query-endings.ts'

export interface RunnerOptions {
  readonly book: QueryBook
  readonly endings: QueryEndings
  readonly tables: Tables
  readonly expander: Expander
  readonly cache: ResultCache
  readonly deliveries: Deliveries
  readonly cellar: CellarAccess
  readonly templates: TemplateAccess
  readonly commands: ReadonlyMap<string, Command>
  readonly names: QueryNames
  /** The longest that a query may run which does not say so itself, in minutes. */
  readonly maxMinutes: number
}

/** A timer for longer than this (25 days) would go off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Runs a query from its start to its end. */
export class QueryRunner {
  readonly #options: RunnerOptions

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Resolves when its end is written down, whatever that is. */
  async run(query: ActiveQuery): Promise<void> {
    const { endings } = this.#options
    try {
      await this.#begin(query)
      const { rows, checkpoints } = await this.#execute(query)
      await endings.complete(query, rows, checkpoints)
    } catch (error) {
      await endings.fail(query, error)
    }
  }

  async #begin(query: ActiveQuery): Promise<void> {
    query.signal.throwIfAborted()
    if (query.row.status === 'running' && query.row.crashes === 0) return
    const startedAt = query.row.started_at ? new Date(query.row.started_at) : new Date()
    await this.#options.book.start(query.row.id, startedAt)
    Object.assign(query.row, { status: 'running', started_at: startedAt.toISOString() })
    query.events.emit('change', 'status', { id: query.row.id, status: 'running' })
  }

  async #execute(query: ActiveQuery): Promise<{ rows: number; checkpoints: ReadonlyMap<string, string> }> {
    const timer = this.#startTimer(query)
    try {
      const run = new Run(await this.#runOptions(query))
      try {
        const { rows } = await run.execute()
        return { rows, checkpoints: await run.checkpoints() }
      } finally {
        await run.discardScratch()
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #startTimer(query: ActiveQuery): NodeJS.Timeout {
    const minutes = query.row.minutes || this.#options.maxMinutes
    const message = `The query ran longer than the ${minutes} minute(s) it may take.`
    const limitMs = Math.min(minutes * 60_000, LONGEST_TIMER_MS)
    const timer = setTimeout(() => query.stop(new Stopped('out_of_time', message)), limitMs)
    // `forage query` ends when its query has, whatever came of it.
    return timer.unref()
  }

  async #runOptions(query: ActiveQuery): Promise<RunOptions> {
    const { row, plan, signal } = query
    const { commands, tables, cache, cellar, templates, names, deliveries } = this.#options
    const startedAt = new Date(row.started_at!)
    const kept = withTemplateValues(row.template_values, await names.constants(plan.stages))
    const constant = constantsOf(row.id, startedAt, kept)
    return {
      id: row.id,
      plan,
      commands,
      tables,
      expander: this.#expander(row.mode),
      // What another query's rows decide is not to be found under the hash of this one's text.
      cache: query.input ? null : cache.for(query),
      startedAt,
      constant,
      signal,
      observer: query,
      known: query.tables,
      hasFailedRows: query.failedRows > 0,
      journals: query.journals,
      input: query.input,
      written: `${row.query}\n${row.template_values ?? ''}`,
      cellar,
      cellarVersions: await cellarVersions(plan.stages, { constant }, cellar),
      templates,
      nesting: row.template_id === null ? [] : [row.template_id],
      deliver: async delivery => {
        await deliveries.deliver(orderOf(this.#options, delivery, signal))
      },
      readStore: (store, name) =>
        deliveries.read({ store, name, tables, signal }, rows => tables.ingest(rows, signal)),
    }
  }

  /** `turbo`: as wide as the workers are; the domain policies still hold. */
  #expander(mode: ActiveQuery['row']['mode']): Expander {
    const { expander } = this.#options
    return mode === 'turbo' ? { ...expander, concurrency: expander.mostConcurrency } : expander
  }
}

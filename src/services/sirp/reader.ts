import type { Static } from 'typebox'
import type { Command } from '../../commands/command.ts'
import { isVolatile } from '../../engine/cache-key.ts'
import { readsCellar } from '../../engine/cellar.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import type { QueryError } from '../../engine/failure.ts'
import { Run } from '../../engine/run.ts'
import { UNOBSERVED } from '../../engine/run-options.ts'
import {
  type Export,
  type ExportFormat,
  type ExportOptions,
  exportTable,
} from '../../engine/tables/export.ts'
import { type Page, type PageOptions, readPage } from '../../engine/tables/results.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import { summarize } from '../../engine/tables/summary.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import { parseJson, type Row } from '../../language/json.ts'
import type { Stage } from '../../language/plan.ts'
import type { Relation } from '../../sql/relation.ts'
import { constantsOf, type QueryNames, withTemplateValues } from './constants.ts'
import { planOf } from './planning.ts'
import type { QueryBook, QueryRow, StageRow } from './query-book.ts'
import type { QuerySummary, SummaryStatus } from './records.ts'
import { between } from './records-of.ts'
import { findStage, storedTables } from './stored-stages.ts'

export interface FinishedQuery {
  readonly row: QueryRow
  readonly stages: readonly StageRow[]
}

export interface ReaderOptions {
  readonly book: QueryBook
  readonly tables: Tables
  readonly expander: Expander
  readonly commands: readonly Command[]
  readonly names: QueryNames
  /** The query if it has ended; rejects when there is none, or when it still runs. */
  readonly finished: (id: string) => Promise<FinishedQuery>
}

/** Reads the rows of queries that have ended. */
export class QueryReader {
  readonly #options: ReaderOptions
  readonly #summaries = new Map<string, Promise<void>>()

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  page(id: string, stage: string | undefined, options: PageOptions & { signal: AbortSignal }): Promise<Page> {
    const { database } = this.#options.tables
    return this.#withRows(id, stage, options.signal, rows =>
      readPage(database, rows, { ...options, wrapped: true }),
    )
  }

  /** The whole of it as a stream. */
  export(
    id: string,
    stage: string | undefined,
    format: ExportFormat,
    options: ExportOptions & { signal: AbortSignal },
  ): Promise<Export> {
    const { database } = this.#options.tables
    return this.#withRows(id, stage, options.signal, rows => exportTable(database, rows, format, options))
  }

  async summaryStatus(id: string): Promise<Static<typeof SummaryStatus>> {
    if (this.#summaries.has(id)) return { status: 'pending' }
    const row = await this.#options.book.find(id)
    if (!row) throw new ForageError('not_found', `There is no query ${id}.`)
    return { status: row.summary_status }
  }

  /** Computed once: at the end of the query when it was asked for then, otherwise when somebody asks. */
  async summary(id: string): Promise<Static<typeof QuerySummary>> {
    let { row } = await this.#options.finished(id)
    if (row.summary_status !== 'ready') {
      await this.summarize(id)
      row = (await this.#options.finished(id)).row
    }
    // Some column's least or most may be an integer that only our own reader keeps exact.
    return parseJson(row.summary!) as Static<typeof QuerySummary>
  }

  summarize(id: string): Promise<void> {
    const running = this.#summaries.get(id)
    if (running) return running
    const work = this.#summarize(id).finally(() => this.#summaries.delete(id))
    this.#summaries.set(id, work)
    return work
  }

  async #summarize(id: string): Promise<void> {
    const { book, tables } = this.#options
    const { stages: rows } = await this.#options.finished(id)
    const { signal } = new AbortController()
    try {
      const stages = rows.map(stage => ({
        index: stage.idx,
        label: stage.label,
        command: stage.command,
        rows: stage.rows,
        failedRows: Number(stage.failed_rows),
        durationMs: between(stage.started_at, stage.finished_at),
        fromCache: stage.from_cache === 1,
      }))
      const figures = await this.#withRows(id, undefined, signal, source =>
        summarize(tables.database, source),
      )
      const columns = figures.map(({ column, ...rest }) => ({ name: column, ...rest }))
      await book.saveSummary(id, 'ready', { stages, columns } as Row)
    } catch (error) {
      if (!(error instanceof ForageError)) await book.saveSummary(id, 'failed', null)
      throw error
    }
  }

  /** A stage's file, or, when it was fused away, its rows computed from the nearest file before it. */
  async #withRows<T>(
    id: string,
    reference: string | undefined,
    signal: AbortSignal,
    read: (source: StageFile | Relation) => Promise<T>,
  ): Promise<T> {
    const { row, stages } = await this.#options.finished(id)
    const stage = reference === undefined ? stages.at(-1)! : findStage(stages, reference)
    const { tables, commands } = this.#options
    const known = storedTables(tables.folder, stages)
    const file = known.get(stage.idx)
    if (file) return read(file)
    requireReadable(row, stage)
    const { plan: checked } = planOf(row, commands)
    if (!checked || !canRecompute(checked.stages, stage.idx, known))
      throw new ForageError('expired', 'Only the rows of the last stage of this query were kept.')
    const startedAt = new Date(row.started_at ?? row.created_at)
    const kept = await this.#options.names.constants(checked.stages)
    const run = new Run({
      id,
      plan: checked,
      commands: new Map(commands.map(command => [command.name, command])),
      tables,
      expander: this.#options.expander,
      cache: null,
      startedAt,
      constant: constantsOf(id, startedAt, withTemplateValues(row.template_values, kept)),
      signal,
      observer: UNOBSERVED,
      known,
    })
    try {
      return await read(await run.relation(stage.idx))
    } finally {
      await run.discardScratch()
    }
  }
}

function requireReadable(row: QueryRow, stage: StageRow): void {
  if (row.status === 'expired')
    throw new ForageError('expired', `The rows of this query were kept until ${row.expires_at}.`)
  if (stage.status === 'completed') return
  if (row.status === 'failed') throw new ForageError('query_failed', `The query failed: ${reasonOf(row)}`)
  throw new ForageError('wrong_state', `The query is ${row.status}: stage ${stage.idx} has no rows.`)
}

const reasonOf = (row: QueryRow): string =>
  row.error === null ? 'no reason was kept' : (JSON.parse(row.error) as QueryError).message

/** Rows that were fetched, or that chance had a hand in, cannot be had a second time. */
function canRecompute(
  stages: readonly Stage[],
  index: number,
  known: ReadonlyMap<number, StageFile>,
): boolean {
  for (let at = index; at >= 0 && !known.has(at); at--) {
    const stage = stages[at]!
    if (stage.declaration.kind === 'expand' || isVolatile(stage) || readsCellar(stage)) return false
    if (stage.declaration.kind === 'source') return true
  }
  return true
}

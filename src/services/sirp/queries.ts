import type { Static } from 'typebox'
import type { Command } from '../../commands/command.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import { describe } from '../../language/describe.ts'
import type { CommandDocument } from '../../language/plan.ts'
import { plan } from '../../language/planner.ts'
import type { Page, PageRequest } from '../../storage/catalog/page.ts'
import type { ActiveQuery } from './active-query.ts'
import { type CommandPage, type CommandRecords, readCommands } from './command-records.ts'
import type { CommandOrigin, Filters, QueryBook, QueryRow } from './query-book.ts'
import type { FinishedQuery } from './reader.ts'
import type { QueryRecord, QueryStatusRecord, StageRecord } from './records.ts'
import { commandRecord, queryRecord, stageRecord, statusRecord } from './records-of.ts'
import { findStage, storedTables } from './stored-stages.ts'

export interface QueriesOptions {
  readonly book: QueryBook
  readonly tables: Tables
  readonly commands: readonly Command[]
  /** The query if it is queued or running. */
  readonly active: (id: string) => ActiveQuery | undefined
  /** The domains that a query waits for at this moment, and until when. */
  readonly waiting: (queryId: string) => readonly { readonly domain: string; readonly untilMs: number }[]
  /** Takes away results that have had their time. */
  readonly sweep: () => Promise<void>
}

/** What is told of queries: those in the book, and those at work as they are at this moment. */
export class Queries {
  readonly #options: QueriesOptions

  constructor(options: QueriesOptions) {
    this.#options = options
  }

  async record(id: string): Promise<Static<typeof QueryRecord>> {
    const { active, book } = this.#options
    const query = active(id)
    if (query) return queryRecord(query.row, query.stages.length)
    return queryRecord(await this.#row(id), (await book.stages(id)).length)
  }

  list(filters: Filters, page: PageRequest): Promise<Page<Static<typeof QueryRecord>>> {
    const { active, book } = this.#options
    return book.list(filters, page, row => queryRecord(active(row.id)?.row ?? row, row.stages))
  }

  async status(id: string): Promise<Static<typeof QueryStatusRecord>> {
    const { active, book } = this.#options
    const query = active(id)
    if (query) return this.statusOf(query)
    return statusRecord(await this.#row(id), (await book.stages(id)).length, undefined)
  }

  statusOf(query: ActiveQuery): Static<typeof QueryStatusRecord> {
    const { row, stages } = query
    return statusRecord(row, stages.length, query, this.#options.waiting(row.id))
  }

  async stages(id: string): Promise<Static<typeof StageRecord>[]> {
    const { active, book } = this.#options
    const query = active(id)
    if (!query) await this.#row(id)
    const rows = await book.stages(id)
    return rows.map(row => stageRecord(row, query?.stages[row.idx]))
  }

  async stage(id: string, reference: string): Promise<Static<typeof StageRecord>> {
    const { idx } = findStage(await this.#options.book.stages(id), reference)
    return (await this.stages(id))[idx]!
  }

  /** A page of one record for each run of a command: of a source or reduce command that is one for its stage. */
  async commands(id: string, stage: string | undefined, page: CommandPage): Promise<CommandRecords> {
    const { active, book, tables, commands } = this.#options
    const row = active(id)?.row ?? (await this.#row(id))
    const rows = await book.stages(id)
    const wanted = stage === undefined ? rows : [findStage(rows, stage)]
    const records = await this.stages(id)
    const single = (index: number) => commandRecord(id, records[index]!, documentOf(row, index, commands))
    return readCommands(tables, id, wanted, single, page)
  }

  /** A query that has ended, for whoever wants its rows. */
  async finished(id: string): Promise<FinishedQuery> {
    const { active, book } = this.#options
    const query = active(id)
    if (query)
      throw new ForageError(
        'wrong_state',
        `The query is ${query.row.status}: its rows can be read when it is complete.`,
      )
    const row = await this.#row(id)
    return { row, stages: await book.stages(id) }
  }

  /** The result of a query that has ended. */
  async lastTable(id: string): Promise<StageFile> {
    const { stages } = await this.finished(id)
    const table = storedTables(this.#options.tables.folder, stages).get(stages.length - 1)
    if (table) return table
    throw new ForageError(
      'expired',
      `The query ${id} has no rows to work on: it failed, was cancelled, or they have expired.`,
    )
  }

  /** One whose time is over is expired, also when the sweep that says so has not come by yet. */
  async #row(id: string): Promise<QueryRow> {
    const { book, sweep } = this.#options
    const row = await book.find(id)
    if (!row) throw noSuchQuery(id)
    if (row.status === 'expired' || row.expires_at === null || Date.parse(row.expires_at) > Date.now())
      return row
    await sweep()
    return (await book.find(id)) ?? row
  }
}

function documentOf(row: QueryRow, index: number, commands: readonly Command[]): CommandDocument {
  if (row.plan !== null) return (JSON.parse(row.plan) as CommandOrigin).document
  return describe(plan(row.query, { commands })).stages[index]!.command
}

export const noSuchQuery = (id: string): ForageError =>
  new ForageError('not_found', `There is no query ${id}.`)

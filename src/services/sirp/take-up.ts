import type { Command } from '../../commands/command.ts'
import { NOWHERE, type QueryError } from '../../engine/failure.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import { ForageError } from '../../errors.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import { ActiveQuery } from './active-query.ts'
import { planOf } from './planning.ts'
import type { CommandOrigin, QueryBook, QueryRow } from './query-book.ts'
import type { QueryEndings } from './query-endings.ts'
import type { QueryQueue } from './query-queue.ts'
import { storedStages } from './stored-stages.ts'

export interface TakeUpOptions {
  readonly book: QueryBook
  readonly queue: QueryQueue
  readonly endings: QueryEndings
  readonly commands: readonly Command[]
  /** Where the tables lie. */
  readonly folder: string
  /** The result of a query that has ended; rejects when there is none any more. */
  readonly lastTable: (id: string) => Promise<StageFile>
}

/** How often a process may die under a query before the query is taken for the cause. */
const CRASHES_AT_MOST = 3

/** Goes on with a query that was not finished when the service stopped or died, or gives it up with the reason. */
export async function takeUp(row: QueryRow, options: TakeUpOptions): Promise<void> {
  const { book, queue, endings, commands, folder } = options
  const wasRunning = row.status === 'running'
  if (wasRunning) await book.countCrash(row.id)
  const crashes = row.crashes + (wasRunning ? 1 : 0)
  const checked = planOf(row, commands)
  const input = await inputOf(row, options)
  const query = new ActiveQuery(
    { ...row, status: 'queued', crashes },
    checked.plan ?? { query: row.query, stages: [] },
    book,
    { stages: storedStages(folder, await book.stages(row.id)), input: input ?? undefined },
  )
  if (crashes >= CRASHES_AT_MOST) await endings.giveUp(query, crashLoop(crashes))
  else if (!checked.plan) await endings.giveUp(query, noLongerValid(checked.diagnostics))
  else if (input === null) await endings.giveUp(query, inputGone)
  else queue.enqueue(query)
}

/** The rows that a command was dispatched over; null when they are gone. */
async function inputOf(row: QueryRow, { lastTable }: TakeUpOptions): Promise<StageFile | null | undefined> {
  const prev = row.plan === null ? null : (JSON.parse(row.plan) as CommandOrigin).prev
  if (prev === null) return undefined
  return lastTable(prev).catch(error => {
    if (error instanceof ForageError) return null
    throw error
  })
}

const crashLoop = (crashes: number): QueryError => ({
  ...NOWHERE,
  code: 'crash_loop',
  message: `The service died ${crashes} times in a row while this query ran, so it is not tried again.`,
  hint: 'Ask for less at once, and look into the log of the service.',
})

const noLongerValid = (diagnostics: readonly Diagnostic[]): QueryError => ({
  ...NOWHERE,
  code: 'query_invalid',
  message: `This version of Forage does not understand the query any more: ${diagnostics[0]?.message}`,
})

const inputGone: QueryError = {
  ...NOWHERE,
  code: 'expired',
  message: 'The rows of the query that this command works on are gone.',
  hint: 'Run that query again, then the command.',
}

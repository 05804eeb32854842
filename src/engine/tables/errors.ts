import { CommandFailure } from '../../commands/failure.ts'
import { readFailure } from '../../sql/errors.ts'

/** Something a person can act on went wrong with a table. `code` is stable; the message says what to do. */
export class TableError extends CommandFailure {
  constructor(code: string, message: string, hint?: string, cause?: unknown) {
    super(code, message, hint === undefined ? {} : { hint })
    this.cause = cause
  }
}

/** For a reading that ended early without a word. */
export const brokenOff = (read: number, rows: number): TableError =>
  new TableError(
    'table_failed',
    `Only ${read} of ${rows} rows could be read.`,
    'The file is damaged, or there was too little memory beside other queries: try it again.',
  )

/** DuckDB's own message, without the statement's text and the stack that it appends: those are ours, not the reader's. */
export const engineMessage = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error)
  return text.split(/\nLINE \d+:|\nStack Trace:/)[0]!.trim()
}

/** After such an error the instance serves nobody any more. */
export const isInvalidating = (message: string): boolean => /^(INTERNAL|FATAL) Error/i.test(message)

/** What DuckDB threw, as an error that tells a reader what happened; the original stays its cause. */
export function tableError(error: unknown): Error {
  if (error instanceof TableError) return error
  const message = engineMessage(error)
  const ofExpression = readFailure(message)
  if (ofExpression) return ofExpression
  if (/^Out of Memory Error/i.test(message))
    return new TableError(
      'table_memory',
      'The tables of this query need more memory than the engine may use.',
      'Narrow the rows or columns first (filter, table), or raise the limit: FORAGE_MEMORY_MB.',
      error,
    )
  if (/No space left on device|max_temp_directory_size/i.test(message))
    return new TableError(
      'table_disk',
      'The disk is full, or the ceiling for temporary table files was reached.',
      'Free space in the data folder, or narrow the rows first.',
      error,
    )
  if (isInvalidating(message))
    return new TableError(
      'table_internal',
      `The table engine failed inside: ${message}`,
      'This is a mistake in the engine, not in the query; writing the stage another way may avoid it.',
      error,
    )
  return new TableError('table_failed', message, undefined, error)
}

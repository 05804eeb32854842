import { CommandFailure } from '../commands/failure.ts'
import type { Span } from '../language/diagnostics.ts'
import type { Row } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { positionsOf } from '../language/positions.ts'
import { ExpressionError, readFailure, UnknownColumn } from '../sql/errors.ts'
import { TableError } from './tables/errors.ts'

/** Why a query failed, and where: the `error` of its record. */
export interface QueryError {
  readonly code: string
  readonly message: string
  readonly stage: number | null
  readonly line: number | null
  readonly column: number | null
  readonly hint: string | null
  readonly sample: readonly Row[] | null
}

/** The place of what went wrong with a query as a whole. */
export const NOWHERE = { stage: null, line: null, column: null, hint: null, sample: null } as const

export class StageFailure extends Error {
  override readonly name = 'StageFailure'
  readonly error: QueryError
  constructor(error: QueryError, options?: ErrorOptions) {
    super(error.message, options)
    this.error = error
  }
}

/** A failure of a stage, with its place in the text of the query. A cancellation passes as it is. */
export function failureOf(cause: unknown, stage: Stage, query: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (cause instanceof StageFailure) return cause
  const reason = (cause instanceof Error && readFailure(cause.message)) || cause
  const known = isExplained(reason) ? reason : undefined
  const span = reason instanceof ExpressionError ? (reason.span ?? spanOf(reason, stage, query)) : undefined
  return new StageFailure(
    {
      code: known?.code ?? 'stage_failed',
      message: reason instanceof Error ? reason.message : String(reason),
      stage: stage.index,
      ...(span ? positionsOf(query).at(span.offset) : { line: stage.line, column: stage.column }),
      hint: known?.hint ?? null,
      sample: (known instanceof CommandFailure && known.sample) || null,
    },
    { cause },
  )
}

/** Paths do not know where they were written; the name of a column that is missing is looked for in its stage. */
function spanOf(reason: ExpressionError, { span }: Stage, query: string): Span | undefined {
  if (!(reason instanceof UnknownColumn) || reason.column === '') return undefined
  const { length } = reason.column
  const text = query.slice(span.offset, span.offset + span.length)
  // Not the command itself, which may be called the same.
  for (let at = text.search(/\s/); at >= 0; at = text.indexOf(reason.column, at + 1))
    if (text.startsWith(reason.column, at) && !isPartOfName(text[at - 1]) && !isPartOfName(text[at + length]))
      return { offset: span.offset + at, length }
  return undefined
}

const isPartOfName = (character = ' '): boolean => /[\p{L}\p{N}_-]/u.test(character)

const isExplained = (reason: unknown): reason is CommandFailure | ExpressionError | TableError =>
  reason instanceof CommandFailure || reason instanceof ExpressionError || reason instanceof TableError

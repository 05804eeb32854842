import type { Span } from '../language/diagnostics.ts'
import { nearest } from '../language/nearest.ts'

interface Details {
  readonly span?: Span
  readonly hint?: string
  readonly suggestion?: string
}

/** What only the columns of a table or its rows can show to be wrong with an expression or a path. */
export class ExpressionError extends Error {
  override readonly name: string = 'ExpressionError'
  readonly code: string
  readonly span: Span | undefined
  readonly hint: string | undefined
  readonly suggestion: string | undefined
  constructor(code: string, message: string, { span, hint, suggestion }: Details = {}) {
    super(message)
    this.code = code
    this.span = span
    this.hint = hint
    this.suggestion = suggestion
  }
}

const SHOWN = 20

export class UnknownColumn extends ExpressionError {
  override readonly name = 'UnknownColumn'
  readonly column: string
  readonly columns: readonly string[]
  constructor(column: string, columns: readonly string[], span?: Span) {
    const near = nearest(column, columns)
    super('unknown_column', `There is no column ${column}. ${listed(columns)}`, {
      ...(span && { span }),
      ...(near !== undefined && { hint: `Did you mean ${near}?`, suggestion: near }),
    })
    this.column = column
    this.columns = columns
  }
}

function listed(columns: readonly string[]): string {
  if (columns.length === 0) return 'The table has no columns.'
  const shown = columns.slice(0, SHOWN).join(', ')
  return columns.length > SHOWN
    ? `The first of ${columns.length} columns: ${shown}.`
    : `The columns: ${shown}.`
}

const OVERFLOW = /forage:overflow:(\d+):(\d+)/

/** What the SQL of an expression says when a number grows too large. The place is ours, so it needs no escaping. */
export const overflowMessage = ({ offset, length }: Span): string => `forage:overflow:${offset}:${length}`

/** The error of an expression in a message of DuckDB's, if there is one. */
export function readFailure(message: string): ExpressionError | undefined {
  const match = OVERFLOW.exec(message)
  if (!match) return undefined
  return new ExpressionError('number_overflow', 'The result is too large for a number.', {
    span: { offset: Number(match[1]), length: Number(match[2]) },
    hint: 'Whole numbers hold 64 bits. A factor such as 1.0 in front makes it approximate.',
  })
}

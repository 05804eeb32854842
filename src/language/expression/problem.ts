import type { Span } from '../diagnostics.ts'

/** Something wrong with an expression. The caller, who has the query's lines, makes a diagnostic of it. */
export interface Problem extends Span {
  readonly code: string
  readonly message: string
  readonly expected?: readonly string[]
  readonly hint?: string
  /** Text that would stand in place of the marked one. */
  readonly suggestion?: string
}

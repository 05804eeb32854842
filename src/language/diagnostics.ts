/** One thing wrong with a query: what, where, and what to do about it. */
export interface Diagnostic {
  readonly code: string
  readonly message: string
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 code units like every editor's. */
  readonly column: number
  /** 0-based offset into the query's text. */
  readonly offset: number
  readonly length: number
  readonly expected?: readonly string[]
  readonly hint?: string
  /** Text that would stand in place of the marked one. */
  readonly suggestion?: string
}

/** A stretch of the query's text. */
export interface Span {
  readonly offset: number
  readonly length: number
}

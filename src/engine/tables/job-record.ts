/** How one run of a command ended. */
export interface JobEnd {
  readonly status: 'completed' | 'failed'
  readonly error: { readonly code: string; readonly message: string } | null
}

/** What became of it; with the input row and the number of rows it is a command record. */
export interface JobRecord extends JobEnd {
  /** All of it as JSON, well-formed: written where it is made, and only copied from there on. */
  readonly text: string
}

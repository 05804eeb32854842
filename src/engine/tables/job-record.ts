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

/**
 * The line before a job's rows. Lines of rows have a `_k`, this one has none, unless the job's only row is in it, as
 * most are. Names and types are written with the job that taught them, so the file alone is enough to go on after a
 * crash, and no long row has to be parsed for it.
 */
export type JobHeader = {
  readonly _i: number
  readonly _n: number
  /** Bytes and checksum of the lines of its rows. A row in this line is whole when the line is. */
  readonly _b?: number
  readonly _h?: number
  readonly _k?: number
  /** Columns first seen here: they get the next numbers. */
  readonly _c?: readonly string[]
  /** Kinds of value by column number, where they have grown. */
  readonly _t?: readonly (readonly [number, number])[]
  /** The longest line, where DuckDB has to be told. */
  readonly _l?: number
  readonly _j?: JobEnd
}

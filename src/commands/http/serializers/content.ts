import type { Json, Row } from '../../../language/json.ts'
import type { HttpContext } from '../context.ts'

/** A body, or a file inside one. */
export interface Source {
  readonly bytes: Buffer
  /** The content type as sent; empty for a file inside an archive. */
  readonly type: string
  /** The name of the file, as far as it is known. */
  readonly name: string
  readonly maxBytes: number
  readonly context: Pick<HttpContext, 'warn' | 'readParquet'>
}

/** What a body is: its rows, and the whole of it, in which pointers are looked up. */
export interface Content {
  readonly rows: readonly Row[]
  readonly document: Json
}

export type Serializer = (source: Source) => Content | Promise<Content>

export const rowsOf = (rows: readonly Row[]): Content => ({ rows, document: rows[0] ?? null })

export const isRow = (value: Json): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is no object becomes the column `value`. */
export const asRow = (value: Json): Row => (isRow(value) ? value : { value })

import { createHash } from 'node:crypto'
import { type Json, parseJson, type Row, stringifyJson } from '../../language/json.ts'
import type { SqlType } from '../../sql/sql.ts'

/** One row on its way: as JSON text, so that no digit of a long integer is lost, with its number and its delivery id. */
export interface OutgoingRow {
  /** An object, or, for a writer of values, the list of them in the order of the columns: nested ones as their text. */
  readonly text: string
  /** Of the text, in UTF-8. */
  readonly bytes: number
  /** From 0, over the whole delivery. */
  readonly number: number
  /** The same whenever this row is sent again. */
  readonly id: string
}

export type Scalar = string | number | bigint | boolean | null

/** Rows that leave together. */
export class Batch {
  readonly items: readonly OutgoingRow[]

  constructor(items: readonly OutgoingRow[]) {
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  /** Parsed, for a writer of values. A list of its own each time. */
  values(): Scalar[][] {
    return parseJson(`[${this.items.map(item => item.text).join(',')}]`) as unknown as Scalar[][]
  }

  get bytes(): number {
    return this.items.reduce((sum, item) => sum + item.bytes, 0)
  }

  /** The same for the same rows: what tells the request of this batch from others. */
  get id(): string {
    const first = this.items[0]!.id
    if (this.size === 1) return first
    // Of a batch that failed in part only some rows are sent again, so the first and the number do not say which.
    const hash = createHash('sha256').update(this.items.map(item => item.id).join('\n'))
    return `${first}+${this.size - 1}-${hash.digest('hex').slice(0, 12)}`
  }

  pick(indexes: readonly number[]): Batch {
    return new Batch(indexes.map(index => this.items[index]!))
  }

  halves(): [Batch, Batch] {
    const middle = Math.ceil(this.size / 2)
    return [new Batch(this.items.slice(0, middle)), new Batch(this.items.slice(middle))]
  }
}

/** The text of a row as an object, of that of its values. */
export function objectText(
  text: string,
  columns: readonly { readonly name: string; readonly type: SqlType }[],
): string {
  const row: Record<string, Json> = {}
  for (const [at, value] of (parseJson(text) as readonly Scalar[]).entries()) {
    const { name, type } = columns[at]!
    if (value !== null) row[name] = type === 'JSON' ? parseJson(String(value)) : value
  }
  return stringifyJson(row as Row)
}

import { createHash } from 'node:crypto'
import { type Json, parseJson, type Row, stringifyJson } from '../../language/json.ts'
import type { SqlType } from '../../sql/sql.ts'

/** One row on its way: as JSON text, so that no digit of a long integer is lost, with its number and its delivery id. */
export class OutgoingRow {
  /**
   * An object, or, for a writer of values, the list of them in the order of the columns: as their text those that are
   * nested, and integers that a double cannot hold.
   */
  readonly text: string
  /** Of the text, in UTF-8. */
  readonly bytes: number
  /** From 0, over the whole delivery. */
  readonly number: number
  readonly deliveryId: string
  /** The id that it came with, if it did. */
  readonly ownId: string | undefined

  constructor(text: string, number: number, deliveryId: string, ownId?: string) {
    this.text = text
    this.bytes = Buffer.byteLength(text)
    this.number = number
    this.deliveryId = deliveryId
    this.ownId = ownId
  }

  /** The same whenever this row is sent again. */
  get id(): string {
    return this.ownId ?? `${this.deliveryId}.${this.number}`
  }
}

export type Scalar = string | number | bigint | boolean | null

export interface OutgoingColumn {
  readonly name: string
  readonly type: SqlType
}

const exact = (value: Scalar): Scalar => (typeof value === 'string' ? BigInt(value) : value)

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
  values(columns: readonly OutgoingColumn[]): Scalar[][] {
    const rows = JSON.parse(`[${this.items.map(item => item.text).join(',')}]`) as Scalar[][]
    for (const [at, { type }] of columns.entries())
      if (type === 'BIGINT') for (const row of rows) row[at] = exact(row[at]!)
    return rows
  }

  get bytes(): number {
    return this.items.reduce((sum, item) => sum + item.bytes, 0)
  }

  /** The same for the same rows: what tells the request of this batch from others. */
  get id(): string {
    const first = this.items[0]!
    if (this.size === 1) return first.id
    const isUnbroken = this.items.every(
      ({ ownId, number }, index) => ownId === undefined && number === first.number + index,
    )
    if (isUnbroken) return `${first.id}+${this.size - 1}`
    // Of a batch that failed in part only some rows are sent again, so the first and how many there are do not say which.
    const hash = createHash('sha256').update(this.items.map(item => item.id).join('\n'))
    return `${first.id}+${this.size - 1}-${hash.digest('hex').slice(0, 12)}`
  }

  pick(indexes: readonly number[]): Batch {
    return new Batch(indexes.map(index => this.items[index]!))
  }

  halves(): [Batch, Batch] {
    const middle = Math.ceil(this.size / 2)
    return [new Batch(this.items.slice(0, middle)), new Batch(this.items.slice(middle))]
  }
}

/** The same row as an object, of the list of its values. */
export function asObject(item: OutgoingRow, columns: readonly OutgoingColumn[]): OutgoingRow {
  const row: Record<string, Json> = {}
  for (const [at, value] of new Batch([item]).values(columns)[0]!.entries()) {
    const { name, type } = columns[at]!
    if (value !== null) row[name] = type === 'JSON' ? parseJson(String(value)) : value
  }
  return new OutgoingRow(stringifyJson(row as Row), item.number, item.deliveryId, item.ownId)
}

import { createHash } from 'node:crypto'
import { parseJson, type Row } from '../../language/json.ts'

/** One row on its way: as JSON text, so that no digit of a long integer is lost, with its number and its delivery id. */
export interface OutgoingRow {
  readonly text: string
  /** From 0, over the whole delivery. */
  readonly number: number
  /** The same whenever this row is sent again. */
  readonly id: string
}

/** Rows that leave together. */
export class Batch {
  readonly items: readonly OutgoingRow[]
  #rows: readonly Row[] | undefined

  constructor(items: readonly OutgoingRow[]) {
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  /** Parsed when somebody needs values rather than text. */
  get rows(): readonly Row[] {
    this.#rows ??= this.items.map(item => parseJson(item.text) as Row)
    return this.#rows
  }

  get bytes(): number {
    return this.items.reduce((sum, item) => sum + Buffer.byteLength(item.text), 0)
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

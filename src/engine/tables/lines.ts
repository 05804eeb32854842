import { crc32 } from 'node:zlib'
import type { Row } from '../../language/json.ts'
import { encodeRow } from './encode.ts'
import { TableError } from './errors.ts'
import type { Tracker } from './tracker.ts'

/** DuckDB reads lines up to here without being told. */
export const COMMON_LINE_BYTES = 16_000_000
/** A reader's buffer is twice the longest line for each thread: past this, one row could take the engine's memory. */
const MAX_LINE_BYTES = 64_000_000
/** Text that is held together: more goes into the next piece. */
const PIECE_CHARACTERS = 1_000_000

/** Turns the rows of one job into the lines of its stretch in the journal, and keeps count of them. */
export class Lines {
  readonly input: number
  readonly #tracker: Tracker
  #rows = 0
  #bytes = 0
  #checksum = 0
  #longest = 0

  constructor(input: number, tracker: Tracker) {
    this.input = input
    this.#tracker = tracker
  }

  get rows(): number {
    return this.#rows
  }

  get bytes(): number {
    return this.#bytes
  }

  get checksum(): number {
    return this.#checksum
  }

  /** Bytes of the longest line; 0 while none is long enough to matter. */
  get longest(): number {
    return this.#longest
  }

  /** The lines of the next rows, in pieces of about a million characters. */
  encode(rows: Iterable<Row>): string[] {
    const pieces: string[] = []
    let text = ''
    for (const row of rows) {
      const line = `{"_i":${this.input},"_k":${this.#rows++}${encodeRow(row, this.#tracker)}}\n`
      if (line.length > COMMON_LINE_BYTES / 3) this.#longest = Math.max(this.#longest, checkedLength(line))
      text += line
      if (text.length < PIECE_CHARACTERS) continue
      pieces.push(this.#counted(text))
      text = ''
    }
    if (text !== '') pieces.push(this.#counted(text))
    return pieces
  }

  #counted(text: string): string {
    this.#bytes += Buffer.byteLength(text)
    this.#checksum = crc32(text, this.#checksum)
    return text
  }
}

function checkedLength(line: string): number {
  const bytes = Buffer.byteLength(line)
  if (bytes <= MAX_LINE_BYTES) return bytes
  throw new TableError(
    'row_too_large',
    `A row of ${Math.round(bytes / 1e6)} MB is more than the ${MAX_LINE_BYTES / 1e6} MB that one row may have.`,
    'Fetch less at once, or keep only the columns that are needed.',
  )
}

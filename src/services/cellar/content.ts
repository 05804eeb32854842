import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { asRow } from '../../commands/http/serializers/content.ts'
import { columnNames, isCsvNumber } from '../../commands/mappers/csv.ts'
import type { Database } from '../../engine/tables/database.ts'
import { parquetFileRows } from '../../engine/tables/parquet-rows.ts'
import { readNumber } from '../../language/expression/numbers.ts'
import type { Json, Row } from '../../language/json.ts'
import { setKey } from '../../language/lenient-json.ts'
import { BadContent } from './bad-content.ts'
import type { CellarFormat } from './cellar.ts'
import { CsvRecords } from './csv-records.ts'
import { JsonValues } from './json-values.ts'

const HEAD = 64 * 1024
const PARQUET = 'PAR1'
/** RFC 7464 puts it before each value. */
const SEPARATOR = '\x1e'
const MARKUP = /^\s*<(?:!doctype\b|html\b|\?xml\b)/i

/** What a file is, by what is in it. Whether JSON is one document or many is known when it was read. */
export type Content = 'json' | 'csv' | 'parquet'

/** What a file is, told by its first and last bytes, never by its name. */
export async function recognize(file: string): Promise<Content> {
  const { head, tail } = await ends(file)
  if (head.subarray(0, 4).toString('latin1') === PARQUET) {
    if (tail !== PARQUET) throw new BadContent('It begins like a Parquet file but does not end like one.')
    return 'parquet'
  }
  if (head.includes(0)) throw new BadContent('It is neither text nor Parquet: it holds zero bytes.')
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  if (MARKUP.test(text)) throw new BadContent('It is HTML or XML.')
  return /^[[{]/.test(text.trimStart().replace(SEPARATOR, '')) ? 'json' : 'csv'
}

async function ends(file: string): Promise<{ head: Buffer; tail: string }> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const head = Buffer.alloc(Math.min(HEAD, size))
    await handle.read(head, 0, head.length, 0)
    const tail = Buffer.alloc(4)
    if (size >= 8) await handle.read(tail, 0, 4, size - 4)
    return { head, tail: tail.toString('latin1') }
  } finally {
    await handle.close()
  }
}

/** The rows of a file, a few at a time in memory. */
export class FileRows {
  readonly #file: string
  readonly #content: Content
  readonly #json = new JsonValues()

  constructor(file: string, content: Content) {
    this.#file = file
    this.#content = content
  }

  /** Known when all rows were read. */
  get format(): CellarFormat {
    if (this.#content !== 'json') return this.#content
    return this.#json.isArray || this.#json.count <= 1 ? 'json' : 'ndjson'
  }

  /** `mostCharacters`: a few packed bytes of Parquet can stand for very many rows. */
  rows(database: Database, mostCharacters: number, signal: AbortSignal): AsyncGenerator<Row> {
    if (this.#content === 'json') return this.#jsonRows()
    return this.#content === 'csv' ? this.#csvRows() : this.#parquetRows(database, mostCharacters, signal)
  }

  async *#jsonRows(): AsyncGenerator<Row> {
    for await (const piece of texts(this.#file))
      for (const value of this.#json.push(piece)) yield asRow(value)
    for (const value of this.#json.end()) yield asRow(value)
  }

  /** Twice through the file: a column is of numbers only if every value of it is one. */
  async *#csvRows(): AsyncGenerator<Row> {
    const separator = await separatorOf(this.#file)
    const shape = new CsvShape()
    for await (const records of recordsByPiece(this.#file, separator))
      for (const record of records) shape.see(record)
    const names = columnNames(shape.header ?? [], shape.width)
    let isHeader = true
    for await (const records of recordsByPiece(this.#file, separator))
      for (const record of records) {
        if (!isHeader) yield rowOf(record, names, shape.isText)
        isHeader = false
      }
  }

  async *#parquetRows(database: Database, most: number, signal: AbortSignal): AsyncGenerator<Row> {
    let size = 0
    for await (const { row, characters } of parquetFileRows(database, this.#file, { signal })) {
      size += characters
      if (size > most) throw new BadContent(`Unpacked it would be more than ${most} characters of JSON.`)
      yield row
    }
  }
}

function rowOf(record: readonly string[], names: readonly string[], isText: readonly boolean[]): Row {
  const row: Record<string, Json> = {}
  for (let at = 0; at < record.length; at++) {
    const text = record[at]!
    if (text !== '') setKey(row, names[at]!, isText[at] ? text : readNumber(text)!)
  }
  return row
}

/** What is known of the columns when all records were seen. */
class CsvShape {
  header: readonly string[] | undefined
  width = 0
  readonly isText: boolean[] = []

  see(record: readonly string[]): void {
    this.width = Math.max(this.width, record.length)
    if (!this.header) {
      this.header = record
      return
    }
    for (let at = 0; at < record.length; at++) {
      const text = record[at]!
      if (!this.isText[at] && text !== '' && !isCsvNumber(text)) this.isText[at] = true
    }
  }
}

/** By the piece: a promise for every record would cost more than the record. */
async function* recordsByPiece(file: string, separator: string): AsyncGenerator<Iterable<string[]>> {
  const reader = new CsvRecords(separator)
  for await (const piece of texts(file)) yield reader.push(piece)
  yield reader.end()
}

/** Tabs and semicolons are used as well: the one that the first line has most of, a comma if it has none. */
async function separatorOf(file: string): Promise<string> {
  const { head } = await ends(file)
  const [line = ''] = head.toString('utf8').split(/[\r\n]/)
  const names = line.replace(/"[^"]*"/g, '')
  const count = (separator: string) => names.split(separator).length
  return [',', '\t', ';'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** The text of a file in pieces; what is no UTF-8 is refused, and a byte order mark left out. */
async function* texts(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }))
      yield decoder.decode(chunk as Buffer, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new BadContent('It is neither UTF-8 text nor Parquet.')
    throw error
  }
}

import type { Row } from '../../language/json.ts'
import type { WholeResponse } from '../../network/whole-response.ts'
import { type ArchiveFile, type Budget, gunzip, unzip } from './archives.ts'
import type { HttpContext } from './context.ts'
import { archiveOf, type Format, formatOf } from './format.ts'
import { type Content, rowsOf, type Serializer, type Source } from './serializers/content.ts'
import { csv } from './serializers/csv.ts'
import { json, ndjson } from './serializers/json.ts'
import { parquet } from './serializers/parquet.ts'
import { binary, html, text } from './serializers/text.ts'
import { xml } from './serializers/xml.ts'

const serializers: Record<Format, Serializer> = { json, ndjson, xml, csv, parquet, html, text, binary }

/** What is looked at of an answer. */
type Body = Pick<WholeResponse, 'bytes' | 'url' | 'header'>

/** An archive in an archive in an archive: deeper ones stay packed. */
const DEEPEST = 3

/** Reads an answer to rows: by `format`, or by what it says of itself. */
export function readContent(
  response: Body,
  format: Format | 'auto',
  maxBytes: number,
  context: Pick<HttpContext, 'warn' | 'readParquet'>,
): Content | Promise<Content> {
  const answer = new Answer(response, maxBytes, context)
  if (isArchive(answer, format)) return new Archives(format, maxBytes).read(answer, 0)
  return readFile(answer, format)
}

const isArchive = (source: Source, format: Format | 'auto'): boolean =>
  format !== 'binary' && source.bytes.length > 0 && archiveOf(source) !== undefined

const readFile = (source: Source, format: Format | 'auto'): Content | Promise<Content> =>
  source.bytes.length === 0 ? rowsOf([]) : serializers[format === 'auto' ? formatOf(source) : format](source)

/** An answer as a file to read. */
class Answer implements Source {
  readonly #response: Body
  readonly maxBytes: number
  readonly context: Source['context']

  constructor(response: Body, maxBytes: number, context: Source['context']) {
    this.#response = response
    this.maxBytes = maxBytes
    this.context = context
  }

  get bytes(): Buffer {
    return this.#response.bytes
  }

  get type(): string {
    return this.#response.header('content-type') ?? ''
  }

  /** By its own word, or the end of its address. */
  get name(): string {
    const disposition = this.#response.header('content-disposition') ?? ''
    const given = /filename="([^"]*)"/i.exec(disposition)?.[1] ?? /filename=([^;\s]+)/i.exec(disposition)?.[1]
    return given ?? this.#response.url.pathname.split('/').at(-1) ?? ''
  }
}

/** Reads what is packed, and what is packed in it. */
class Archives {
  readonly #format: Format | 'auto'
  readonly #budget: Budget

  constructor(format: Format | 'auto', maxBytes: number) {
    this.#format = format
    this.#budget = { left: maxBytes, maxBytes }
  }

  read(source: Source, depth: number): Content | Promise<Content> {
    if (depth >= DEEPEST || !isArchive(source, this.#format)) return readFile(source, this.#format)
    return archiveOf(source) === 'zip'
      ? this.#unpacked(unzip(source.bytes, this.#budget), source, depth)
      : this.#gunzipped(source, depth)
  }

  async #gunzipped(source: Source, depth: number): Promise<Content> {
    return this.#unpacked([await gunzip(source.bytes, source.name, this.#budget)], source, depth)
  }

  /** Each file by its name; an archive inside says the whole way to its files. */
  async #unpacked(
    files: AsyncIterable<ArchiveFile> | Iterable<ArchiveFile>,
    source: Source,
    depth: number,
  ): Promise<Content> {
    const { maxBytes, context } = source
    const rows: Row[] = []
    for await (const { name, bytes } of files) {
      const content = await this.read({ bytes, name, type: '', maxBytes, context }, depth + 1)
      for (const row of content.rows) {
        rows.push({ ...row, _file: row._file === undefined ? name : `${name}/${row._file}` })
      }
    }
    return rowsOf(rows)
  }
}

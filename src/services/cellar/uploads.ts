import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Database } from '../../engine/tables/database.ts'
import { TableError } from '../../engine/tables/errors.ts'
import { ingest } from '../../engine/tables/ingest.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import { BadContent } from './bad-content.ts'
import { type Cellar, type CellarFileFacts, type CellarFormat, nameTaken } from './cellar.ts'
import { type Content, FileRows, recognize } from './content.ts'

/** A file as it came, on the disk, and what whoever sent it says that it is. */
export interface Received {
  readonly path: string
  readonly bytes: number
  readonly filename: string | undefined
  readonly mimetype: string | undefined
}

interface Loaded {
  readonly table: StageFile
  readonly format: CellarFormat
}

type Claims = Pick<Received, 'filename' | 'mimetype'>

/** How much larger than the largest upload a Parquet file may be when it is unpacked to text. */
const UNPACKED = 4
/** Larger files are read by a table engine of their own, with little memory: what it may have, it takes. */
const LARGE = 32 * 1024 * 1024
const MEMORY_MB = 400
/** What the table engine says when it is the file that is wrong; what it says names files of ours. */
const UNREADABLE: ReadonlySet<string> = new Set(['table_failed', 'table_internal'])

/** Files on their way into the cellar: on the disk first, then looked through, then stored whole or not at all. */
export class Uploads {
  readonly limit: number
  readonly #cellar: Cellar
  readonly #tables: Tables
  #loading: Promise<unknown> = Promise.resolve()

  constructor(cellar: Cellar, tables: Tables, limit: number) {
    this.#cellar = cellar
    this.#tables = tables
    this.limit = limit
  }

  /** Writes a stream to the disk; what was written goes when the stream breaks off. */
  async receive(content: Readable, claims: Claims): Promise<Received> {
    const path = `${this.#tables.database.scratch}/${randomUUID()}.upload`
    try {
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600 })
      await pipeline(content, target)
      return { path, bytes: target.bytesWritten, ...claims }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  async discard(received: Received): Promise<void> {
    await rm(received.path, { force: true })
  }

  /** A file under its name; whatever becomes of it, what was received is gone afterwards. */
  async store(
    name: string,
    received: Received,
    replace: boolean,
    signal: AbortSignal,
  ): Promise<CellarFileFacts> {
    try {
      if (!replace && (await this.#cellar.has(name))) throw nameTaken(name)
      const { table, format } = await this.#read(received, signal)
      try {
        return await this.#cellar.add(name, { format, table, bytes: received.bytes }, replace)
      } catch (error) {
        await rm(table.file, { force: true })
        throw error
      }
    } finally {
      await this.discard(received)
    }
  }

  async #read(received: Received, signal: AbortSignal): Promise<Loaded> {
    const content = await recognize(received.path).catch(error => {
      throw error instanceof BadContent
        ? new ForageError('wrong_media_type', notReadable(error.message))
        : error
    })
    requireHonest(received, content)
    try {
      return received.bytes > LARGE
        ? await this.#loadLarge(received.path, content, signal)
        : await this.#load(received.path, content, this.#tables.database, signal)
    } catch (error) {
      throw refusal(error)
    }
  }

  async #load(path: string, content: Content, database: Database, signal: AbortSignal): Promise<Loaded> {
    const reader = new FileRows(path, content)
    const rows = reader.rows(database, this.limit * UNPACKED, signal)
    const { maxColumns } = this.#tables
    const table = await ingest(database, rows, this.#tables.newFile(), { signal, maxColumns })
    return { table, format: reader.format }
  }

  /** One after the other, so that several do not add up. Rows that are too long for so little memory get all there is. */
  #loadLarge(path: string, content: Content, signal: AbortSignal): Promise<Loaded> {
    const { folder, database: all } = this.#tables
    const load = async () => {
      signal.throwIfAborted()
      const database = await Database.open({
        temporary: `${all.scratch}/uploads`,
        folders: [folder, all.scratch],
        memoryMb: MEMORY_MB,
      })
      try {
        return await this.#load(path, content, database, signal)
      } catch (error) {
        if (!(error instanceof TableError) || error.code !== 'table_memory') throw error
        return await this.#load(path, content, all, signal)
      } finally {
        await database.close()
      }
    }
    const loaded = this.#loading.then(load)
    this.#loading = loaded.catch(() => {})
    return loaded
  }
}

const notReadable = (reason: string): string =>
  `${reason} A cellar file is JSON, NDJSON, CSV (each in UTF-8) or Parquet.`

function refusal(error: unknown): unknown {
  if (error instanceof BadContent) return invalid(error.message)
  if (!(error instanceof TableError)) return error
  return invalid(UNREADABLE.has(error.code) ? 'It is not a Parquet file that can be read.' : error.message)
}

const invalid = (message: string): ForageError =>
  new ForageError('invalid_request', `The file was not stored. ${message}`, {
    errors: [{ path: '$.content', message, in: 'body' }],
  })

const BY_ENDING: Readonly<Record<string, Content>> = {
  json: 'json',
  ndjson: 'json',
  jsonl: 'json',
  csv: 'csv',
  tsv: 'csv',
  parquet: 'parquet',
}
const BY_TYPE: Readonly<Record<string, Content>> = {
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'application/ndjson': 'json',
  'text/csv': 'csv',
  'application/vnd.apache.parquet': 'parquet',
}

/** What is called one thing and is another was sent by mistake: nobody wants to find it stored. */
function requireHonest({ filename = '', mimetype = '' }: Claims, content: Content): void {
  const ending = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const claims = [
    { said: `named *.${ending}`, means: BY_ENDING[ending] },
    { said: `sent as ${mimetype.toLowerCase()}`, means: BY_TYPE[mimetype.toLowerCase()] },
  ]
  for (const { said, means } of claims) {
    if (means === undefined || means === content) continue
    const is = content === 'json' ? 'JSON' : content === 'csv' ? 'text that is not JSON' : 'Parquet'
    throw new ForageError('wrong_media_type', `The file is ${said}, but what is in it is ${is}.`)
  }
}

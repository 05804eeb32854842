import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database } from '../../engine/tables/database.ts'
import { TableError } from '../../engine/tables/errors.ts'
import type { Row } from '../../language/json.ts'
import { networkFailure } from '../../stores/shared/dial.ts'
import { StoreError, type StoreReader } from '../../stores/store.ts'
import { BadContent } from '../cellar/bad-content.ts'
import { FileRows, recognize } from '../cellar/content.ts'

/** Packed, few bytes can stand for more rows than the disk holds. */
const MOST_CHARACTERS = 64 * 1024 ** 3

/** The rows that a store gives back, a few at a time in memory. */
export async function* storedRows(
  reader: StoreReader,
  database: Database,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  if (reader.kind === 'rows') return yield* reader.rows
  for await (const content of reader.files) yield* fileRows(content, database, signal)
}

/** By way of the disk: what the file is shows at both of its ends, and CSV is read twice. */
async function* fileRows(content: Readable, database: Database, signal: AbortSignal): AsyncGenerator<Row> {
  const path = `${database.scratch}/${randomUUID()}.thawed`
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
    yield* new FileRows(path, await recognize(path)).rows(database, MOST_CHARACTERS, signal)
  } catch (error) {
    if (!(error instanceof BadContent) && !(error instanceof TableError)) throw networkFailure(error)
    const said = error instanceof BadContent ? error.message : 'It is not a Parquet file that can be read.'
    throw new StoreError('not_readable', `What the store has there cannot be read as rows. ${said}`)
  } finally {
    await rm(path, { force: true })
  }
}

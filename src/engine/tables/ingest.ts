import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Row } from '../../language/json.ts'
import type { Database, StatementOptions } from './database.ts'
import { Journal } from './journal.ts'
import { type StageFile, writeInOrder } from './stage-file.ts'

export interface IngestOptions extends StatementOptions {
  readonly maxColumns?: number | undefined
}

const ROWS_PER_BATCH = 1000

/** Writes rows to a table as they come, a batch at a time in memory, with types inferred over all of them. */
export async function ingest(
  database: Database,
  rows: Iterable<Row> | AsyncIterable<Row>,
  file: string,
  options: IngestOptions = {},
): Promise<StageFile> {
  const scratch = `${database.scratch}/${randomUUID()}.ndjson`
  const journal = await Journal.create(scratch, { durable: false, maxColumns: options.maxColumns })
  try {
    let input = 0
    for await (const batch of inBatches(rows)) {
      options.signal?.throwIfAborted()
      await journal.append({ input: input++, rows: batch })
    }
    return await writeInOrder(database, journal.summary, file, options)
  } finally {
    await journal.close()
    await rm(scratch, { force: true })
  }
}

async function* inBatches(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  if (Symbol.iterator in rows) {
    // Without a promise for every row.
    for (const row of rows) {
      if (batch.push(row) < ROWS_PER_BATCH) continue
      yield batch
      batch = []
    }
  } else {
    for await (const row of rows) {
      if (batch.push(row) < ROWS_PER_BATCH) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

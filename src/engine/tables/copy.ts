import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { literal, type Sql, sql } from '../../sql/sql.ts'
import type { Database, StatementOptions } from './database.ts'

/** Writes rows to a file that is whole or not there, whenever the machine stops; gives how many. */
export async function copyTo(
  database: Database,
  rows: Sql,
  file: string,
  format: Sql,
  options: StatementOptions,
): Promise<number> {
  // DuckDB writes in place, and one that is interrupted leaves its file.
  const part = `${file}.${randomUUID()}.part`
  try {
    const count = await database.run(
      sql`COPY (${rows}) TO ${literal(part)} (${format}, USE_TMP_FILE false)`,
      options,
    )
    await publish(part, file)
    return count
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Gives a finished file its name, for good. */
export async function publish(part: string, file: string): Promise<void> {
  await sync(part)
  await rename(part, file)
  await sync(dirname(file))
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

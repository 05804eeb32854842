import { parseJson, type Row } from '../../language/json.ts'
import { orderBy, type Relation } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { sql } from '../../sql/sql.ts'
import type { Database } from './database.ts'
import { fromFile, type StageFile } from './stage-file.ts'

/** The rows of a relation in their order, a batch at a time. */
export async function* rowsInOrder(
  database: Database,
  relation: Relation,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  const query = sql`SELECT ${rowText(relation.columns)} FROM (${relation.sql}) ORDER BY ${orderBy(relation)}`
  for await (const texts of database.texts(query, { signal })) yield texts.map(readRow)
}

/**
 * The rows of a file as text, each for `readRow`: for whoever takes so long over a batch that its rows had better be
 * short-lived. They come in the order of the file by themselves, and the first before the last is read.
 */
export function textsOf(
  database: Database,
  { file, columns }: StageFile,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const { sql: rows } = fromFile(file, columns)
  return database.texts(sql`SELECT ${rowText(columns)} FROM (${rows})`, { signal })
}

export const readRow = (text: string): Row => parseJson(text) as Row

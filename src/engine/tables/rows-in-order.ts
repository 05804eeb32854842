import { parseJson, type Row } from '../../language/json.ts'
import { orderBy, type Relation } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { sql } from '../../sql/sql.ts'
import type { Database } from './database.ts'

/** The rows of a relation in their order, a batch at a time. */
export async function* rowsInOrder(
  database: Database,
  relation: Relation,
  signal: AbortSignal,
): AsyncGenerator<Row[]> {
  for await (const texts of textsInOrder(database, relation, signal)) yield texts.map(readRow)
}

/** The same as text, each for `readRow`: for whoever takes so long over a batch that its rows had better be short-lived. */
export const textsInOrder = (
  database: Database,
  relation: Relation,
  signal: AbortSignal,
): AsyncGenerator<string[]> =>
  database.texts(
    sql`SELECT ${rowText(relation.columns)} FROM (${relation.sql}) ORDER BY ${orderBy(relation)}`,
    { signal },
  )

export const readRow = (text: string): Row => parseJson(text) as Row

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
  const rows = sql`SELECT ${rowText(relation.columns)} FROM (${relation.sql}) ORDER BY ${orderBy(relation)}`
  for await (const texts of database.texts(rows, { signal })) yield texts.map(text => parseJson(text) as Row)
}

import { parseJson, type Row } from '../../language/json.ts'
import { orderBy, type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { integer, name, sql } from '../../sql/sql.ts'
import type { Database } from './database.ts'
import { brokenOff } from './errors.ts'
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
 *
 * A result that fails half-way ends as one that is through, and DuckDB's client cannot tell which: so they are counted.
 * To read on either works, since the memory that it lacked was somebody else's, or says at its start what is wrong.
 */
export async function* textsOf(
  database: Database,
  { file, columns, rows }: StageFile,
  signal: AbortSignal,
): AsyncGenerator<string[]> {
  const { sql: table } = fromFile(file, columns)
  for (let read = 0, from = -1; read < rows; ) {
    if (read === from) throw brokenOff(read, rows)
    from = read
    const rest = sql`SELECT ${rowText(columns)} FROM (${table}) WHERE ${name(ROW_NUMBER)} >= ${integer(from)}`
    for await (const texts of database.texts(rest, { signal })) {
      read += texts.length
      yield texts
    }
  }
}

export const readRow = (text: string): Row => parseJson(text) as Row

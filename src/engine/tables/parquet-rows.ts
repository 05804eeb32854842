import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { parseJson, type Row } from '../../language/json.ts'
import { join, literal, name, type Sql, sql } from '../../sql/sql.ts'
import type { Database, StatementOptions } from './database.ts'
import { brokenOff } from './errors.ts'

/**
 * The rows of a Parquet file that somebody else wrote. The table engine reads it, in bounded memory: a few packed
 * bytes can stand for very many rows, which is why it gives them one after another.
 */
export async function* parquetRows(
  database: Database,
  bytes: Uint8Array,
  options: StatementOptions = {},
): AsyncGenerator<Row> {
  const file = `${database.scratch}/${randomUUID()}.parquet`
  try {
    await writeFile(file, bytes)
    for await (const { row } of parquetFileRows(database, file, options)) yield row
  } finally {
    await rm(file, { force: true })
  }
}

/** The same of a file where the table engine may read; each row with the characters it takes as JSON. */
export async function* parquetFileRows(
  database: Database,
  file: string,
  options: StatementOptions = {},
): AsyncGenerator<{ readonly row: Row; readonly characters: number }> {
  const table = sql`read_parquet(${literal(file)})`
  const columns = await database.rows(sql`DESCRIBE SELECT * FROM ${table}`, options)
  const [counted] = await database.rows(sql`SELECT count(*) AS n FROM ${table}`, options)
  const rows = Number(counted?.n ?? 0)
  let read = 0
  for await (const texts of database.texts(rowTexts(table, columns), options)) {
    read += texts.length
    for (const text of texts) yield { row: readRow(text), characters: text.length }
  }
  // Half-way through a damaged file the reading just ends.
  if (read < rows) throw brokenOff(read, rows)
}

function rowTexts(table: Sql, columns: readonly Row[]): Sql {
  const binary = columns
    .filter(column => column.column_type === 'BLOB')
    .map(column => name(String(column.column_name)))
    .map(column => sql`to_base64(${column}) AS ${column}`)
  const all = binary.length === 0 ? sql`*` : sql`* REPLACE (${join(binary, ', ')})`
  return sql`SELECT to_json("the row")::VARCHAR FROM (SELECT ${all} FROM ${table}) AS "the row"`
}

const NO_NUMBER = /"(?:[^"\\]|\\.)*"|-?(?:nan|inf(?:inity)?)\b/gi

/** JSON has no word for what is no number or infinite: it is missing. */
function readRow(text: string): Row {
  try {
    return parseJson(text) as Row
  } catch {
    return parseJson(text.replace(NO_NUMBER, found => (found.startsWith('"') ? found : 'null'))) as Row
  }
}

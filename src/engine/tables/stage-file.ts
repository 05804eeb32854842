import { stat } from 'node:fs/promises'
import { type Column, orderBy, type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { integer, join, literal, name, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import { copyTo } from './copy.ts'
import type { Database, StatementOptions } from './database.ts'
import { TableError } from './errors.ts'
import type { JournalSummary } from './journal.ts'
import { COMMON_LINE_BYTES } from './lines.ts'
import { columnsOf } from './tracker.ts'

/** A table in a Parquet file: its rows in order, a column for each id. */
export interface StageFile {
  readonly file: string
  readonly columns: readonly Column[]
  readonly rows: number
  readonly bytes: number
}

/** A page in the middle of a million rows: 10-15 ms with groups of this size, 26-29 with the default, 38-51 with 2,048. */
export const ROW_GROUP = 20_480
const METADATA_KEY = 'forage.columns'

/** The rows of a journal, in the order of the rows that they were made from. */
export const writeJournal = (
  database: Database,
  journal: JournalSummary,
  file: string,
  options: StatementOptions = {},
): Promise<StageFile> => writeJournals(database, [journal], columnsOf(journal.state), file, options)

/** The rows of a journal as they stand in it: one that a single writer filled in order need not be sorted. */
export function writeInOrder(
  database: Database,
  journal: JournalSummary,
  file: string,
  options: StatementOptions = {},
): Promise<StageFile> {
  const columns = columnsOf(journal.state)
  const ids = columns.map(column => name(column.id))
  const rows = sql`SELECT ${selectList(ids)} FROM (${readJournal(journal, columns)})`
  return write(database, rows, columns, file, options)
}

/** Several journals of one stage, written side by side, under one list of columns. */
export function writeJournals(
  database: Database,
  journals: readonly JournalSummary[],
  columns: readonly Column[],
  file: string,
  options: StatementOptions = {},
): Promise<StageFile> {
  const parts = journals.length > 0 ? journals.map(journal => readJournal(journal, columns)) : [NO_ROWS]
  const ids = columns.map(column => name(column.id))
  const rows = sql`SELECT ${selectList(ids)} FROM (${join(parts, ' UNION ALL ')}) ORDER BY _k1, _k2`
  return write(database, rows, columns, file, options)
}

/** Computes a relation once and for all; its hidden columns are not kept. */
export function materialize(
  database: Database,
  relation: Relation,
  file: string,
  options: StatementOptions = {},
): Promise<StageFile> {
  const ids = relation.columns.map(column => name(column.id))
  const rows = sql`SELECT ${selectList(ids)} FROM (${relation.sql}) ORDER BY ${orderBy(relation)}`
  return write(database, rows, relation.columns, file, options)
}

/** A file as a relation, in the order of its rows. */
export function fromFile(file: string, columns: readonly Column[]): Relation {
  const list = [...columns.map(column => name(column.id)), sql`file_row_number AS ${name(ROW_NUMBER)}`]
  return {
    sql: sql`SELECT ${join(list, ', ')} FROM read_parquet(${literal(file)})`,
    columns,
    order: [{ id: ROW_NUMBER }],
  }
}

/** What a stage file says of itself. */
export async function describeFile(
  database: Database,
  file: string,
  options: StatementOptions = {},
): Promise<StageFile> {
  const [metadata] = await database.rows(
    sql`SELECT decode(value) AS columns FROM parquet_kv_metadata(${literal(file)}) WHERE decode(key) = ${literal(METADATA_KEY)}`,
    options,
  )
  const [counted] = await database.rows(
    sql`SELECT num_rows AS rows FROM parquet_file_metadata(${literal(file)})`,
    options,
  )
  if (!metadata) throw new TableError('not_a_stage_file', 'The file does not say which columns it has.')
  const columns = JSON.parse(String(metadata.columns)) as Column[]
  return { file, columns, rows: Number(counted?.rows ?? 0), bytes: (await stat(file)).size }
}

/** How a stage file is written: it says itself which columns it has. */
export const parquetFormat = (columns: readonly Column[]): Sql =>
  sql`FORMAT parquet, ROW_GROUP_SIZE ${integer(ROW_GROUP)}, COMPRESSION zstd, COMPRESSION_LEVEL 1, KV_METADATA {${name(METADATA_KEY)}: ${literal(JSON.stringify(columns))}}`

/** Parquet has no table without columns, and a stage may have rows without any. */
const selectList = (ids: readonly Sql[]): Sql => (ids.length > 0 ? join(ids, ', ') : sql`true AS "_"`)

const TYPE_NAMES: Record<SqlType, Sql> = {
  BIGINT: sql`BIGINT`,
  DOUBLE: sql`DOUBLE`,
  VARCHAR: sql`VARCHAR`,
  BOOLEAN: sql`BOOLEAN`,
  JSON: sql`JSON`,
}

const NO_ROWS = sql`SELECT 0 AS _k1, 0 AS _k2 LIMIT 0`

/** Types are told, never guessed: DuckDB would see dates, times and UUIDs in what is text to us. */
function readJournal(journal: JournalSummary, columns: readonly Column[]): Sql {
  const numbers = new Map(journal.state.names.map((columnName, index) => [columnName, index]))
  const spec = [sql`_i: 'BIGINT'`, sql`_k: 'BIGINT'`]
  const list = [sql`_i AS _k1`, sql`_k AS _k2`]
  for (const column of columns) {
    const number = numbers.get(column.name)
    const key = number === undefined ? undefined : name(`c${number}`)
    if (key) spec.push(sql`${key}: ${literal(column.type)}`)
    list.push(sql`${key ?? sql`CAST(NULL AS ${TYPE_NAMES[column.type]})`} AS ${name(column.id)}`)
  }
  const size =
    journal.longestLine > COMMON_LINE_BYTES
      ? sql`, maximum_object_size = ${integer(journal.longestLine + 1)}`
      : sql``
  return sql`SELECT ${join(list, ', ')} FROM read_json(${literal(journal.file)}, format = 'newline_delimited', columns = {${join(spec, ', ')}}${size}) WHERE _k IS NOT NULL`
}

async function write(
  database: Database,
  rows: Sql,
  columns: readonly Column[],
  file: string,
  options: StatementOptions,
): Promise<StageFile> {
  const count = await copyTo(database, rows, file, parquetFormat(columns), options)
  return { file, columns, rows: count, bytes: (await stat(file)).size }
}

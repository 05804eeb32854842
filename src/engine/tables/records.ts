import { integer, literal, type Sql, sql } from '../../sql/sql.ts'
import { copyTo } from './copy.ts'
import type { Database, StatementOptions } from './database.ts'

export interface RecordSelection {
  readonly offset: number
  readonly limit: number
  /** Only those that ended so. */
  readonly status?: string | undefined
}

const FORMAT = sql`FORMAT parquet, ROW_GROUP_SIZE 20480, COMPRESSION zstd, COMPRESSION_LEVEL 1`

export interface RecordPage {
  /** A JSON array of records, as text. */
  readonly json: string
  readonly total: number
}

/**
 * The records of a journal's jobs, as a file that stays when the journal itself has become a table. In the order in which
 * the jobs ended: whoever reads a page sorts, and to sort them all here would hold them all in memory.
 */
export async function writeRecords(
  database: Database,
  journal: string,
  file: string,
  options: StatementOptions = {},
): Promise<string> {
  const target = `${file}.parquet`
  await copyTo(database, fromJournal(journal), target, FORMAT, options)
  return target
}

/** A page of records in the order of the input rows, from a journal or from the file kept of it. */
export async function readRecords(
  database: Database,
  file: string,
  page: RecordSelection,
  options: StatementOptions = {},
): Promise<RecordPage> {
  const source = file.endsWith('.parquet')
    ? sql`SELECT * FROM read_parquet(${literal(file)})`
    : fromJournal(file)
  const chosen =
    page.status === undefined
      ? sql`true`
      : sql`json_extract_string(record, '$.status') = ${literal(page.status)}`
  const [first] = await database.rows(
    sql`WITH records AS MATERIALIZED (SELECT * FROM (${source}) WHERE ${chosen}), page AS (SELECT * FROM records ORDER BY "row" LIMIT ${integer(page.limit)} OFFSET ${integer(page.offset)})
      SELECT (SELECT count(*) FROM records) AS total, (SELECT string_agg(left(record, -1) || ',"row":' || "row" || ',"rows":' || rows || '}', ',' ORDER BY "row") FROM page) AS json`,
    options,
  )
  return { json: `[${first?.json ?? ''}]`, total: Number(first?.total ?? 0) }
}

/** While the journal grows its last line may be half there: it is no record, and is passed over. */
const fromJournal = (file: string): Sql =>
  sql`SELECT _i AS "row", _n AS rows, _j AS record FROM read_json(${literal(file)}, format = 'newline_delimited', ignore_errors = true, columns = {_i: 'BIGINT', _n: 'BIGINT', _j: 'VARCHAR'}) WHERE _j IS NOT NULL`

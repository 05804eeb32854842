import { sortKeys } from '../../commands/shared/sorting.ts'
import type { Row } from '../../language/json.ts'
import type { Path } from '../../language/values.ts'
import { type FlatColumn, flatColumns, flatText } from '../../sql/flat.ts'
import { sortedBy } from '../../sql/order.ts'
import { type Column, orderBy, type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { integer, join, name, type Sql, type SqlType, sql } from '../../sql/sql.ts'
import type { Database, StatementOptions } from './database.ts'
import { TableError } from './errors.ts'
import { fromFile, type StageFile } from './stage-file.ts'

export interface PageOptions extends StatementOptions {
  readonly offset: number
  readonly limit: number
  /** Dotted columns in place of nesting. */
  readonly flat?: boolean
  readonly sort?: { readonly path: Path; readonly descending: boolean }
  /** Each row as `{"content": row}`, as the API answers. */
  readonly wrapped?: boolean
}

export interface Page {
  /** The rows as a JSON array: text from DuckDB, passed on as it is, so no digit of a long integer is lost. */
  readonly json: string
  readonly columns: readonly ResultColumn[]
  readonly total: number
  readonly offset: number
  readonly limit: number
}

export interface ResultColumn {
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean' | 'json'
}

const MAX_FLAT_COLUMNS = 5000

const TYPES: Readonly<Record<SqlType, ResultColumn['type']>> = {
  BIGINT: 'number',
  DOUBLE: 'number',
  VARCHAR: 'string',
  BOOLEAN: 'boolean',
  JSON: 'json',
}

/** A page of a table as the text that an answer is made of. */
export async function readPage(
  database: Database,
  source: StageFile | Relation,
  options: PageOptions,
): Promise<Page> {
  const { offset, limit, signal } = options
  const relation = relationOf(source)
  const flat = options.flat ? await flatten(database, source, { signal }) : undefined
  const row = flat ? flatText(flat) : rowText(relation.columns)
  const text = options.wrapped ? sql`'{"content":' || ${row} || '}'` : row
  const isFile = 'file' in source
  const query = options.sort
    ? await sortedPage(database, relation, text, isFile, options.sort, options)
    : pageOf(relation, text, isFile, options)
  const [rows, total] = await Promise.all([
    database.column(query, { signal }),
    isFile ? source.rows : countRows(database, relation, { signal }),
  ])
  return { json: `[${rows.join(',')}]`, columns: describe(relation, flat), total, offset, limit }
}

/** What was found of files lately. A file never changes, and to look at a million rows takes as long as to write them. */
const known = new WeakMap<Database, Map<string, FlatColumn[]>>()
const KNOWN_FILES = 200

/** The columns of the flat view of a table. */
export async function flatten(
  database: Database,
  source: StageFile | Relation,
  options: StatementOptions = {},
): Promise<FlatColumn[]> {
  const files = known.get(database) ?? new Map<string, FlatColumn[]>()
  const remembered = 'file' in source ? files.get(source.file) : undefined
  if (remembered) return remembered
  const found = await flatColumns(relationOf(source), probeOf(database, options), MAX_FLAT_COLUMNS)
  if (!found)
    throw new TableError(
      'too_many_columns',
      `The flat view of this table would have more than ${MAX_FLAT_COLUMNS} columns.`,
      'Read it nested (mode=nested, json or ndjson), or keep only the columns that matter with `table`.',
    )
  if ('file' in source) {
    known.set(database, files.set(source.file, found))
    if (files.size > KNOWN_FILES) files.delete(files.keys().next().value!)
  }
  return found
}

const describe = (relation: Relation, flat?: readonly FlatColumn[]): ResultColumn[] =>
  flat ? flat.map(column => ({ name: column.name, type: column.type })) : shownColumns(relation.columns)

/** Columns as the API tells of them. */
export const shownColumns = (columns: readonly Column[]): ResultColumn[] =>
  columns.map(column => ({ name: column.name, type: TYPES[column.type] }))

export const relationOf = (source: StageFile | Relation): Relation =>
  'file' in source ? fromFile(source.file, source.columns) : source

async function countRows(
  database: Database,
  relation: Relation,
  options: StatementOptions = {},
): Promise<number> {
  const [row] = await database.rows(sql`SELECT count(*) AS n FROM (${relation.sql})`, options)
  return Number(row?.n ?? 0)
}

/** The relation sorted as the command `sort` sorts it. */
export async function sorted(
  database: Database,
  relation: Relation,
  sort: NonNullable<PageOptions['sort']>,
  options: StatementOptions = {},
): Promise<Relation> {
  const [key] = await sortKeys(relation, [sort.path], false, probeOf(database, options))
  return sortedBy(relation, [{ sql: key!, descending: sort.descending }])
}

/** The text is made of the page's rows alone, so they are chosen before. */
function pageOf(relation: Relation, text: Sql, isFile: boolean, { offset, limit }: PageOptions): Sql {
  // A file's rows are numbered without a gap: DuckDB skips the row groups outside the page, and gives the rest in order.
  if (isFile)
    return sql`SELECT ${text} FROM (${relation.sql}) WHERE ${name(ROW_NUMBER)} BETWEEN ${integer(offset)} AND ${integer(offset + limit - 1)}`
  const order = orderBy(relation)
  return sql`SELECT ${text} FROM (SELECT * FROM (${relation.sql}) ORDER BY ${order} LIMIT ${integer(limit)} OFFSET ${integer(offset)}) ORDER BY ${order}`
}

/** Of a file in two steps: sort the numbers of the rows alone, then fetch the few that are shown. Half the time, measured. */
async function sortedPage(
  database: Database,
  relation: Relation,
  text: Sql,
  isFile: boolean,
  sort: NonNullable<PageOptions['sort']>,
  options: PageOptions,
): Promise<Sql> {
  const ordered = await sorted(database, relation, sort, options)
  if (!isFile) return pageOf(ordered, text, false, options)
  const found = await database.rows(
    sql`SELECT ${name(ROW_NUMBER)} AS n FROM (${ordered.sql}) ORDER BY ${orderBy(ordered)} LIMIT ${integer(options.limit)} OFFSET ${integer(options.offset)}`,
    options,
  )
  if (found.length === 0) return sql`SELECT '' LIMIT 0`
  const numbers = join(
    found.map(row => integer(Number(row.n))),
    ', ',
  )
  return sql`SELECT ${text} FROM (${relation.sql}) WHERE ${name(ROW_NUMBER)} IN (${numbers}) ORDER BY list_position([${numbers}]::BIGINT[], ${name(ROW_NUMBER)})`
}

const probeOf =
  (database: Database, options: StatementOptions) =>
  (query: Sql): Promise<Row[]> =>
    database.rows(query, options)

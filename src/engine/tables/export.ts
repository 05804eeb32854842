import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type FlatColumn, readFlat } from '../../sql/flat.ts'
import { pointerTo } from '../../sql/path.ts'
import { orderBy, type Relation } from '../../sql/relation.ts'
import { rowsOf } from '../../sql/rows.ts'
import { integer, join, literal, name, once, type Sql, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { isPlainNumberSql } from '../../sql/value.ts'
import type { Database, StatementOptions } from './database.ts'
import { flatten, type PageOptions, relationOf, sorted } from './results.ts'
import type { StageFile } from './stage-file.ts'

export type ExportFormat = 'json' | 'ndjson' | 'csv' | 'parquet'

export interface ExportOptions extends StatementOptions {
  readonly sort?: PageOptions['sort']
  /** CSV: text that a spreadsheet would take for a formula gets an apostrophe in front. */
  readonly safe?: boolean
}

export interface Export {
  /** The temporary file behind it goes when the stream ends or is destroyed: one of the two has to happen. */
  readonly stream: Readable
  readonly bytes: number
}

/** A table on its way out: the rows to write, how, and what stands before them. */
interface Layout {
  readonly rows: Sql
  readonly format: Sql
  readonly header: string
}

/**
 * The whole of a table in a format, by way of a temporary file: written to the reader directly, one that stalls would
 * hold a thread, memory and a statement that nothing can interrupt.
 */
export async function exportTable(
  database: Database,
  source: StageFile | Relation,
  format: ExportFormat,
  options: ExportOptions = {},
): Promise<Export> {
  if (format === 'parquet' && 'file' in source && !options.sort && hasOwnNames(source))
    return { stream: reading(source.file), bytes: source.bytes }
  const relation = relationOf(source)
  const ordered = options.sort ? await sorted(database, relation, options.sort, options) : relation
  const layout = await layoutOf(database, source, ordered, format, options)
  const file = `${database.scratch}/${randomUUID()}.${format}`
  try {
    const { rows, format: how, header } = layout
    // DuckDB reads a file in its order; only a relation has to be put into one.
    const inOrder = 'file' in source && !options.sort ? rows : sql`${rows} ORDER BY ${orderBy(ordered)}`
    await database.run(sql`COPY (${inOrder}) TO ${literal(file)} (${how}, USE_TMP_FILE false)`, options)
    const bytes = (await stat(file)).size + Buffer.byteLength(header)
    return { stream: temporaryStream(file, header), bytes }
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

async function layoutOf(
  database: Database,
  source: StageFile | Relation,
  relation: Relation,
  format: ExportFormat,
  options: ExportOptions,
): Promise<Layout> {
  if (format === 'parquet') return parquetLayout(relation)
  if (format === 'csv')
    return csvLayout(relation, await flatten(database, source, options), options.safe ?? false)
  const rows = sql`SELECT "row" FROM (${rowsOf(relation)})`
  // The CSV writer passes on a single column as it is, which is quicker than to have each row parsed and written again.
  const plain = sql`FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER ''`
  return format === 'ndjson'
    ? { rows, header: '', format: plain }
    : { rows, header: '', format: sql`${plain}, PREFIX '[', SUFFIX E']\\n', NEW_LINE E',\\n'` }
}

/** Columns under their own names, as far as Parquet's readers can tell them apart. */
function parquetLayout(relation: Relation): Layout {
  const taken = new Set<string>()
  const list = relation.columns.map(column => {
    const isFree = column.name !== '' && !column.name.includes('\0') && !taken.has(column.name.toLowerCase())
    const shown = isFree ? column.name : column.id
    taken.add(shown.toLowerCase())
    return sql`${name(column.id)} AS ${name(shown)}`
  })
  const columns = list.length > 0 ? join(list, ', ') : sql`true AS "_"`
  return {
    rows: sql`SELECT ${columns} FROM (${relation.sql})`,
    header: '',
    format: sql`FORMAT parquet, COMPRESSION zstd`,
  }
}

/** The header is ours: DuckDB would rename columns that differ by case alone. */
function csvLayout(relation: Relation, flat: readonly FlatColumn[], safe: boolean): Layout {
  const { texts, lists } = readTogether(flat)
  const cells = flat.map((column, index) => sql`${cell(column, texts[index]!, safe)} AS ${name(`~${index}`)}`)
  const hidden = relation.order.map(term => name(term.id))
  const shown = flat.map((_, index) => name(`~${index}`))
  const header = flat.map(column => csvText(safe ? harmless(column.name) : column.name)).join(',')
  const source = lists.length > 0 ? sql`SELECT *, ${join(lists, ', ')} FROM (${relation.sql})` : relation.sql
  return {
    rows:
      flat.length > 0
        ? sql`SELECT ${join(shown, ', ')} FROM (SELECT ${join([...cells, ...hidden], ', ')} FROM (${source}))`
        : sql`SELECT NULL FROM (${relation.sql})`,
    header: `${header}\n`,
    format: sql`FORMAT csv, HEADER false`,
  }
}

/** The texts of the columns, and lists that some of them are items of: a JSON column is parsed once for all of its places. */
function readTogether(flat: readonly FlatColumn[]): { readonly texts: Sql[]; readonly lists: Sql[] } {
  const isInside = ({ mixed, place }: FlatColumn) =>
    !mixed && place.column.type === 'JSON' && place.below.length > 0
  const groups = [...Map.groupBy(flat.filter(isInside), ({ place }) => place.column)]
  // No column of a table has such an id.
  const listOf = (group: number) => name(`~${group}`)
  const items = new Map(
    groups.flatMap(([, columns], group) =>
      columns.map((column, index) => [column, sql`${listOf(group)}[${integer(index + 1)}]`]),
    ),
  )
  return {
    texts: flat.map(column => items.get(column) ?? textOf(readFlat(column))),
    lists: groups.map(([column, columns], group) => {
      const pointers = columns.map(({ place }) => pointerTo(place.below))
      return sql`${name(column.id)} ->> [${join(pointers, ', ')}] AS ${listOf(group)}`
    }),
  }
}

/** What makes a spreadsheet compute, in their wide forms too. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

const harmless = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

function cell(column: FlatColumn, text: Sql, safe: boolean): Sql {
  if (!safe || column.type === 'number' || column.type === 'boolean') return text
  const isFormula = (t: Sql): Sql =>
    sql`regexp_matches(${t}, ${literal(FORMULA.source)}) AND NOT ${isPlainNumberSql(t)}`
  return once(text, t => sql`CASE WHEN ${isFormula(t)} THEN '''' || ${t} ELSE ${t} END`)
}

const csvText = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const hasOwnNames = (table: StageFile): boolean =>
  table.columns.length > 0 && table.columns.every(column => column.name === column.id)

function temporaryStream(file: string, header: string): Readable {
  const stream = header ? Readable.from(withHeader(file, header), { objectMode: false }) : reading(file)
  // A failure to remove is no failure of the reader's: the folder goes with the process.
  stream.once('close', () => rm(file, { force: true }).catch(() => undefined))
  return stream
}

async function* withHeader(file: string, header: string): AsyncGenerator<Buffer> {
  yield Buffer.from(header)
  yield* reading(file)
}

/** In pieces of this many bytes a file is read in half the time that the usual ones take. */
const PIECE = 1_048_576

const reading = (file: string): Readable => createReadStream(file, { highWaterMark: PIECE })

import { brokenOff } from '../../engine/tables/errors.ts'
import { ROW_GROUP, type StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { type Column, ROW_NUMBER } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { integer, join, literal, name, type Sql, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { typed } from '../../sql/value.ts'
import { OutgoingRow } from '../../stores/shared/batch.ts'
import type { RowWriter } from '../../stores/store.ts'
import { readAhead } from './read-ahead.ts'

/** Rows whose texts are measured together. */
const BLOCK = 2048
/** The most that is read at once, and the most that the table engine hands over as one text. */
const PAGE = { rows: 2 * ROW_GROUP, bytes: 8 * 1024 * 1024 }
const GROUP = { rows: 1000, bytes: 1024 * 1024 }
/** A number as text, roughly, and what stands between a name and its value and between two of them. */
const NUMBER_BYTES = 12
const SIGNS_BYTES = 4

/** Neither stands in JSON unescaped, not even between its values, as a line feed may. */
const ROW_END = '\x1e'
const ID_END = '\x1f'

/** The column by which `diff` tells rows apart that it may give again tomorrow. */
const DIFF = '_diff'

interface Page {
  readonly from: number
  readonly to: number
  /** Rows in one text. */
  readonly group: number
}

export interface OutgoingOptions {
  /** The number of the first one, from 0. */
  readonly from: number
  readonly form: RowWriter['form']
  readonly deliveryId: string
  readonly signal: AbortSignal
}

/**
 * The rows of a file from one on, page by page, one page ahead: between pages nothing of the table engine is held, however
 * slow the store is. Rows that `diff` gave have the ids that they got there, where no two have the same; any other has that
 * of the delivery and its number.
 */
export async function* outgoing(
  tables: Tables,
  table: StageFile,
  { from, form, deliveryId, signal }: OutgoingOptions,
): AsyncGenerator<readonly OutgoingRow[]> {
  let number = from
  const row = (found: string): OutgoingRow => outgoingRow(found, number++, deliveryId)
  for await (const texts of readAhead(pageTexts(tables, table, { from, form, signal })))
    for (const text of texts) yield takenFrom(text).split(ROW_END).map(row)
}

async function* pageTexts(
  tables: Tables,
  table: StageFile,
  { from, form, signal }: Omit<OutgoingOptions, 'deliveryId'>,
): AsyncGenerator<readonly Uint8Array[]> {
  if (from >= table.rows) return
  const sizes = await blockSizes(tables, table, signal)
  const text = await outgoingText(tables, table, form, signal)
  for (const page of pagesOf(sizes, from, table.rows)) {
    const texts = await Array.fromAsync(tables.database.bytes(pageOf(tables, table, text, page), { signal }))
    // Rows that are missing here would be taken for delivered, and those after them get other numbers.
    if (texts.length < Math.ceil((page.to - page.from) / page.group)) throw brokenOff(page.from, table.rows)
    yield texts
  }
}

const decoder = new TextDecoder()

/** The text of bytes, whose memory is given back at once: left to the collector, some pages more would lie about. */
function takenFrom(bytes: Uint8Array): string {
  const text = decoder.decode(bytes)
  ;(bytes.buffer as ArrayBuffer).transfer(0)
  return text
}

/** How many bytes each block has as text: compressed, a page of the longest rows may look like one of the shortest. */
async function blockSizes(tables: Tables, table: StageFile, signal: AbortSignal): Promise<number[]> {
  const [texts, numbers] = [table.columns.filter(isText), table.columns.filter(column => !isText(column))]
  const names = table.columns.reduce((sum, column) => sum + column.name.length + SIGNS_BYTES, 0)
  const fixed = integer(names + numbers.length * NUMBER_BYTES)
  const lengths = texts.map(({ id }) => sql`coalesce(strlen(${name(id)}), 0)`)
  const block = sql`${name(ROW_NUMBER)} // ${integer(BLOCK)}`
  const found = await tables.rows(
    sql`SELECT sum(${join([fixed, ...lengths], ' + ')})::DOUBLE AS size FROM (${tables.relation(table).sql}) GROUP BY ${block} ORDER BY ${block}`,
    signal,
  )
  return found.map(({ size }) => Number(size))
}

const isText = ({ type }: Pick<Column, 'type'>): boolean => type === 'VARCHAR' || type === 'JSON'

/** As many blocks as fit, at least one; where they can, pages end with a row group, which else two of them would unpack. */
function* pagesOf(sizes: readonly number[], from: number, rows: number): Generator<Page> {
  const sizeAt = (row: number) => sizes[Math.floor(row / BLOCK)] ?? 0
  const endOfBlock = (row: number) => Math.min(rows, (Math.floor(row / BLOCK) + 1) * BLOCK)
  for (let start = from; start < rows; ) {
    let end = endOfBlock(start)
    let bytes = sizeAt(start)
    let largest = bytes
    while (end < rows && end - start <= PAGE.rows - BLOCK && bytes + sizeAt(end) <= PAGE.bytes) {
      bytes += sizeAt(end)
      largest = Math.max(largest, sizeAt(end))
      end = endOfBlock(end)
    }
    const groupEnd = end - (end % ROW_GROUP)
    if (end < rows && groupEnd > start) end = groupEnd
    const group = Math.floor((GROUP.bytes * BLOCK) / Math.max(1, largest))
    yield { from: start, to: end, group: Math.max(1, Math.min(GROUP.rows, group)) }
    start = end
  }
}

/** Some hundred rows in one text: to be given each by itself took three times as long as all the rest. */
function pageOf(tables: Tables, table: StageFile, text: Sql, { from, to, group }: Page): Sql {
  const relation = tables.relation(table)
  const number = name(ROW_NUMBER)
  const rows = sql`SELECT ${text} AS t, ${number} AS n FROM (${relation.sql}) WHERE ${number} BETWEEN ${integer(from)} AND ${integer(to - 1)}`
  const place = sql`(n - ${integer(from)}) // ${integer(group)}`
  return sql`SELECT encode(string_agg(t, ${literal(ROW_END)} ORDER BY n)) FROM (${rows}) GROUP BY ${place} ORDER BY ${place}`
}

/** A row as text, after its own id where rows have such. */
async function outgoingText(
  tables: Tables,
  table: StageFile,
  form: RowWriter['form'],
  signal: AbortSignal,
): Promise<Sql> {
  const { columns, sql: rows } = tables.relation(table)
  const row = form === 'values' ? valuesText(columns) : rowText(columns)
  const id = diffId(table)
  if (id === undefined) return row
  // `normalize` and its like make several rows of one change: under one id a store would take the first for all.
  const [ids] = await tables.rows(
    sql`SELECT count(id) = count(DISTINCT id) AS differ FROM (SELECT ${id} AS id FROM (${rows}))`,
    signal,
  )
  return ids?.differ === true ? sql`coalesce(${id}, '') || ${literal(ID_END)} || ${row}` : row
}

/** The row as the text of a JSON array; what is nested stands there as text, and so do integers that a double cannot hold. */
function valuesText(columns: readonly Column[]): Sql {
  if (columns.length === 0) return sql`'[]'`
  return sql`concat('[', concat_ws(',', ${join(columns.map(valueText), ', ')}), ']')`
}

function valueText({ id, type }: Column): Sql {
  const value = name(id)
  const text = type === 'JSON' ? sql`nullif(${value}::VARCHAR, 'null')` : textOf(typed(value, type))
  if (type === 'BIGINT')
    return sql`CASE WHEN ${value} BETWEEN ${integer(Number.MIN_SAFE_INTEGER)} AND ${integer(Number.MAX_SAFE_INTEGER)} THEN ${text} ELSE coalesce('"' || ${text} || '"', 'null') END`
  return sql`coalesce(${isText({ type }) ? sql`to_json(${text})::VARCHAR` : text}, 'null')`
}

/** NULL for whatever `diff` did not write: what came from elsewhere may hold anything, also what ends a row here. */
function diffId(table: StageFile): Sql | undefined {
  const column = table.columns.find(candidate => candidate.name === DIFF && candidate.type === 'JSON')
  if (!column) return undefined
  const id = sql`json_extract_string(${name(column.id)}, '$.id')`
  return sql`CASE WHEN regexp_full_match(${id}, '[0-9a-f]{64}') THEN ${id} END`
}

function outgoingRow(found: string, number: number, deliveryId: string): OutgoingRow {
  const end = found.indexOf(ID_END)
  if (end < 0) return new OutgoingRow(found, number, deliveryId)
  return new OutgoingRow(found.slice(end + 1), number, deliveryId, found.slice(0, end) || undefined)
}

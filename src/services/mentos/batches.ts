import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ROW_NUMBER } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { integer, name, type Sql, sql } from '../../sql/sql.ts'
import { Batch, type OutgoingRow } from '../../stores/shared/batch.ts'
import type { DeliveryClock } from './clock.ts'

export interface BatchLimits {
  readonly rows: number
  readonly bytes: number
  /** Rows that have waited so long leave, however few they are. */
  readonly ms: number
}

/** Rows read at once: as many as a row group of the file has. */
const PAGE = 20_480

/** The column by which `diff` tells rows apart that it may give again tomorrow. */
const DIFF = '_diff'

/**
 * The rows of a file from one on, page by page: between pages nothing of the table engine is held, however slow the store
 * is. A row that `diff` gave has the id that it got there; any other has that of the delivery and its number.
 */
export async function* outgoing(
  tables: Tables,
  table: StageFile,
  from: number,
  deliveryId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly OutgoingRow[]> {
  const relation = tables.relation(table)
  const row = rowText(relation.columns)
  const number = name(ROW_NUMBER)
  const ownId = diffId(table)
  const text = ownId ? sql`coalesce(${ownId}, '') || chr(10) || ${row}` : row
  for (let start = from; start < table.rows; start += PAGE) {
    const page = sql`SELECT ${text} FROM (${relation.sql}) WHERE ${number} BETWEEN ${integer(start)} AND ${integer(start + PAGE - 1)} ORDER BY ${number}`
    let at = start
    for await (const texts of tables.database.texts(page, { signal }))
      yield texts.map(found => outgoingRow(found, at++, deliveryId, ownId !== undefined))
  }
}

function diffId(table: StageFile): Sql | undefined {
  const column = table.columns.find(candidate => candidate.name === DIFF && candidate.type === 'JSON')
  return column && sql`json_extract_string(${name(column.id)}, '$.id')`
}

function outgoingRow(found: string, number: number, deliveryId: string, hasOwnId: boolean): OutgoingRow {
  const otherwise = `${deliveryId}.${number}`
  if (!hasOwnId) return { text: found, number, id: otherwise }
  const end = found.indexOf('\n')
  return { text: found.slice(end + 1), number, id: found.slice(0, end) || otherwise }
}

/** Puts rows together as the limits allow; a row that is larger than they are leaves alone. */
export async function* batches(
  pages: AsyncIterable<readonly OutgoingRow[]>,
  limits: BatchLimits,
  clock: Pick<DeliveryClock, 'now'>,
): AsyncGenerator<Batch> {
  let waiting: OutgoingRow[] = []
  let bytes = 0
  let since = 0
  for await (const page of pages) {
    for (const row of page) {
      const size = Buffer.byteLength(row.text)
      if (waiting.length > 0 && bytes + size > limits.bytes) {
        yield new Batch(waiting)
        waiting = []
        bytes = 0
      }
      if (waiting.length === 0) since = clock.now()
      waiting.push(row)
      bytes += size
      if (waiting.length < limits.rows) continue
      yield new Batch(waiting)
      waiting = []
      bytes = 0
    }
    if (waiting.length > 0 && clock.now() - since >= limits.ms) {
      yield new Batch(waiting)
      waiting = []
      bytes = 0
    }
  }
  if (waiting.length > 0) yield new Batch(waiting)
}

/** The same, one batch read ahead: the next is read while the present one is on its way. */
export async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next()
  try {
    for (;;) {
      const { value, done } = await next
      if (done) return
      next = items.next()
      // Whoever waits for it hears of its failure; until then nobody must take it for unheard.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await items.return(undefined)
  }
}

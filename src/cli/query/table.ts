import type { ResultColumn } from '../../engine/tables/results.ts'
import { type Json, stringifyJson } from '../../language/json.ts'
import type { Rows } from './session.ts'
import { cut, widthOf } from './width.ts'

const GAP = '  '
/** Below this a column says nothing any more: others go instead. */
const NARROWEST = 8
/** So much of a cell is looked at: no terminal shows more. */
const LONGEST = 10_000

interface Shown {
  readonly name: string
  readonly isNumber: boolean
  readonly cells: readonly string[]
  readonly width: number
}

/**
 * Rows as an aligned table of at most `width` cells across; without it, as wide as they are. Long cells are cut, and
 * columns that find no room are named below.
 */
export function renderTable({ columns, rows, total }: Rows, width = Number.POSITIVE_INFINITY): string {
  const all = columns.map(column => shown(column, rows))
  const fitting = all.slice(0, columnsThatFit(all, width))
  const most = widest(fitting, width)
  const widths = fitting.map(column => Math.min(column.width, most(column)))
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => aligned(text, widths[i]!, fitting[i]!.isNumber))
      .join(GAP)
      .trimEnd()
  const lines = [
    line(fitting.map(column => column.name)),
    widths.map(cells => '─'.repeat(cells)).join(GAP),
    ...rows.map((_, row) => line(fitting.map(column => column.cells[row]!))),
  ]
  const hidden = all.slice(fitting.length).map(column => column.name)
  return [...(columns.length > 0 ? lines : []), '', ...notes(rows.length, total, hidden)].join('\n')
}

function notes(shownRows: number, total: number, hidden: readonly string[]): string[] {
  const count = `${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'}`
  const lines = [
    shownRows < total
      ? `the first ${shownRows.toLocaleString('en')} of ${count}; --limit shows more, --format csv all`
      : count,
  ]
  if (hidden.length > 0) lines.push(`no room for: ${hidden.join(', ')}`)
  return lines
}

function shown(column: ResultColumn, rows: Rows['rows']): Shown {
  const name = oneLine(column.name)
  const cells = rows.map(row => cellText(row[column.name] ?? null))
  const width = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(name))
  return { name, isNumber: column.type === 'number', cells, width }
}

/** Missing values are empty; what is nested is JSON. */
const cellText = (value: Json): string =>
  value === null ? '' : oneLine(typeof value === 'string' ? value : stringifyJson(value))

/** Line breaks would tear the table, and a terminal would obey control characters that came from a web page. */
const oneLine = (text: string): string =>
  text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '↵')
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '·')

/** A number that is cut would be another number. */
const least = (column: Shown): number => (column.isNumber ? column.width : Math.min(column.width, NARROWEST))

/** How many columns, from the first, have room when each is as narrow as it may be. */
function columnsThatFit(columns: readonly Shown[], width: number): number {
  let taken = 0
  const first = columns.findIndex((column, i) => {
    taken += least(column) + (i > 0 ? GAP.length : 0)
    return taken > width
  })
  return first < 0 ? columns.length : Math.max(1, first)
}

/** How wide each column may be so that all fit: the narrow ones as they are, the wide ones alike. */
function widest(columns: readonly Shown[], width: number): (column: Shown) => number {
  const total = (limit: number) =>
    columns.reduce((sum, column) => sum + Math.min(column.width, Math.max(limit, least(column))), 0)
  const room = width - GAP.length * (columns.length - 1)
  if (total(Number.POSITIVE_INFINITY) <= room) return () => Number.POSITIVE_INFINITY
  let limit = NARROWEST
  while (total(limit + 1) <= room) limit++
  return column => (columns.length === 1 ? width : Math.max(limit, least(column)))
}

function aligned(text: string, width: number, right: boolean): string {
  const fitted = cut(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOf(fitted)))
  return right ? space + fitted : fitted + space
}

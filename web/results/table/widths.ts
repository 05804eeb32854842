import type { Row } from '../../../src/language/json.ts'
import { shownValue } from '../cells/values.ts'
import type { ResultColumn, RowsPage } from '../rows.ts'

const LETTER = 7.4
const DIGIT = 8.4
const MARGINS = 24
/** The header also holds the button of its menu. */
const MENU = 34
export const NARROWEST = 72
const WIDEST = 340
/** Later rows often hold longer numbers, and a number that is cut off is read as another. */
const NARROWEST_NUMBER = 104

/** A width for each column by what its first rows hold: as wide as nine in ten of them need. */
export function widthsOf({ columns, rows, total }: RowsPage): Record<string, number> {
  const sample = rows.slice(0, 50)
  return Object.fromEntries(
    columns.map(column => [column.name, widthOf(column, sample, rows.length < total)]),
  )
}

function widthOf({ name, type }: ResultColumn, rows: readonly Row[], isCut: boolean): number {
  const isNumber = type === 'number'
  const lengths = rows
    .map(row => shownValue(row[name], name, row))
    .filter(({ kind }) => kind !== 'missing')
    .map(({ kind, text }) => (kind === 'picture' ? 18 : text.length))
    .sort((a, b) => a - b)
  const common = lengths[Math.ceil((lengths.length - 1) * 0.9)] ?? 0
  const wanted = Math.max(
    common * (isNumber ? DIGIT : LETTER) + MARGINS,
    Math.min(Math.max(name.length, 5), 24) * LETTER + MARGINS + MENU,
  )
  return Math.round(Math.min(WIDEST, Math.max(isNumber && isCut ? NARROWEST_NUMBER : NARROWEST, wanted)))
}

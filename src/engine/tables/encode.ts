import { type Json, type Row, stringifyJson } from '../../language/json.ts'
import { ILL_FORMED, kindOf, type Tracker } from './tracker.ts'

/**
 * A row as a stretch of a journal's line: `,"c0":1,"c3":"x"`. Columns go by number, so no name, however odd, meets a
 * key of ours or differs from another by case alone, and every line is shorter. Null and missing are the same.
 */
export function encodeRow(row: Row, tracker: Tracker): string {
  let text = ''
  for (const name of Object.keys(row)) {
    const value = row[name]
    if (value === undefined) continue
    const column = tracker.number(name)
    if (column === ILL_FORMED) return encodeRow(mendNames(row), tracker)
    if (value === null || (typeof value === 'number' && !Number.isFinite(value))) continue
    tracker.see(column, kindOf(value, !tracker.hasWords(column)))
    text += `,"c${column}":${encodeValue(value)}`
  }
  return text
}

function encodeValue(value: Exclude<Json, null>): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed())
    case 'number':
      return Object.is(value, -0) ? '0' : String(value)
    case 'object':
      return encodeNested(value)
    default:
      return String(value)
  }
}

/** JSON has a way to write half a surrogate pair, but DuckDB then refuses the whole file. */
export function encodeNested(value: Json): string {
  const text = stringifyNested(value)
  return text.includes('\\ud') ? stringifyJson(mend(value)) : text
}

function stringifyNested(value: Json): string {
  try {
    return JSON.stringify(value)
  } catch {
    // A bigint, most likely: rare enough that trying first is cheaper than looking.
    return stringifyJson(value)
  }
}

/** Two names may become one; the first keeps the place, since DuckDB refuses a key that comes twice. */
function mendNames(row: Row): Row {
  const mended = new Map<string, Json>()
  for (const [name, value] of Object.entries(row)) {
    const wellFormed = name.toWellFormed()
    if (!mended.has(wellFormed)) mended.set(wellFormed, value)
  }
  return Object.fromEntries(mended)
}

function mend(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(mend)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), mend(item)]))
}

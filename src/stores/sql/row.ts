import { type Json, type Row, stringifyJson } from '../../language/json.ts'

/** A row of a database as one of ours: missing values left out, times as ISO 8601, bytes as base64. */
export function rowOf(found: Readonly<Record<string, unknown>>, hiddenColumn: string): Row {
  const row: Record<string, Json> = {}
  for (const [name, value] of Object.entries(found)) {
    if (value === null || value === undefined || name === hiddenColumn) continue
    row[name] = jsonValue(value)
  }
  return row
}

function jsonValue(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'object') return JSON.parse(stringifyJson(value as Json)) as Json
  return value as Json
}

import { type Json, parseJson, type Row } from '../../language/json.ts'
import { StoreError } from '../store.ts'
import type { SqlConnection } from './connection.ts'
import type { TableColumn } from './dialect.ts'
import { ID_COLUMN } from './writer.ts'

/** The rows of a table as ours. The connection is closed afterwards. */
export async function* rowsOf(connection: SqlConnection, table: string): AsyncGenerator<Row> {
  try {
    const columns = await connection.columns(table)
    if (!columns) throw new StoreError('not_found', `There is no table or view ${table}.`)
    const shown = columns.filter(({ name }) => name !== ID_COLUMN)
    for await (const rows of connection.rows(table)) for (const row of rows) yield rowOf(row, shown)
  } finally {
    await connection.close()
  }
}

/** Missing values are left out. */
function rowOf(found: Readonly<Record<string, unknown>>, columns: readonly TableColumn[]): Row {
  const row: Record<string, Json> = {}
  for (const { name, holds } of columns) {
    const value = found[name]
    if (value !== null && value !== undefined) row[name] = jsonValue(value, holds)
  }
  return row
}

function jsonValue(value: unknown, holds: TableColumn['holds']): Json {
  if (typeof value === 'bigint') {
    if (holds === 'boolean') return value !== 0n
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  if (typeof value === 'string') {
    if (holds === 'json') return parsed(value)
    return holds === 'time' ? value.replace(' ', 'T') : value
  }
  if (holds === 'boolean') return Boolean(value)
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  // Lists of PostgreSQL, whose items are of the same types.
  if (Array.isArray(value)) return value.map(item => (item === null ? null : jsonValue(item, undefined)))
  return value as Json
}

/** What others have written there need not be JSON. */
function parsed(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

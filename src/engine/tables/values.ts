import {
  type DuckDBPreparedStatement,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api'
import { type Json, parseJson } from '../../language/json.ts'
import type { Scalar, SqlType, Statement } from '../../sql/sql.ts'

/** Binds each value with the type it was given: a type left to DuckDB to guess can throw, or invalidate the instance. */
export function bindAll(prepared: DuckDBPreparedStatement, statement: Statement): void {
  for (const [index, value] of statement.values.entries())
    bindOne(prepared, index + 1, value, statement.types[index]!)
}

function bindOne(prepared: DuckDBPreparedStatement, index: number, value: Scalar, type: SqlType): void {
  if (value === null) prepared.bindNull(index)
  else if (type === 'BIGINT') prepared.bindBigInt(index, BigInt(value))
  else if (type === 'DOUBLE') prepared.bindDouble(index, Number(value))
  else if (type === 'BOOLEAN') prepared.bindBoolean(index, Boolean(value))
  else prepared.bindVarchar(index, String(value).toWellFormed())
}

/** A value that DuckDB gave, as JSON: integers exact, JSON columns parsed, everything JSON does not know as text. */
export function toJson(value: DuckDBValue, type: DuckDBType): Json {
  if (value === null) return null
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value === 'string') return type.alias === 'JSON' ? parseJson(value) : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  return nestedToJson(value, type)
}

function nestedToJson(value: DuckDBValue, type: DuckDBType): Json {
  if (type.typeId === DuckDBTypeId.LIST && value && typeof value === 'object' && 'items' in value)
    return (value.items as readonly DuckDBValue[]).map(item => toJson(item, type.valueType))
  if (type.typeId === DuckDBTypeId.DECIMAL) return Number(String(value))
  return String(value)
}

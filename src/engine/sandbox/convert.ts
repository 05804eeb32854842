import { type DuckDBType, DuckDBTypeId as Id } from '@duckdb/node-api'
import { join, literal, name, type Sql, type SqlType, sql } from '../../sql/sql.ts'

/** How a column of any DuckDB type becomes one of a stage. */
export interface Conversion {
  readonly type: SqlType
  readonly sql: Sql
  /** Whole numbers that may be past 64 bits, written as JSON: BIGINT when it turns out that all fit. */
  readonly mayFit?: boolean
}

const SMALL = new Set([
  Id.TINYINT,
  Id.SMALLINT,
  Id.INTEGER,
  Id.BIGINT,
  Id.UTINYINT,
  Id.USMALLINT,
  Id.UINTEGER,
])
const LARGE = new Set([Id.UBIGINT, Id.HUGEINT, Id.UHUGEINT, Id.BIGNUM])
const NESTED = new Set([Id.STRUCT, Id.LIST, Id.MAP, Id.ARRAY, Id.UNION, Id.VARIANT])
const LOCAL_TIMES = new Set([Id.TIMESTAMP, Id.TIMESTAMP_S, Id.TIMESTAMP_MS, Id.TIMESTAMP_NS])

export function convert(value: Sql, type: DuckDBType): Conversion {
  const id = type.typeId
  if (type.alias === 'JSON') return { type: 'JSON', sql: value }
  if (id === Id.BOOLEAN) return { type: 'BOOLEAN', sql: value }
  if (SMALL.has(id)) return { type: 'BIGINT', sql: sql`CAST(${value} AS BIGINT)` }
  if (LARGE.has(id) || (type.typeId === Id.DECIMAL && type.scale === 0))
    return { type: 'JSON', sql: sql`CAST(CAST(${value} AS VARCHAR) AS JSON)`, mayFit: true }
  if (id === Id.DOUBLE || id === Id.FLOAT || id === Id.DECIMAL)
    return { type: 'DOUBLE', sql: double(value, type) }
  if (NESTED.has(id)) return { type: 'JSON', sql: sql`to_json(${finite(value, type)})` }
  return { type: 'VARCHAR', sql: text(value, type) }
}

/** A float is widened by way of its digits, or 0.1 would come out as 0.10000000149011612. JSON has no infinity. */
function double(value: Sql, type: DuckDBType): Sql {
  const wide =
    type.typeId === Id.DOUBLE
      ? value
      : type.typeId === Id.FLOAT
        ? sql`CAST(CAST(${value} AS VARCHAR) AS DOUBLE)`
        : sql`CAST(${value} AS DOUBLE)`
  return sql`CASE WHEN isfinite(${wide}) THEN ${wide} END`
}

/** Times as ISO 8601, bytes as base64, the rest as DuckDB writes it. */
function text(value: Sql, type: DuckDBType): Sql {
  if (type.typeId === Id.BLOB) return sql`to_base64(${value})`
  if (LOCAL_TIMES.has(type.typeId)) return sql`replace(CAST(${value} AS VARCHAR), ' ', 'T')`
  if (type.typeId === Id.TIMESTAMP_TZ)
    return sql`CASE WHEN isfinite(${value}) THEN replace(CAST(make_timestamp(epoch_us(${value})) AS VARCHAR), ' ', 'T') || 'Z' ELSE CAST(${value} AS VARCHAR) END`
  return sql`CAST(${value} AS VARCHAR)`
}

/** The same value in a form that `to_json` writes validly: no infinities, bytes as base64, at any depth. */
function finite(value: Sql, type: DuckDBType, depth = 0): Sql {
  if (!needsCare(type)) return value
  const item = `x${depth}`
  switch (type.typeId) {
    case Id.LIST:
    case Id.ARRAY:
      return mapped(value, item, finite(name(item), type.valueType, depth + 1))
    case Id.MAP: {
      const entries = sql`map_entries(${value})`
      const changed = finite(sql`${name(item)}.value`, type.valueType, depth + 1)
      return sql`map_from_entries(${mapped(entries, item, sql`{'key': CAST(${name(item)}.key AS VARCHAR), 'value': ${changed}}`)})`
    }
    case Id.STRUCT: {
      const fields = type.entryNames.map(
        (field, index) =>
          sql`${name(field)} := ${finite(sql`struct_extract(${value}, ${literal(field)})`, type.entryTypes[index]!, depth + 1)}`,
      )
      return sql`CASE WHEN ${value} IS NOT NULL THEN struct_pack(${join(fields, ', ')}) END`
    }
    case Id.DOUBLE:
    case Id.FLOAT:
      return double(value, type)
    case Id.BLOB:
      return sql`to_base64(${value})`
    default:
      return value
  }
}

const mapped = (list: Sql, item: string, body: Sql): Sql =>
  sql`list_transform(${list}, lambda ${name(item)}: ${body})`

function needsCare(type: DuckDBType): boolean {
  switch (type.typeId) {
    case Id.DOUBLE:
    case Id.FLOAT:
    case Id.BLOB:
      return true
    case Id.LIST:
    case Id.ARRAY:
    case Id.MAP:
      return needsCare(type.valueType)
    case Id.STRUCT:
      return type.entryTypes.some(needsCare)
    default:
      return false
  }
}

import { type Sql, sql } from './sql.ts'
import { isoText } from './time.ts'
import { numberText, type Typed } from './value.ts'

/** Any value as text: numbers as short as possible, lists and objects as JSON, times as ISO 8601. */
export function textOf(value: Typed): Sql {
  if (value.text) return value.text
  switch (value.type) {
    case 'VARCHAR':
      return value.sql
    case 'BIGINT':
    case 'BOOLEAN':
      return sql`${value.sql}::VARCHAR`
    case 'DOUBLE':
      return numberText(value.sql)
    case 'JSON':
      return sql`(${value.sql} ->> '$')`
    case 'TIMESTAMP':
      return isoText(value.sql)
    case 'LIST':
      return sql`to_json(${value.sql})::VARCHAR`
  }
}

/** Any value as JSON; NULL stays NULL, and Infinity, which JSON has not, becomes it. */
export function jsonOf(value: Typed): Sql {
  switch (value.type) {
    case 'JSON':
      return value.sql
    case 'DOUBLE':
      return sql`${numberText(value.sql)}::JSON`
    case 'TIMESTAMP':
      return sql`to_json(${isoText(value.sql)})`
    default:
      return sql`to_json(${value.sql})`
  }
}

/** A value as a table can hold it. */
export function storable(value: Typed): Typed {
  if (value.type === 'TIMESTAMP') return { sql: isoText(value.sql), type: 'VARCHAR' }
  if (value.type === 'LIST') return { sql: jsonOf(value), type: 'JSON' }
  return value
}

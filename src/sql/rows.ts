import type { Column, Relation } from './relation.ts'
import { hidden } from './relation.ts'
import { join, literal, name, type Sql, sql } from './sql.ts'
import { jsonOf } from './text.ts'
import { numberText, type Typed, typed } from './value.ts'

export interface Field {
  readonly key: string
  readonly value: Typed
}

/** The row as the text of a JSON object. Missing values are left out; integers keep all their digits. */
export const rowText = (columns: readonly Column[]): Sql =>
  objectText(columns.map(column => ({ key: column.name, value: typed(name(column.id), column.type) })))

/** `concat_ws` leaves out NULL, and a text with NULL in it is NULL: so a missing value takes its key and comma along. */
export function objectText(fields: readonly Field[]): Sql {
  if (fields.length === 0) return sql`'{}'`
  const parts = fields.map(
    ({ key, value }) => sql`${literal(`${JSON.stringify(key.toWellFormed())}:`)} || ${jsonText(value)}`,
  )
  return sql`concat('{', concat_ws(',', ${join(parts, ', ')}), '}')`
}

function jsonText(value: Typed): Sql {
  switch (value.type) {
    case 'BIGINT':
    case 'BOOLEAN':
      return sql`${value.sql}::VARCHAR`
    case 'DOUBLE':
      return numberText(value.sql)
    case 'JSON':
      return sql`nullif(${value.sql}::VARCHAR, 'null')`
    default:
      return sql`${jsonOf(value)}::VARCHAR`
  }
}

/** The relation as one column of JSON texts, `row`, beside what gives the order. */
export const rowsOf = (relation: Relation): Sql =>
  sql`SELECT ${join([sql`${rowText(relation.columns)} AS "row"`, ...hidden(relation)], ', ')} FROM (${relation.sql})`

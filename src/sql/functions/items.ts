import { lambda, type Sql, sql } from '../sql.ts'
import { jsonOf } from '../text.ts'
import { shared, type Typed } from '../value.ts'

/** The items of a value as JSON[]: those of a list, else the value itself as the only one; NULL when it is missing. */
export function itemsOf(value: Typed): Sql {
  if (value.type === 'LIST') return value.sql
  if (value.type !== 'JSON')
    return shared(value, v => sql`CASE WHEN ${v.sql} IS NOT NULL THEN [${jsonOf(v)}] END`)
  return shared(
    value,
    v =>
      sql`CASE WHEN json_type(${v.sql}) = 'ARRAY' THEN from_json(${v.sql}, '["JSON"]') WHEN ${v.sql} IS NOT NULL THEN [${v.sql}] END`,
  )
}

/** The items as texts; a null item stays NULL. */
export const itemTexts = (value: Typed): Sql =>
  sql`list_transform(${itemsOf(value)}, ${lambda(item => sql`(${item} ->> '$')`)})`

import { once, type Sql, sql } from './sql.ts'
import { textOf } from './text.ts'
import { plainNumber, type Typed, typed } from './value.ts'

const YES = sql`('true', 'yes', 'on', 'y', 't')`
const NO = sql`('false', 'no', 'off', 'n', 'f')`

/** What `bool()` reads; NULL where a value is neither true nor false. */
export function booleanOf(value: Typed): Typed {
  switch (value.type) {
    case 'BOOLEAN':
      return value
    case 'BIGINT':
    case 'DOUBLE':
      return typed(sql`(${value.sql} <> 0)`, 'BOOLEAN')
    case 'VARCHAR':
    case 'JSON':
      return typed(
        once(
          sql`lower(trim(${textOf(value)}))`,
          t =>
            sql`CASE WHEN ${t} IN ${YES} THEN true WHEN ${t} IN ${NO} THEN false ELSE ${plainNumber(t)} <> 0 END`,
        ),
        'BOOLEAN',
      )
    default:
      return typed(sql`NULL::BOOLEAN`, 'BOOLEAN')
  }
}

/** A value as a condition: never NULL. */
export function conditionOf(value: Typed): Sql {
  const truth = booleanOf(value)
  return truth.total ? truth.sql : sql`coalesce(${truth.sql}, false)`
}

/** A value as a condition of a WHERE, where NULL is as good as false. */
export const looseConditionOf = (value: Typed): Sql => value.loose ?? booleanOf(value).sql

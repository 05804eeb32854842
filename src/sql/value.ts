import { bind, once, type Scalar, type Sql, type SqlType, sql } from './sql.ts'

/** Inside an expression there are two more types than in a table: they become ISO text and JSON at its end. */
export type ValueType = SqlType | 'TIMESTAMP' | 'LIST'

/** A piece of SQL and what it yields. LIST is DuckDB's JSON[]. */
export interface Typed {
  readonly sql: Sql
  readonly type: ValueType
  /** The same as text, where that is cheaper than turning `sql` into it. */
  readonly text?: Sql
  /** The value itself, where the query holds it. */
  readonly constant?: Scalar
  /** BOOLEAN only: never NULL. */
  readonly total?: true
  /** BOOLEAN only: the same, but NULL where `sql` may be false. In a WHERE it lets DuckDB skip whole row groups. */
  readonly loose?: Sql
  /** VARCHAR only: every value is text that is a plain JSON number. */
  readonly numericText?: boolean
}

export const typed = (value: Sql, type: ValueType): Typed => ({ sql: value, type })

/** A condition that is never NULL. */
export const total = (condition: Sql): Typed => ({ sql: condition, type: 'BOOLEAN', total: true })

/** A condition that is NULL where it should be false. */
export const strict = (condition: Sql): Typed => ({
  sql: sql`coalesce(${condition}, false)`,
  loose: condition,
  type: 'BOOLEAN',
  total: true,
})

export const NULL_TEXT: Typed = { sql: sql`NULL::VARCHAR`, type: 'VARCHAR', constant: null }

/** A value of the query, bound. Whole numbers are BIGINT whenever they are exact. */
export function constant(value: Scalar): Typed {
  if (value === null) return NULL_TEXT
  if (typeof value === 'string') return { sql: bind(value, 'VARCHAR'), type: 'VARCHAR', constant: value }
  if (typeof value === 'boolean')
    return { sql: bind(value, 'BOOLEAN'), type: 'BOOLEAN', constant: value, total: true }
  const exact = typeof value === 'bigint' || Number.isSafeInteger(value)
  return exact
    ? { sql: bind(BigInt(value), 'BIGINT'), type: 'BIGINT', constant: value }
    : { sql: bind(value, 'DOUBLE'), type: 'DOUBLE', constant: value }
}

export const isNumeric = (type: ValueType): boolean => type === 'BIGINT' || type === 'DOUBLE'

/** A formula that needs the value more than once; the value is computed once. */
export function shared(value: Typed, formula: (value: Typed) => Sql): Sql {
  return once(value.sql, inner =>
    formula(inner === value.sql ? value : { ...value, sql: inner, text: undefined }),
  )
}

/** Plain JSON numbers only: `try_cast` alone would also read ` 5 `, `1_000`, `+5`, `007`, `inf` and `nan`. */
const PLAIN_NUMBER = sql`'-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?'`

export const isPlainNumberSql = (text: Sql): Sql => sql`regexp_full_match(${text}, ${PLAIN_NUMBER})`

/**
 * The number in a text, NULL when it is no plain one: then nothing is extracted, and nothing is no number. A test
 * before the cast would name the text twice, and took a third longer.
 */
export const plainNumber = (text: Sql): Sql =>
  sql`try_cast(regexp_extract(${text}, '^' || ${PLAIN_NUMBER} || '$') AS DOUBLE)`

/** The text of a double as JavaScript writes it up to 1e21: whole numbers without a fraction; none for Infinity. */
export const numberText = (value: Sql): Sql =>
  once(
    value,
    v =>
      sql`CASE WHEN abs(${v}) < 1e15 THEN CASE WHEN ${v} = trunc(${v}) THEN ${v}::BIGINT::VARCHAR ELSE to_json(${v})::VARCHAR END WHEN isfinite(${v}) THEN regexp_replace(to_json(${v})::VARCHAR, '\\.0$', '') END`,
  )

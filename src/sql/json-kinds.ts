import { once, type Sql, type SqlType, sql } from './sql.ts'

/** What kinds of value JSON holds, as bits that `bit_or` gathers over all rows. */
const TEXT = 1
const BOOLEAN = 2
const FLOAT = 4
/** A whole number that a double holds exactly. */
const SAFE = 8
/** One that only 64 bits hold. */
const LONG = 16

/** The kind of a JSON value; none for null, and 32 for all that no plain column holds. */
export const jsonKind = (json: Sql): Sql =>
  once(
    json,
    v => sql`CASE json_type(${v}) WHEN 'VARCHAR' THEN 1 WHEN 'BOOLEAN' THEN 2 WHEN 'NULL' THEN 0
      WHEN 'DOUBLE' THEN CASE WHEN regexp_matches(${v}::VARCHAR, '[.eE]') THEN 4 ELSE 32 END
      WHEN 'BIGINT' THEN ${wholeKind(v)} WHEN 'UBIGINT' THEN ${wholeKind(v)} ELSE 32 END`,
  )

const wholeKind = (json: Sql): Sql =>
  once(
    sql`try_cast((${json} ->> '$') AS BIGINT)`,
    n =>
      sql`CASE WHEN ${n} IS NULL THEN 32 WHEN ${n} BETWEEN -9007199254740991 AND 9007199254740991 THEN 8 ELSE 16 END`,
  )

/** The narrowest type that holds values of all these kinds without changing any. */
export function typeOfKinds(kinds: number): SqlType {
  if (kinds === TEXT) return 'VARCHAR'
  if (kinds === BOOLEAN) return 'BOOLEAN'
  if (kinds === 0) return 'JSON'
  if ((kinds & ~(SAFE | LONG)) === 0) return 'BIGINT'
  return (kinds & ~(SAFE | FLOAT)) === 0 ? 'DOUBLE' : 'JSON'
}

/** The text of a JSON value as the type that its kinds allow. */
export function fromJsonText(text: Sql, type: Exclude<SqlType, 'JSON'>): Sql {
  switch (type) {
    case 'VARCHAR':
      return text
    case 'BIGINT':
      return sql`${text}::BIGINT`
    case 'DOUBLE':
      return sql`${text}::DOUBLE`
    case 'BOOLEAN':
      return sql`${text}::BOOLEAN`
  }
}

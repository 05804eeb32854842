import { isPlainNumber } from '../language/expression/numbers.ts'
import { bind, once, type Sql, sql } from './sql.ts'
import { textOf } from './text.ts'
import { constant, plainNumber, type Typed, typed } from './value.ts'

const NO_NUMBER = typed(sql`NULL::DOUBLE`, 'DOUBLE')

/** A value where a number is wanted: text counts when it is a plain JSON number; a time is its epoch seconds. */
export function numberOf(value: Typed): Typed {
  switch (value.type) {
    case 'BIGINT':
    case 'DOUBLE':
      return value
    case 'VARCHAR':
      return textNumber(value)
    case 'JSON':
      return typed(plainNumber(textOf(value)), 'DOUBLE')
    case 'TIMESTAMP':
      return typed(sql`epoch(${value.sql})`, 'DOUBLE')
    default:
      return NO_NUMBER
  }
}

function textNumber(value: Typed): Typed {
  if (typeof value.constant === 'string')
    return isPlainNumber(value.constant) ? constant(Number(value.constant)) : NO_NUMBER
  if (value.constant === null) return NO_NUMBER
  return typed(value.numericText ? sql`try_cast(${value.sql} AS DOUBLE)` : plainNumber(value.sql), 'DOUBLE')
}

export const doubleOf = (value: Typed): Sql => {
  const number = numberOf(value)
  if (number.type === 'DOUBLE') return number.sql
  return number.constant !== undefined ? bind(Number(number.constant), 'DOUBLE') : sql`${number.sql}::DOUBLE`
}

/** A whole number, as lengths and positions are; NULL and fractions never fail. */
export const wholeOf = (value: Typed): Sql => {
  const number = numberOf(value)
  return number.type === 'BIGINT' ? number.sql : sql`try_cast(trunc(${number.sql}) AS BIGINT)`
}

/**
 * `number()`: the first number in a text, whatever stands around it. The last of `.` and `,` is the decimal sign when
 * both occur; one alone is it too, unless it groups digits by three (`1,299`; a lone point is always decimal: `1.299`).
 */
export function readNumber(value: Typed): Typed {
  if (value.type === 'BOOLEAN') return typed(sql`${value.sql}::BIGINT`, 'BIGINT')
  if (value.type !== 'VARCHAR' && value.type !== 'JSON') return numberOf(value)
  const text = textOf(value)
  return typed(
    once(text, t => sql`CASE WHEN ${plainOrSimple(t)} THEN try_cast(${t} AS DOUBLE) ELSE ${search(t)} END`),
    'DOUBLE',
  )
}

const plainOrSimple = (text: Sql): Sql =>
  sql`regexp_full_match(${text}, '-?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?')`

/** A minus counts when it stands before the number or its currency sign, not when it joins words (`A-12`). */
const FOUND = sql`'(?:^|[^\\p{L}\\p{N}])([-−]?)[\\s]*\\p{Sc}?[\\s]*([-−]?)((?:[0-9][0-9.,\\x{27}’_\\x{a0}\\x{202f}]*)?[0-9]|\\.[0-9]+)'`
const ANYWHERE = sql`'()()([0-9][0-9.,]*)'`

const search = (text: Sql): Sql =>
  once(
    sql`CASE WHEN regexp_matches(${text}, ${FOUND}) THEN regexp_extract(${text}, ${FOUND}, ['a', 'b', 'n']) ELSE regexp_extract(${text}, ${ANYWHERE}, ['a', 'b', 'n']) END`,
    found =>
      sql`try_cast(CASE WHEN ${found}.a <> '' OR ${found}.b <> '' THEN '-' ELSE '' END || ${digits(sql`${found}.n`)} AS DOUBLE)`,
  )

const digits = (text: Sql): Sql =>
  once(
    sql`regexp_replace(rtrim(${text}, '.,'), '[^0-9.,]', '', 'g')`,
    n => sql`CASE
      WHEN regexp_full_match(${n}, '[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]+)?') THEN replace(${n}, ',', '')
      WHEN regexp_full_match(${n}, '[0-9]{1,3}(?:\\.[0-9]{3})+,[0-9]+|[0-9]{1,3}(?:\\.[0-9]{3}){2,}') THEN replace(replace(${n}, '.', ''), ',', '.')
      WHEN regexp_full_match(${n}, '[0-9]*,[0-9]+') THEN replace(${n}, ',', '.')
      ELSE replace(${n}, ',', '') END`,
  )

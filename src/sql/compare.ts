import { isPlainNumber } from '../language/expression/numbers.ts'
import { numberOf } from './number.ts'
import { join, once, type Sql, sql } from './sql.ts'
import { textOf } from './text.ts'
import { isJsonNumber, readTime } from './time.ts'
import { isNumeric, shared, strict, type Typed, total } from './value.ts'

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

const OPERATORS: Readonly<Record<Comparison, Sql>> = {
  '==': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

const FALSE = total(sql`false`)

/** A comparison is never NULL: with a missing value it is false, `!=` too, unless null itself was written. */
export function compare(operator: Comparison, left: Typed, right: Typed): Typed {
  if (left.constant === null || right.constant === null) {
    const other = left.constant === null ? right : left
    if (operator === '==') return total(sql`(${other.sql} IS NULL)`)
    return operator === '!=' ? total(sql`(${other.sql} IS NOT NULL)`) : FALSE
  }
  const plain = sameKind(operator, left, right)
  if (plain) return strict(plain)
  if (operator !== '!=') return strict(mixed(operator, left, right))
  // Present, and not equal: a text that is no number differs from every number.
  return total(notEqual(left, right))
}

const notEqual = (left: Typed, right: Typed): Sql =>
  shared(left, a =>
    shared(
      right,
      b => sql`(${a.sql} IS NOT NULL AND ${b.sql} IS NOT NULL AND NOT coalesce(${mixed('==', a, b)}, false))`,
    ),
  )

/** Where the types say it all, SQL's own operator does. */
function sameKind(operator: Comparison, left: Typed, right: Typed): Sql | undefined {
  const op = OPERATORS[operator]
  const native = left.type === right.type && left.type !== 'JSON' && left.type !== 'LIST'
  if (native || (isNumeric(left.type) && isNumeric(right.type))) return sql`(${left.sql} ${op} ${right.sql})`
  // Text that is no number is compared as text, whatever JSON holds.
  if (isWord(left) && right.type === 'JSON') return sql`(${left.sql} ${op} ${textOf(right)})`
  if (isWord(right) && left.type === 'JSON') return sql`(${textOf(left)} ${op} ${right.sql})`
  return undefined
}

const isWord = (value: Typed): boolean => typeof value.constant === 'string' && !isPlainNumber(value.constant)

/** Values of different kinds: as times, as numbers or as text; NULL where they cannot be compared. */
function mixed(operator: Comparison, left: Typed, right: Typed): Sql {
  const op = OPERATORS[operator]
  if (left.type === 'TIMESTAMP' || right.type === 'TIMESTAMP')
    return sql`(${readTime(left)} ${op} ${readTime(right)})`
  if (isNumeric(left.type) || isNumeric(right.type)) return asNumbers(operator, left, right)
  if (left.type !== 'JSON' && right.type !== 'JSON') return sql`(${textOf(left)} ${op} ${textOf(right)})`
  return shared(left, a => shared(right, b => byJsonType(operator, a, b)))
}

function byJsonType(operator: Comparison, left: Typed, right: Typed): Sql {
  const numeric = [left, right].filter(side => side.type === 'JSON').map(side => isJsonNumber(side.sql))
  const texts = sql`${textOf(left)} ${OPERATORS[operator]} ${textOf(right)}`
  return sql`CASE WHEN ${join(numeric, ' OR ')} THEN ${asNumbers(operator, left, right)} ELSE ${texts} END`
}

/** As doubles; long whole numbers in text or JSON, of which doubles lose digits, as integers. */
function asNumbers(operator: Comparison, left: Typed, right: Typed): Sql {
  const op = OPERATORS[operator]
  const asDoubles = (a: Typed, b: Typed): Sql => sql`(${numberOf(a).sql} ${op} ${numberOf(b).sql})`
  if (needsDigits(left) && isWritten(right))
    return once(textOf(right), text =>
      exactly(text, n => sql`${left.sql} ${op} ${n}`, asDoubles(left, asText(text))),
    )
  if (needsDigits(right) && isWritten(left))
    return once(textOf(left), text =>
      exactly(text, n => sql`${n} ${op} ${right.sql}`, asDoubles(asText(text), right)),
    )
  return asDoubles(left, right)
}

const asText = (text: Sql): Typed => ({ sql: text, type: 'VARCHAR' })

const isWritten = (value: Typed): boolean =>
  (value.type === 'VARCHAR' && value.constant === undefined) || value.type === 'JSON'

const exactly = (text: Sql, integers: (value: Sql) => Sql, otherwise: Sql): Sql =>
  sql`CASE WHEN regexp_full_match(${text}, '-?[0-9]{16,19}') THEN ${integers(sql`try_cast(${text} AS BIGINT)`)} ELSE ${otherwise} END`

/** A BIGINT that a double may not hold. */
const needsDigits = (value: Typed): boolean =>
  value.type === 'BIGINT' && (value.constant === undefined || !Number.isSafeInteger(Number(value.constant)))

/** `x in (…)`: equal to one of them; `not in`: present, and equal to none. */
export function isIn(operand: Typed, list: readonly Typed[], negated: boolean): Typed {
  const condition = isInPlain(operand, list) ?? anyEqual(operand, list)
  if (!negated) return strict(condition)
  return total(
    shared(operand, value => {
      const inner = isInPlain(value, list) ?? anyEqual(value, list)
      return sql`(${value.sql} IS NOT NULL AND NOT coalesce(${inner}, false))`
    }),
  )
}

function isInPlain(operand: Typed, list: readonly Typed[]): Sql | undefined {
  const written = list.every(item => item.constant !== undefined && item.constant !== null)
  if (!written) return undefined
  const items = sql`(${join(
    list.map(item => item.sql),
    ', ',
  )})`
  if (list.every(item => item.type === operand.type)) return sql`(${operand.sql} IN ${items})`
  if (operand.type === 'JSON' && list.every(isWord)) return sql`(${textOf(operand)} IN ${items})`
  return undefined
}

const anyEqual = (operand: Typed, list: readonly Typed[]): Sql =>
  shared(
    operand,
    value =>
      sql`(${join(
        list.map(item => compare('==', value, item).sql),
        ' OR ',
      )})`,
  )

/** Both bounds count. `not between` is true of a present value outside of them. */
export function isBetween(operand: Typed, low: Typed, high: Typed, negated: boolean): Typed {
  if (!negated) {
    const both = (pick: (condition: Typed) => Sql): Sql =>
      shared(operand, v => sql`(${pick(compare('>=', v, low))} AND ${pick(compare('<=', v, high))})`)
    return {
      ...total(both(condition => condition.sql)),
      loose: both(condition => condition.loose ?? condition.sql),
    }
  }
  return total(shared(operand, v => sql`(${compare('<', v, low).sql} OR ${compare('>', v, high).sql})`))
}

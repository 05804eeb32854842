import { finite } from '../arithmetic.ts'
import { doubleOf, numberOf, readNumber, wholeOf } from '../number.ts'
import { attempt, join, lambda, once, type Sql, sql } from '../sql.ts'
import { readTime } from '../time.ts'
import { plainNumber, type Typed, typed } from '../value.ts'
import type { Implementation, Implementations } from './implementation.ts'
import { itemTexts } from './items.ts'

/** Whole numbers stay whole; the others pass through the formula. */
const ofFraction =
  (formula: (value: Sql) => Sql): Implementation =>
  ([value]) => {
    const number = numberOf(value!)
    return number.type === 'BIGINT' ? number : typed(formula(number.sql), 'DOUBLE')
  }

const round: Implementation = ([value, digits]) => {
  const number = numberOf(value!)
  if (!digits) return number.type === 'BIGINT' ? number : typed(sql`round(${number.sql})`, 'DOUBLE')
  const places = sql`greatest(least(${wholeOf(digits)}, 15), -18)::INTEGER`
  return typed(sql`round(${doubleOf(number)}, ${places})`, 'DOUBLE')
}

const absolute: Implementation = ([value], { node }) => {
  const number = numberOf(value!)
  if (number.type === 'DOUBLE') return typed(sql`abs(${number.sql})`, 'DOUBLE')
  // The least 64-bit number has no positive counterpart.
  const large = finite(sql`abs(${number.sql}::DOUBLE)`, node.span).sql
  return typed(
    once(number.sql, v => sql`coalesce(try(abs(${v})), try_cast(${large} AS BIGINT))`),
    'BIGINT',
  )
}

const logarithm: Implementation = ([value, base]) => {
  const natural = (of: Typed): Sql => attempt(doubleOf(of), v => sql`ln(${v})`)
  return typed(base ? finiteOrNull(sql`${tidy(value!, base)}`) : natural(value!), 'DOUBLE')
}

/** log(1000, 10) by natural logarithms is 2.9999999999999996; DuckDB's own for 10 and 2 are exact. */
function tidy(value: Typed, base: Typed): Sql {
  if (Number(base.constant) === 10) return attempt(doubleOf(value), v => sql`log10(${v})`)
  if (Number(base.constant) === 2) return attempt(doubleOf(value), v => sql`log2(${v})`)
  return attempt(doubleOf(value), v => attempt(doubleOf(base), b => sql`ln(${v}) / nullif(ln(${b}), 0)`))
}

const finiteOrNull = (value: Sql): Sql => once(value, v => sql`CASE WHEN isfinite(${v}) THEN ${v} END`)

/** Of several values, or of the items of the only one. */
const extreme =
  (pick: Sql, ofList: Sql): Implementation =>
  args => {
    if (args.length === 1) return typed(sql`${ofList}(${numbersIn(args[0]!)})`, 'DOUBLE')
    if (args.every(arg => arg.type === 'TIMESTAMP'))
      return typed(sql`${pick}(${join(args.map(readTime), ', ')})`, 'TIMESTAMP')
    const numbers = args.map(numberOf)
    if (numbers.every(number => number.type === 'BIGINT'))
      return typed(
        sql`${pick}(${join(
          numbers.map(number => number.sql),
          ', ',
        )})`,
        'BIGINT',
      )
    return typed(sql`${pick}(${join(numbers.map(doubleOf), ', ')})`, 'DOUBLE')
  }

/** The plain numbers among the items, as DOUBLE[]. */
export const numbersIn = (value: Typed): Sql =>
  sql`list_transform(${itemTexts(value)}, ${lambda(plainNumber)})`

export const NUMBERS: Implementations = {
  number: ([value]) => readNumber(value!),
  round,
  floor: ofFraction(value => sql`floor(${value})`),
  ceil: ofFraction(value => sql`ceil(${value})`),
  abs: absolute,
  sqrt: ([value]) =>
    typed(
      attempt(doubleOf(value!), v => sql`sqrt(${v})`),
      'DOUBLE',
    ),
  pow: ([base, exponent], { node }) => finite(power(doubleOf(base!), doubleOf(exponent!)), node.span),
  log: logarithm,
  min: extreme(sql`least`, sql`list_min`),
  max: extreme(sql`greatest`, sql`list_max`),
}

/** A root of a negative number is no number, which is not the same as too large a one. */
const power = (base: Sql, exponent: Sql): Sql => sql`nullif(pow(${base}, ${exponent}), 'nan'::DOUBLE)`

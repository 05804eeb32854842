import { type Duration, parseDuration } from '../../language/expression/duration.ts'
import { timeZoneNamed } from '../../language/expression/strftime.ts'
import { doubleOf, numberOf } from '../number.ts'
import { bind, integer, once, type Sql, sql } from '../sql.ts'
import { textOf } from '../text.ts'
import { formatTime, inZone, readTime, readTimeAs, timeBin } from '../time.ts'
import { type Typed, typed } from '../value.ts'
import type { Implementation, Implementations } from './implementation.ts'

const part =
  (formula: (time: Sql) => Sql): Implementation =>
  ([value]) =>
    typed(sql`${formula(readTime(value!))}::BIGINT`, 'BIGINT')

const format = (value: Typed | undefined): string => String(value?.constant ?? '')

const bin: Implementation = ([value, size]) => {
  const duration: Duration | undefined =
    typeof size!.constant === 'string' ? parseDuration(size!.constant) : undefined
  if (duration) return typed(timeBin(readTime(value!), duration), 'TIMESTAMP')
  const number = numberOf(value!)
  const width = numberOf(size!)
  if (number.type === 'BIGINT' && width.type === 'BIGINT' && width.constant !== undefined) {
    // Whole numbers stay exact; % takes the sign of its left side, so it is brought above zero first.
    return typed(
      once(number.sql, n => sql`try(${n} - ((${n} % ${width.sql}) + ${width.sql}) % ${width.sql})`),
      'BIGINT',
    )
  }
  if (typeof width.constant === 'number' && width.constant > 0)
    return typed(decimalBin(doubleOf(number), width.constant), 'DOUBLE')
  return typed(
    once(doubleOf(width), w => sql`floor(${doubleOf(number)} / CASE WHEN ${w} > 0 THEN ${w} END) * ${w}`),
    'DOUBLE',
  )
}

/** Starts of bins are as exact as their width is written: 3 * 0.1 is a little more than 0.3, and 0.3 / 0.1 less than 3. */
function decimalBin(number: Sql, width: number): Sql {
  const size = bind(width, 'DOUBLE')
  const digits = decimalsOf(width)
  const start = (bin: Sql): Sql =>
    digits > MOST_DECIMALS ? sql`${bin} * ${size}` : sql`round(${bin} * ${size}, ${integer(digits)})`
  return once(number, n =>
    once(sql`floor(${n} / ${size})`, bin => {
      const [below, own, above] = [start(sql`(${bin} - 1)`), start(bin), start(sql`(${bin} + 1)`)]
      return sql`CASE WHEN ${above} <= ${n} THEN ${above} WHEN ${own} <= ${n} THEN ${own} ELSE ${below} END`
    }),
  )
}

/** A double has no more digits that mean something. */
const MOST_DECIMALS = 15

/** Digits behind the point, as it is written shortest. */
function decimalsOf(number: number): number {
  const [, fraction = '', exponent = '0'] = /^\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? []
  return Math.max(0, fraction.length - Number(exponent))
}

export const TIME: Implementations = {
  time: ([value, given]) =>
    typed(given ? readTimeAs(textOf(value!), format(given)) : readTime(value!), 'TIMESTAMP'),
  formattime: ([value, given, zone]) => {
    const time = readTime(value!)
    return typed(
      formatTime(zone ? inZone(time, timeZoneNamed(format(zone)) ?? 'UTC') : time, format(given)),
      'VARCHAR',
    )
  },
  epoch: ([value]) => typed(sql`epoch(${readTime(value!)})`, 'DOUBLE'),
  date: ([value]) => typed(formatTime(readTime(value!), '%Y-%m-%d'), 'VARCHAR'),
  year: part(time => sql`year(${time})`),
  month: part(time => sql`month(${time})`),
  day: part(time => sql`day(${time})`),
  hour: part(time => sql`hour(${time})`),
  minute: part(time => sql`minute(${time})`),
  second: part(time => sql`second(${time})`),
  weekday: part(time => sql`isodow(${time})`),
  bin,
}

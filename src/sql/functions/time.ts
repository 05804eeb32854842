import { type Duration, parseDuration } from '../../language/expression/duration.ts'
import { timeZoneNamed } from '../../language/expression/strftime.ts'
import { doubleOf, numberOf } from '../number.ts'
import { once, type Sql, sql } from '../sql.ts'
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
  return typed(
    once(doubleOf(width), w => sql`floor(${doubleOf(number)} / CASE WHEN ${w} > 0 THEN ${w} END) * ${w}`),
    'DOUBLE',
  )
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

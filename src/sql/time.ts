import type { Duration } from '../language/expression/duration.ts'
import { attempt, integer, join, literal, once, type Sql, sql } from './sql.ts'
import { plainNumber, shared, type Typed } from './value.ts'

/** ISO 8601 in UTC, always with milliseconds: texts of one width sort as the times do. */
export const isoText = (time: Sql): Sql => sql`strftime(${time}, '%Y-%m-%dT%H:%M:%S.%gZ')`

/** Seconds up to the year 5138, milliseconds past it: 1e11 ms is in 1973, so nothing of today is mistaken. */
const fromEpoch = (value: Sql): Sql =>
  attempt(
    value,
    v => sql`make_timestamp(CAST(${v}::DOUBLE * CASE WHEN abs(${v}) < 1e11 THEN 1e6 ELSE 1e3 END AS BIGINT))`,
  )

const formats = (...list: readonly string[]): Sql => sql`[${join(list.map(literal), ', ')}]`

const ZONED = formats(
  '%a, %d %b %Y %H:%M:%S %z',
  '%d %b %Y %H:%M:%S %z',
  '%a, %d %b %Y %H:%M:%S %Z',
  '%d %b %Y %H:%M:%S %Z',
  '%d/%b/%Y:%H:%M:%S %z',
  '%Y%m%dT%H%M%S%z',
  '%a %b %d %H:%M:%S %Z %Y',
)

// Slashes with the year last are read the American way, month first; dots the European, day first.
const PLAIN = formats(
  '%Y%m%d',
  '%Y-%m',
  '%Y%m%dT%H%M%SZ',
  '%Y%m%dT%H%M%S',
  '%Y/%m/%d',
  '%Y/%m/%d %H:%M',
  '%Y/%m/%d %H:%M:%S',
  '%m/%d/%Y',
  '%m/%d/%Y %H:%M',
  '%m/%d/%Y %H:%M:%S',
  '%m/%d/%Y %I:%M %p',
  '%m/%d/%Y %I:%M:%S %p',
  '%m/%d/%Y, %I:%M:%S %p',
  '%d.%m.%Y',
  '%d.%m.%Y %H:%M',
  '%d.%m.%Y %H:%M:%S',
  '%d %b %Y',
  '%d %B %Y',
  '%a, %d %b %Y',
  '%d %b %Y %H:%M',
  '%d %B %Y %H:%M',
  '%d %b %Y %H:%M:%S',
  '%b %d, %Y',
  '%B %d, %Y',
  '%b %d %Y',
  '%B %d %Y',
  '%b %d, %Y %H:%M',
  '%B %d, %Y %H:%M',
  '%b %d, %Y %I:%M %p',
  '%B %d, %Y %I:%M %p',
  '%a %b %d %H:%M:%S %Y',
  '%d-%b-%Y',
  '%d-%b-%Y %H:%M:%S',
)

const ISO_START = sql`'^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt ])'`
const ISO_ZONE = sql`'[Tt ][0-9]{1,2}:.*(?:[Zz]|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?)$'`
/** DuckDB wants seconds where there is a zone, which ISO 8601 does not. */
const WITHOUT_SECONDS = sql`'^([0-9-]+)[Tt ]([0-9]{1,2}:[0-9]{2})([Zz+ -].*)?$'`

/** Without a zone a time is UTC, whatever the session's own zone is. */
const isoTime = (text: Sql): Sql =>
  once(
    sql`regexp_replace(${text}, ${WITHOUT_SECONDS}, '\\1 \\2:00\\3')`,
    t =>
      sql`CASE WHEN regexp_matches(${t}, ${ISO_ZONE}) THEN try_cast(${t} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' ELSE try_cast(${t} AS TIMESTAMP) END`,
  )

const textTime = (text: Sql): Sql =>
  once(
    sql`trim(${text})`,
    t => sql`CASE WHEN regexp_matches(${t}, ${ISO_START}) THEN ${isoTime(t)}
      WHEN regexp_full_match(${t}, '-?[0-9]{9,}(?:\\.[0-9]+)?') THEN ${fromEpoch(sql`try_cast(${t} AS DOUBLE)`)}
      WHEN regexp_matches(${t}, '[0-9]') THEN coalesce(try_strptime(${t}, ${PLAIN}), try_strptime(${t}, ${ZONED}) AT TIME ZONE 'UTC') END`,
  )

export const isJsonNumber = (json: Sql): Sql => sql`json_type(${json}) IN ('BIGINT', 'UBIGINT', 'DOUBLE')`

/** The TIMESTAMP in any value: ISO and other common texts, epoch seconds or milliseconds; NULL when there is none. */
export function readTime(value: Typed): Sql {
  switch (value.type) {
    case 'TIMESTAMP':
      return value.sql
    case 'BIGINT':
    case 'DOUBLE':
      return fromEpoch(value.sql)
    case 'VARCHAR':
      return textTime(value.sql)
    case 'JSON':
      return shared(value, v => {
        const text = v.text ?? sql`(${v.sql} ->> '$')`
        return sql`CASE WHEN ${isJsonNumber(v.sql)} THEN ${fromEpoch(plainNumber(text))} ELSE ${textTime(text)} END`
      })
    default:
      return sql`NULL::TIMESTAMP`
  }
}

/** By a strftime format, which the parser has checked. */
export const readTimeAs = (text: Sql, format: string): Sql =>
  /%-?[zZ]/.test(format.replaceAll('%%', ''))
    ? sql`try_strptime(${text}, ${literal(format)}) AT TIME ZONE 'UTC'`
    : sql`try_strptime(${text}, ${literal(format)})`

export const formatTime = (time: Sql, format: string): Sql => sql`strftime(${time}, ${literal(format)})`

/** A UTC time as the clocks of a zone show it. The zone is one that `timeZoneNamed` knows: DuckDB fails at others. */
export const inZone = (time: Sql, zone: string): Sql =>
  sql`(${time} AT TIME ZONE 'UTC' AT TIME ZONE ${literal(zone)})`

/** The time in UTC at which the clocks of a zone show this one. */
export const fromZone = (time: Sql, zone: string): Sql =>
  sql`(${time} AT TIME ZONE ${literal(zone)} AT TIME ZONE 'UTC')`

export const interval = (duration: Duration): Sql =>
  'months' in duration
    ? sql`to_months(${integer(duration.months)})`
    : sql`to_milliseconds(${integer(Math.round(duration.seconds * 1000))})`

/** The start of the bin of that size which holds the time. Weeks begin on Monday. */
export const timeBin = (time: Sql, size: Duration): Sql => sql`time_bucket(${interval(size)}, ${time})`

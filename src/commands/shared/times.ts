import { timeZoneNamed, unknownSpecifier } from '../../language/expression/strftime.ts'
import { once, type Sql, sql } from '../../sql/sql.ts'
import { textOf } from '../../sql/text.ts'
import { fromZone, readTime, readTimeAs } from '../../sql/time.ts'
import type { Typed } from '../../sql/value.ts'
import { CommandFailure } from '../failure.ts'

export function checkedFormat(command: string, format: string | undefined): string | undefined {
  const unknown = format === undefined ? undefined : unknownSpecifier(format)
  if (unknown === undefined) return format
  throw new CommandFailure('bad_format', `${command} does not know ${unknown} in the format "${format}".`, {
    hint: 'Common ones are %Y %m %d %H %M %S, %b for Feb, %p for AM, %z for +0200; a percent sign is %%.',
  })
}

export function checkedZone(command: string, zone: string | undefined): string | undefined {
  if (zone === undefined) return undefined
  const known = timeZoneNamed(zone)
  if (known !== undefined) return known
  throw new CommandFailure('bad_timezone', `${command} does not know the time zone "${zone}".`, {
    hint: 'Zones are named by a city, such as Europe/Oslo or America/New_York, or UTC.',
  })
}

/** Texts that say themselves which moment they mean: those with a zone, and epoch numbers. */
const ABSOLUTE = sql`'[0-9]:[0-9]{2}.*(?:[Zz]|[A-Z]{3,4}|[+-][0-9]{2}(?::?[0-9]{2})?)(?: [0-9]{4})?\\s*$|T[0-9]{4,6}(?:Z|[+-][0-9]{4})\\s*$|^\\s*-?[0-9]{9,}(?:\\.[0-9]+)?\\s*$'`

/** The TIMESTAMP in a value, in UTC. A zone is for times that do not tell their own. */
export function timeIn(value: Typed, format: string | undefined, zone: string | undefined): Sql {
  const time = format === undefined ? readTime(value) : readTimeAs(textOf(value), format)
  const isNumber = value.type === 'BIGINT' || value.type === 'DOUBLE'
  if (zone === undefined || (format === undefined ? isNumber : hasZone(format))) return time
  const local = (read: Sql) => fromZone(read, zone)
  if (format !== undefined) return local(time)
  return once(
    time,
    read => sql`CASE WHEN regexp_matches(${textOf(value)}, ${ABSOLUTE}) THEN ${read} ELSE ${local(read)} END`,
  )
}

const hasZone = (format: string): boolean => /%-?[zZ]/.test(format.replaceAll('%%', ''))

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  '',
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const isNumber = (field: string): boolean => /^\d+$/.test(field)
const and = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/**
 * A cron expression in words, where it is one of those that people write; undefined for the rest, which are shown as they
 * are.
 */
export function cronWords(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5) return undefined
  const [minute, hour, day, month, weekday] = fields as [string, string, string, string, string]
  const time = timeWords(minute, hour)
  const date = dateWords(day, month, weekday)
  if (time === undefined || date === undefined) return undefined
  return date === '' ? time.alone : `${time.on}${date}`
}

interface TimeWords {
  /** With no word about the day. */
  readonly alone: string
  /** Before " on Monday". */
  readonly on: string
}

function timeWords(minute: string, hour: string): TimeWords | undefined {
  const step = /^\*\/(\d+)$/
  if (hour === '*') {
    if (minute === '*') return same('every minute')
    const every = step.exec(minute)?.[1]
    if (every) return same(`every ${every} minutes`)
    return isNumber(minute) ? same(minute === '0' ? 'every hour' : `every hour at ${minute} past`) : undefined
  }
  if (!isNumber(minute)) return undefined
  const past = minute.padStart(2, '0')
  const hours = step.exec(hour)?.[1]
  if (hours) return same(minute === '0' ? `every ${hours} hours` : `every ${hours} hours at ${past} past`)
  const times = hour.split(',')
  if (!times.every(isNumber)) return undefined
  const at = `at ${and(times.map(each => `${each.padStart(2, '0')}:${past}`))}`
  return { alone: `every day ${at}`, on: at }
}

const same = (words: string): TimeWords => ({ alone: words, on: words })

function dateWords(day: string, month: string, weekday: string): string | undefined {
  // A day of the month and a day of the week together mean either: not for a short sentence.
  if (day !== '*' && weekday !== '*') return undefined
  const inMonth = month === '*' ? '' : names(month, MONTHS)
  if (inMonth === undefined) return undefined
  const months = inMonth && ` in ${inMonth}`
  if (weekday !== '*') {
    const days = names(weekday, DAYS)
    return days === undefined ? undefined : ` on ${days}${months}`
  }
  if (day === '*') return months
  const days = day.split(',')
  return days.every(isNumber) ? ` on day ${and(days)} of ${inMonth || 'the month'}` : undefined
}

/** `1-5` as "Monday to Friday", `0,6` as "Sunday and Saturday"; three letters do as well. */
function names(field: string, known: readonly string[]): string | undefined {
  const named = field.split(',').map(part => {
    const ends = part.split('-').map(end => nameOf(end, known))
    if (ends.length > 2 || ends.includes(undefined)) return undefined
    return ends.join(' to ')
  })
  return named.includes(undefined) ? undefined : and(named as string[])
}

const nameOf = (text: string, known: readonly string[]): string | undefined =>
  isNumber(text)
    ? known[Number(text)] || undefined
    : known.find(name => name.length >= 3 && name.slice(0, 3).toLowerCase() === text.toLowerCase())

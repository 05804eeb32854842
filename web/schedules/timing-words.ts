import type { ScheduledQuery } from '../api/types.ts'
import { cronWords } from './cron-words.ts'

const parts = [
  ['week', 7 * 24 * 60],
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** "every 90 minutes", "every 2 hours", "every day": the largest unit that it is a whole number of. */
export function minutesWords(minutes: number): string {
  const [unit, size] = parts.find(([, size]) => minutes % size === 0) ?? parts[3]
  const many = minutes / size
  return many === 1 ? `every ${unit}` : `every ${many} ${unit}s`
}

/** How often it runs, in words; the expression itself where there are none for it. */
export function timingWords({
  minutes,
  cron,
  timeZone,
}: Pick<ScheduledQuery, 'minutes' | 'cron' | 'timeZone'>): string {
  if (cron !== null) return `${cronWords(cron) ?? `by ${cron}`} (${timeZone ?? 'UTC'})`
  return minutes > 0 ? minutesWords(minutes) : 'only by hand'
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** "in 1 h 20 min", "in 45 s"; what should have begun is about to. */
export function countdown(at: string, now: number): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds < 60) return `in ${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `in ${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `in ${hours} h ${minutes % 60} min`
  return `in ${Math.floor(hours / 24)} days`
}

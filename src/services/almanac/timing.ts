import { Cron } from 'croner'
import { invalidBody } from '../secrets/mask.ts'

/** When a query runs: every so many minutes, by a cron expression, or only by hand. */
export interface Timing {
  readonly minutes: number
  readonly cron: string | null
  readonly timeZone: string | null
}

/**
 * The first time after `after`. Minutes are counted from `anchor`, not from the last run, so that a run that was late
 * makes none of the next ones late.
 */
export function nextRun(timing: Timing, anchor: number, after: number): number | null {
  if (timing.cron !== null) return cronOf(timing).nextRun(new Date(after))?.getTime() ?? null
  if (timing.minutes === 0) return null
  const step = timing.minutes * 60_000
  return anchor + (Math.floor(Math.max(0, after - anchor) / step) + 1) * step
}

/** Refuses what cannot be a timing, with the reason. */
export function checkTiming(timing: Timing): void {
  if (timing.cron !== null && timing.minutes > 0)
    throw invalidBody([{ path: '$.cron', message: 'cannot be given together with minutes: choose one' }])
  if (timing.timeZone !== null && timing.cron === null)
    throw invalidBody([{ path: '$.timeZone', message: 'is for cron: minutes are the same everywhere' }])
  if (timing.timeZone !== null && !isTimeZone(timing.timeZone))
    throw invalidBody([
      { path: '$.timeZone', message: 'must be the name of a time zone, such as Europe/Zurich' },
    ])
  if (timing.cron === null) return
  try {
    cronOf(timing)
  } catch {
    throw invalidBody([
      {
        path: '$.cron',
        message:
          'must be a cron expression: minute, hour, day of the month, month, day of the week, such as "30 6 * * 1-5"',
      },
    ])
  }
}

/** Five fields, minutes first: seconds are finer than a schedule is kept. */
const cronOf = ({ cron, timeZone }: Timing): Cron =>
  new Cron(cron!, { timezone: timeZone ?? 'UTC', mode: '5-part', paused: true })

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

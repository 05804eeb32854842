import { Text, Tooltip } from '@mantine/core'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

export function timeAgo(iso: string, now = Date.now()): string {
  const ms = new Date(iso).getTime() - now
  const [unit, size] = units.find(([, size]) => Math.abs(ms) >= size) ?? units.at(-1)!
  return relative.format(Math.round(ms / size), unit)
}

export const exactTime = (iso: string): string => exact.format(new Date(iso))

/** "3 minutes ago", the exact time on demand; a dash where there is none. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (!at) return <Text span>–</Text>
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {timeAgo(at)}
      </time>
    </Tooltip>
  )
}

export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A length of time. Months and years have no fixed number of seconds, so they are apart. */
export type Duration = { readonly seconds: number } | { readonly months: number }

const UNITS: Readonly<Record<string, Duration>> = {
  ms: { seconds: 0.001 },
  s: { seconds: 1 },
  m: { seconds: 60 },
  h: { seconds: 3600 },
  d: { seconds: 86_400 },
  w: { seconds: 604_800 },
  mo: { months: 1 },
  q: { months: 3 },
  y: { months: 12 },
}

export const DURATION_FORMS = '30s, 5m, 1h, 1d, 1w, 1mo or 1y'

/** A thousand years: past that a time leaves the calendar. */
const LONGEST = { seconds: 31_556_952_000, months: 12_000 }

/** Reads `30s`, `5m`, `1.5h`, `7d`, `1w`, `1mo`, `1y`. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(ms|mo|[smhdwqy])\s*$/i.exec(text)
  if (!match) return undefined
  const count = Number(match[1])
  const unit = UNITS[match[2]!.toLowerCase()]!
  if ('months' in unit) {
    const months = count * unit.months
    return Number.isInteger(months) && months > 0 && months <= LONGEST.months ? { months } : undefined
  }
  const seconds = Math.round(count * unit.seconds * 1000) / 1000
  return seconds > 0 && seconds <= LONGEST.seconds ? { seconds } : undefined
}

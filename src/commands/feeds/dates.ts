/** Zones that old feeds name and `Date` does not know. */
const ZONES: Readonly<Record<string, string>> = {
  WET: '+0000',
  WEST: '+0100',
  BST: '+0100',
  CET: '+0100',
  CEST: '+0200',
  EET: '+0200',
  EEST: '+0300',
  MSK: '+0300',
  IST: '+0530',
  JST: '+0900',
  AEST: '+1000',
}

/** ISO 8601, RFC 822, or the American way. `Date` alone would find a year in any text with a number. */
const DATE =
  /^(?:\d{4}(?:-\d|$)|(?:[A-Za-z]{3,9},?\s+)?\d{1,2}[\s-][A-Za-z]{3,9}[\s-]\d{2}|[A-Za-z]{3,9}\.?\s+\d{1,2},?\s+\d{4})/

/** A date of a feed as ISO 8601 in UTC. Without a zone it is taken as UTC; what cannot be read stays as it is. */
export function isoDate(text: string | undefined): string | undefined {
  if (text === undefined || !DATE.test(text)) return text
  const named = text.replace(/\b[A-Z]{3,4}$/, zone => ZONES[zone] ?? zone)
  const isComplete =
    /^\d{4}(?:-\d\d){0,2}$/.test(named) || /(?:Z|[+-]\d{2}:?\d{2}|\b(?:GMT|UTC?|[ECMP][SD]T))$/i.test(named)
  const time = Date.parse(isComplete ? named : named + (/\dT\d/.test(named) ? 'Z' : ' UTC'))
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

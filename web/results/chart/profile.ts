import type { Json, Row } from '../../../src/language/json.ts'

export type ProfileKind = 'number' | 'time' | 'text' | 'none'

/** What a column is good for in a chart. */
export interface Profile {
  readonly name: string
  readonly kind: ProfileKind
  readonly distinct: number
  /** Each number larger than the one before: something to put along the x axis. */
  readonly isRising: boolean
  /** A number that names a thing and measures nothing. */
  readonly isId: boolean
  /** Text such as "$702.00": `convert` would make numbers of it. */
  readonly isMoney: boolean
}

const PLAIN_NUMBER = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/
const MONEY = /^\s*(?:[$€£¥]|[A-Z]{3}\s)?\s*-?\d[\d.,' ]*\s*(?:[$€£¥%]|[A-Z]{3})?\s*$/
const ID_NAME = /(?:^|[._ -])(?:id|uuid|guid|index|_sequence|row|rank)$|[a-z]Id$/i

/** A number, or text that is a plain number and nothing else: "19.99" is one, "19.99 €" is none. */
export function numberIn(value: Json | undefined): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && PLAIN_NUMBER.test(value) ? Number(value) : null
}

export function timeIn(value: Json | undefined): number | null {
  if (typeof value !== 'string' || !ISO_TIME.test(value)) return null
  const ms = Date.parse(value.replace(' ', 'T'))
  return Number.isNaN(ms) ? null : ms
}

export const textIn = (value: Json | undefined): string =>
  value === null || value === undefined ? '(none)' : String(value)

/** A few values may be odd; a column with more than that is something else. */
const ALMOST_ALL = 0.9

export function profileOf(name: string, rows: readonly Row[]): Profile {
  const values = rows.map(row => row[name] ?? null).filter(value => value !== null)
  const numbers = values.map(numberIn).filter(value => value !== null)
  const times = values.filter(value => timeIn(value) !== null)
  const enough = Math.max(1, values.length * ALMOST_ALL)
  const kind =
    numbers.length >= enough
      ? 'number'
      : times.length >= enough
        ? 'time'
        : values.some(value => typeof value === 'string' || typeof value === 'boolean')
          ? 'text'
          : 'none'
  return {
    name,
    kind,
    distinct: new Set(values.map(String)).size,
    isRising:
      numbers.length > 1 && numbers.every((value, index) => index === 0 || value > numbers[index - 1]!),
    isId: kind === 'number' && ID_NAME.test(name),
    isMoney:
      kind === 'text' &&
      values.filter(value => typeof value === 'string' && MONEY.test(value)).length >= enough,
  }
}

/** A JSON value as Forage carries it: integers that a double cannot hold are bigints, so nothing is rounded. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** One row of a table. */
export type Row = { readonly [column: string]: Json }

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => Json
const rawJSON = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

const LONG_INTEGER = /[:,[\s]-?\d{16,}[\s,\]}]|^\s*-?\d{16,}\s*$/
/** So many digits may not fit a double. */
const MANY = 16

export function parseJson(text: string): Json {
  const isExact = hasManyDigits(text) && LONG_INTEGER.test(text)
  return isExact ? parseWith(text, keepLongIntegers) : parseWith(text)
}

/**
 * Sixteen digits in a row cannot be leapt over in steps of sixteen: a tenth of the time that the expression takes. The
 * decimals of a fraction, which are as many, are passed over.
 */
function hasManyDigits(text: string): boolean {
  for (let at = MANY - 1; at < text.length; at += MANY) {
    if (!isDigit(text, at)) continue
    let first = at
    while (isDigit(text, first - 1)) first--
    let last = at
    while (isDigit(text, last + 1)) last++
    if (last - first >= MANY - 1 && text[first - 1] !== '.') return true
    at = last
  }
  return false
}

/** Not past the ends: there the code is no number. */
function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

const keepLongIntegers: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value

export function stringifyJson(value: Json, indent?: number): string {
  return JSON.stringify(
    value,
    (_key, item) => (typeof item === 'bigint' ? rawJSON(String(item)) : item),
    indent,
  )
}

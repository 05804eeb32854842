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

/**
 * Digits that may not fit a double. The first is found at a glance: the text can be looked through by leaps, and the
 * decimals of a fraction, which are as many, are passed over.
 */
const MANY_DIGITS = /(?:^|[:,[\s-])\d{16}/
const LONG_INTEGER = /[:,[\s]-?\d{16,}[\s,\]}]|^\s*-?\d{16,}\s*$/

export function parseJson(text: string): Json {
  const isExact = MANY_DIGITS.test(text) && LONG_INTEGER.test(text)
  return isExact ? parseWith(text, keepLongIntegers) : parseWith(text)
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

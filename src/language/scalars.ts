import type { Parameter } from './declaration.ts'

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const INTEGER = /^[+-]?\d+$/

/** A number as a person writes it; undefined for anything else. Integers are exact; where only they will do, a double holds them. */
export function numberFrom(text: string, whole: boolean): number | bigint | undefined {
  if (!(whole ? INTEGER : NUMBER).test(text)) return undefined
  const value = Number(text)
  if (INTEGER.test(text) && !Number.isSafeInteger(value))
    return whole ? undefined : BigInt(text.replace('+', ''))
  return Number.isFinite(value) ? value : undefined
}

export const inRange = (value: number | bigint, { min, max }: Parameter): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max)

/** A choice as declared, found in any letter case. */
export const findChoice = (text: string, { choices }: Parameter): string | undefined =>
  choices?.find(choice => choice.toLowerCase() === text.toLowerCase())

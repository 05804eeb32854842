const LEAST = -(2n ** 63n)
const GREATEST = 2n ** 63n - 1n

/** Whole numbers exactly, as long as 64 bits hold them; undefined when they do not. */
export function readNumber(text: string): number | bigint | undefined {
  const value = Number(text)
  if (!/^-?\d+$/.test(text)) return Number.isFinite(value) ? value + 0 : undefined
  if (Number.isSafeInteger(value)) return value + 0
  const exact = BigInt(text)
  return exact >= LEAST && exact <= GREATEST ? exact : undefined
}

/** Text that JSON would read as a number: this, and nothing looser, counts as a number against a number. */
export const isPlainNumber = (text: string): boolean => PLAIN_NUMBER.test(text)

const PLAIN_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

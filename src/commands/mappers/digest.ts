import { createHash } from 'node:crypto'
import type { Mapper } from '../mapper.ts'

/** Puts the digest of the text in the row's `value` in its place, for the algorithms that SQL has not. */
export const map: Mapper = options => {
  const { value, algorithm } = options as { readonly value: string; readonly algorithm: string }
  return row => {
    const text = row[value]
    return typeof text === 'string'
      ? { ...row, [value]: createHash(algorithm).update(text).digest('hex') }
      : row
  }
}

import type { Mapper } from '../mapper.ts'

/** A mapper that changes the text in a row's `value`; what is no text stays as it is. */
export const changedText =
  (change: (text: string) => string): Mapper =>
  options => {
    const { value } = options as { readonly value: string }
    return row => {
      const text = row[value]
      return typeof text === 'string' ? { ...row, [value]: change(text) } : row
    }
  }

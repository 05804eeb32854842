import type { Json } from '../../language/json.ts'
import type { Mapper } from '../mapper.ts'

/** The columns that a mapper of texts works with: where the text is, and where to say what is wrong with it. */
export type TextColumns = { readonly value: string; readonly problem: string }

/**
 * A mapper that reads the text in a row's `value` and puts the result in its place. One that cannot be read is taken
 * out and the reason put under `problem`; what is no text stays as it is.
 */
export const parsedText =
  (read: (text: string) => Json, Problem: new (...args: never[]) => Error): Mapper =>
  options => {
    const { value, problem } = options as TextColumns
    return row => {
      const text = row[value]
      if (typeof text !== 'string') return row
      try {
        return { ...row, [value]: read(text) }
      } catch (error) {
        if (error instanceof Problem) return { ...row, [value]: null, [problem]: error.message }
        throw error
      }
    }
  }

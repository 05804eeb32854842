import { readableText } from '../markup/readable.ts'
import { parseMarkup } from '../markup/tree.ts'
import { changedText } from './changed-text.ts'

/** Puts the readable text of the HTML in the row's `value` in its place. */
export const map = changedText(text => readableText(parseMarkup(text)))

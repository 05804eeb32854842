import { toMarkdown } from '../markup/markdown.ts'
import { parseMarkup } from '../markup/tree.ts'
import { changedText } from './changed-text.ts'

/** Puts the HTML in the row's `value`, written as Markdown, in its place. */
export const map = changedText(text => toMarkdown(parseMarkup(text)))

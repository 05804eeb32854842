import { scanToken } from '../tokens.ts'
import type { Template, TemplatePart } from '../values.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
  $: '$',
}

type Undo = (raw: string, offset: number) => { readonly text: string; readonly length: number }

/** In text the usual escapes mean what they do elsewhere; any other `\x` stays two characters. */
const undoText: Undo = (raw, offset) => {
  const hex = /^u([0-9a-fA-F]{4})/.exec(raw.slice(offset + 1, offset + 6))
  if (hex) return { text: String.fromCharCode(Number.parseInt(hex[1]!, 16)), length: 6 }
  const next = raw[offset + 1] ?? ''
  return { text: (Object.hasOwn(ESCAPES, next) && ESCAPES[next]) || `\\${next}`, length: 2 }
}

/** A regular expression has escapes of its own: only that of its quote is undone. */
const undoRegex =
  (quote: string): Undo =>
  (raw, offset) => {
    const next = raw[offset + 1] ?? ''
    return { text: next === quote ? quote : `\\${next}`, length: 2 }
  }

/** `at` maps offsets in `raw` to offsets in the query. */
export const readText = (raw: string, at: (offset: number) => number): Template => read(raw, at, undoText)

export const readRegex = (raw: string, quote: string, at: (offset: number) => number): Template =>
  read(raw, at, undoRegex(quote))

function read(raw: string, at: (offset: number) => number, undo: Undo): Template {
  if (!/[\\$]/.test(raw)) return { parts: raw === '' ? [] : [raw] }
  const parts: TemplatePart[] = []
  let text = ''
  for (let offset = 0; offset < raw.length; ) {
    if (raw[offset] === '\\') {
      const undone = undo(raw, offset)
      text += undone.text
      offset += undone.length
      continue
    }
    const found = raw[offset] === '$' ? scanToken(raw, offset, at) : undefined
    if (found) {
      if (text !== '') parts.push(text)
      parts.push(found.token)
      text = ''
      offset = found.end
    } else text += raw[offset++]
  }
  if (text !== '') parts.push(text)
  return { parts }
}

/** Text as it is written in an expression. */
export const quoteText = (text: string): string =>
  `'${text.replace(/[\\'$\n\t\r]/g, char => `\\${UNDO[char] ?? char}`)}'`

const UNDO: Readonly<Record<string, string>> = { '\n': 'n', '\t': 't', '\r': 'r' }

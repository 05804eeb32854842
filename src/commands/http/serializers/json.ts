import { type Json, parseJson, type Row } from '../../../language/json.ts'
import { CommandFailure } from '../../failure.ts'
import { asRow, type Serializer } from './content.ts'
import { textIn } from './text.ts'

/** Values nested deeper are of no use to anybody, and overflow the stack of whoever walks them. */
const DEEPEST = 500

/** An object is a row, an array rows; anything else is the column `value`. */
export const json: Serializer = source => {
  const text = textIn(source)
  if (text.trim() === '') return { rows: [], document: null }
  const document = parse(text, '')
  return { rows: rowsIn(document), document }
}

const rowsIn = (document: Json): Row[] => (Array.isArray(document) ? document.map(asRow) : [asRow(document)])

/** RFC 7464 puts it before each value. */
const SEPARATOR = '\x1e'

/** A value on each line; empty lines are passed over. */
export const ndjson: Serializer = source => {
  const rows: Row[] = []
  const lines = textIn(source).split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const text = line.startsWith(SEPARATOR) ? line.slice(1) : line
    if (text.trim() !== '') rows.push(asRow(parse(text, ` on line ${index + 1}`)))
  }
  return { rows, document: rows[0] ?? null }
}

function parse(text: string, where: string): Json {
  if (text.length > 2 * DEEPEST && depthOf(text) > DEEPEST)
    throw new CommandFailure(
      'bad_json',
      `The JSON of the answer is nested more than ${DEEPEST} deep${where}.`,
    )
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new CommandFailure('bad_json', `The answer is not valid JSON${where}: ${error.message}.`, {
      hint: '--serializer text takes it as it is.',
    })
  }
}

const QUOTE = 34
const BACKSLASH = 92

/** How deep brackets are nested, those in strings not counted. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Both brackets and braces differ by 32 from each other: [ 91, { 123; ] 93, } 125.
    if ((code | 32) === 123) deepest = Math.max(deepest, ++depth)
    else if ((code | 32) === 125) depth--
    else if (code === QUOTE) at = stringEnd(text, at)
  }
  return deepest
}

function stringEnd(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
    at = quote + 1
  }
}

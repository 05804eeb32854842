import type { ValueType } from './declaration.ts'
import type { Span } from './diagnostics.ts'
import type { Word } from './lexer.ts'
import { closingBacktick } from './paths.ts'
import { scanToken } from './tokens.ts'
import type { JsonTemplate, Template, TemplatePart, Token } from './values.ts'

/** The text of one value with its word's escapes undone, and where each piece of it stands in the query. */
export interface Source {
  readonly text: string
  readonly tokens: readonly PlacedToken[]
  readonly span: Span
  /** False in a fence: there a dollar is only ever a dollar. */
  readonly takesTokens: boolean
  /** The value itself, where it came as JSON and not as text. */
  readonly json?: JsonTemplate
  /** The offset in the query of an offset in `text`. */
  at(offset: number): number
}

export interface PlacedToken {
  readonly start: number
  readonly end: number
  readonly token: Token
}

/**
 * How much of `\x` a word undoes, by the type of its parameter: prose undoes the usual ones; regular expressions and
 * expressions have escapes of their own, so only the word's quote is undone; other languages also need `\$`.
 */
type Family = 'prose' | 'own' | 'code'

export function familyOf(type: ValueType): Family {
  switch (type) {
    case 'regex':
    case 'expression':
    case 'aggregates':
      return 'own'
    case 'json':
    case 'javascript':
    case 'sql':
    case 'graphql':
    case 'css':
      return 'code'
    default:
      return 'prose'
  }
}

const NO_TOKENS: readonly PlacedToken[] = []

export function readWord(word: Word, type: ValueType): Source {
  const { raw, inner, span } = word
  const takesTokens = word.style !== 'fence'
  const at = (offset: number) => inner + offset
  if (!takesTokens || !/[\\$]/.test(raw)) return { text: raw, tokens: NO_TOKENS, span, takesTokens, at }
  return undoEscapes(word, familyOf(type), type === 'path' || type === 'column')
}

/** Part of a source, for a list that was written as one word. */
export function sliceSource(source: Source, start: number, end: number): Source {
  const offset = source.at(start)
  return {
    text: source.text.slice(start, end),
    tokens: source.tokens
      .filter(placed => placed.start >= start && placed.end <= end)
      .map(placed => ({ ...placed, start: placed.start - start, end: placed.end - start })),
    span: { offset, length: source.at(end) - offset },
    takesTokens: source.takesTokens,
    at: inside => source.at(start + inside),
  }
}

export function templateOf(source: Source): Template {
  if (source.tokens.length === 0) return { parts: source.text === '' ? [] : [source.text] }
  const parts: TemplatePart[] = []
  let from = 0
  for (const { start, end, token } of source.tokens) {
    if (start > from) parts.push(source.text.slice(from, start))
    parts.push(token)
    from = end
  }
  if (from < source.text.length) parts.push(source.text.slice(from))
  return { parts }
}

function undoEscapes(word: Word, family: Family, isPath: boolean): Source {
  const { raw, inner } = word
  const quote = word.style === 'single' ? "'" : word.style === 'double' ? '"' : ''
  const shifts = new Shifts(inner)
  const tokens: PlacedToken[] = []
  let text = ''
  for (let i = 0; i < raw.length; ) {
    const char = raw[i]!
    if (char === '\\' && i + 1 < raw.length) {
      const length = raw[i + 1] === 'u' && family === 'prose' && isHex4(raw, i + 2) ? 6 : 2
      const undone =
        length === 6
          ? String.fromCharCode(Number.parseInt(raw.slice(i + 2, i + 6), 16))
          : undo(raw[i + 1]!, quote, family)
      text += undone ?? raw.slice(i, i + 2)
      i += length
      if (undone !== undefined) shifts.add(text.length, length - undone.length)
    } else if (char === '$') {
      const found = scanToken(raw, i, offset => inner + offset)
      const end = found?.end ?? i + 1
      if (found) tokens.push({ start: text.length, end: text.length + end - i, token: found.token })
      text += raw.slice(i, end)
      i = end
    } else if (char === '`' && isPath) {
      // A name in back-ticks is a name, dollars and all.
      const end = Math.max(i + 1, closingBacktick(raw, i) + 1)
      text += raw.slice(i, end)
      i = end
    } else {
      text += char
      i++
    }
  }
  return { text, tokens, span: word.span, takesTokens: true, at: offset => shifts.at(offset) }
}

const PROSE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** What `\` and this character stand for; undefined where they stay two characters. */
function undo(char: string, quote: string, family: Family): string | undefined {
  if (char === quote) return quote
  if (char === '$') return family === 'own' ? undefined : '$'
  return family === 'prose' && Object.hasOwn(PROSE, char) ? PROSE[char] : undefined
}

const isHex4 = (text: string, at: number): boolean => /^[0-9a-fA-F]{4}$/.test(text.slice(at, at + 4))

/** Undone escapes make the text shorter than the query; this finds the way back. */
class Shifts {
  readonly #inner: number
  readonly #places: number[] = []
  readonly #totals: number[] = []

  constructor(inner: number) {
    this.#inner = inner
  }

  add(textOffset: number, dropped: number): void {
    this.#places.push(textOffset)
    this.#totals.push((this.#totals.at(-1) ?? 0) + dropped)
  }

  at(offset: number): number {
    let low = 0
    let high = this.#places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#places[middle]! <= offset) low = middle + 1
      else high = middle
    }
    return this.#inner + offset + (low > 0 ? this.#totals[low - 1]! : 0)
  }
}

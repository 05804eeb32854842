import { closingBacktick } from '../paths.ts'
import { scanToken } from '../tokens.ts'
import type { Token } from '../values.ts'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'

/** A piece of an expression. Offsets are those of the expression's own text. */
export type Lexeme = { readonly start: number; readonly end: number } & (
  | { readonly kind: 'number'; readonly text: string }
  /** `text` is what stands between the quotes, escapes and all: only the parser knows text from regular expression. */
  | { readonly kind: 'string'; readonly text: string; readonly quote: string }
  | { readonly kind: 'path'; readonly text: string }
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'operator'; readonly text: string }
  | { readonly kind: 'end' }
)

export interface LexProblem {
  readonly start: number
  readonly end: number
  readonly message: Message
}

const SPACE = /\s+/y
const NUMBER = /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_])/uy
const NUMBER_LIKE = /[\p{L}\p{N}_.]+/uy
const OPERATOR = /\|\||&&|==|!=|<>|<=|>=|=~|!~|\?\?|[-=<>!+*/%(),]/y
const FIRST_SEGMENT = /[\p{L}_@:][\p{L}\p{N}\p{M}_@:]*/uy
const NEXT_SEGMENT = /[\p{L}\p{N}\p{M}_@:]+/uy

/** Cuts an expression into pieces; stops at the first thing that is none. */
export function lexExpression(
  text: string,
  at: (offset: number) => number,
): { readonly lexemes: readonly Lexeme[]; readonly problem?: LexProblem } {
  const lexemes: Lexeme[] = []
  let offset = 0
  for (;;) {
    offset = matchAt(SPACE, text, offset) ?? offset
    if (offset >= text.length) break
    const found = next(text, offset, at)
    if ('message' in found) {
      return { lexemes: [...lexemes, { kind: 'end', start: found.start, end: found.start }], problem: found }
    }
    lexemes.push(found)
    offset = found.end
  }
  return { lexemes: [...lexemes, { kind: 'end', start: text.length, end: text.length }] }
}

function matchAt(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function next(text: string, start: number, at: (offset: number) => number): Lexeme | LexProblem {
  const char = text[start]!
  if (char === "'" || char === '"') return string(text, start, char)
  if (char === '$') return token(text, start, at)
  if (/\d/.test(char) || (char === '.' && /\d/.test(text[start + 1] ?? ''))) return number(text, start)
  if (char === '`') return path(text, start)
  const word = matchAt(FIRST_SEGMENT, text, start)
  if (word !== undefined) return path(text, start)
  const end = matchAt(OPERATOR, text, start)
  if (end !== undefined) return operator(text, start, end)
  const length = text.codePointAt(start)! > 0xffff ? 2 : 1
  return { start, end: start + length, message: messages.strayCharacter(text.slice(start, start + length)) }
}

function operator(text: string, start: number, end: number): Lexeme | LexProblem {
  const found = text.slice(start, end)
  const mistaken = ['===', '!==', '=>', '=<'].find(wrong => text.startsWith(wrong, start))
  if (mistaken) return { start, end: start + mistaken.length, message: messages.foreignOperator(mistaken) }
  return { kind: 'operator', text: found, start, end }
}

function string(text: string, start: number, quote: string): Lexeme | LexProblem {
  for (let end = start + 1; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === quote)
      return { kind: 'string', text: text.slice(start + 1, end), quote, start, end: end + 1 }
  }
  return { start, end: text.length, message: messages.unclosedText(quote) }
}

function token(text: string, start: number, at: (offset: number) => number): Lexeme | LexProblem {
  const found = scanToken(text, start, at)
  if (found) return { kind: 'token', token: found.token, start, end: found.end }
  return { start, end: start + 1, message: messages.strayDollar() }
}

function number(text: string, start: number): Lexeme | LexProblem {
  const end = matchAt(NUMBER, text, start)
  if (end !== undefined) return { kind: 'number', text: text.slice(start, end), start, end }
  const wrong = matchAt(NUMBER_LIKE, text, start) ?? start + 1
  return { start, end: wrong, message: messages.badNumber(text.slice(start, wrong)) }
}

/** `a.b.0`, `` `odd name`.x ``. A minus is never part of a bare name here: `a-b` subtracts. */
function path(text: string, start: number): Lexeme | LexProblem {
  let end = start
  for (let first = true; ; first = false) {
    const segment = segmentEnd(text, end, first)
    if (segment === 'unclosed') return { start: end, end: text.length, message: messages.unclosedName() }
    if (segment === undefined) return dotAtEnd(text, start, end)
    end = segment
    if (text[end] !== '.') return { kind: 'path', text: text.slice(start, end), start, end }
    end++
  }
}

const dotAtEnd = (text: string, start: number, end: number): LexProblem =>
  text[end] === '*'
    ? { start, end: end + 1, message: messages.wildcardHere(text.slice(start, end + 1)) }
    : { start: end - 1, end, message: messages.dotAtEnd(text.slice(start, end - 1)) }

function segmentEnd(text: string, from: number, first: boolean): number | 'unclosed' | undefined {
  if (text[from] !== '`') return matchAt(first ? FIRST_SEGMENT : NEXT_SEGMENT, text, from)
  const close = closingBacktick(text, from)
  return close < 0 ? 'unclosed' : close + 1
}

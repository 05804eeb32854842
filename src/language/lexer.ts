import type { Span } from './diagnostics.ts'
import * as messages from './messages.ts'
import { closingBacktick } from './paths.ts'
import type { Problems } from './problems.ts'
import { tokenEnd } from './tokens.ts'

export type Lexeme = Word | FlagName | Pipe | Comment

/** A value as written: the text between its quotes, with every escape still in it. */
export interface Word {
  readonly kind: 'word'
  readonly style: 'bare' | 'single' | 'double' | 'fence'
  readonly raw: string
  /** Where `raw` begins. */
  readonly inner: number
  /** Quotes included. */
  readonly span: Span
  /** What stands directly after the opening of a fence: `js`, `sql`. */
  readonly tag?: string
}

export interface FlagName {
  readonly kind: 'flag'
  readonly name: string
  /** The next lexeme is its value, joined by `=`. */
  readonly equals: boolean
  /** The dashes and the name. */
  readonly span: Span
}

export interface Pipe {
  readonly kind: 'pipe'
  readonly span: Span
}

export interface Comment {
  readonly kind: 'comment'
  readonly span: Span
}

const WHITE = /\s+/y
const FLAG = /--([A-Za-z]\w*(?:\.\w+)*)/y
const FENCE_TAG = /[^\s`]*(?=\r?\n)/y
const NOT_WORD_END = /(?!\s|\|\||$)/y

/** Cuts a query into words, flags, pipes and comments. What is wrong is reported, and reading goes on after it. */
export function lex(text: string, problems: Problems): Lexeme[] {
  return new Lexer(text, problems).run()
}

class Lexer {
  readonly #text: string
  readonly #problems: Problems
  readonly #lexemes: Lexeme[] = []
  #at = 0

  constructor(text: string, problems: Problems) {
    this.#text = text
    this.#problems = problems
  }

  run(): Lexeme[] {
    for (this.#skipWhite(); this.#at < this.#text.length; this.#skipWhite()) this.#next()
    return this.#lexemes
  }

  #next(): void {
    const text = this.#text
    const start = this.#at
    if (text.startsWith('/*', start)) this.#comment(start)
    else if (text.startsWith('||', start)) {
      this.#lexemes.push({ kind: 'pipe', span: { offset: start, length: 2 } })
      this.#at = start + 2
    } else if (text.startsWith('--', start) && isLetter(text.charCodeAt(start + 2))) this.#flag(start)
    else this.#word(start)
  }

  #skipWhite(): void {
    WHITE.lastIndex = this.#at
    if (WHITE.test(this.#text)) this.#at = WHITE.lastIndex
  }

  #comment(start: number): void {
    const close = this.#text.indexOf('*/', start + 2)
    if (close < 0) this.#problems.report({ offset: start, length: 2 }, messages.unclosedComment())
    this.#at = close < 0 ? this.#text.length : close + 2
    this.#lexemes.push({ kind: 'comment', span: { offset: start, length: this.#at - start } })
  }

  #flag(start: number): void {
    FLAG.lastIndex = start
    const name = FLAG.exec(this.#text)?.[1] ?? ''
    const end = start + 2 + name.length
    const span = { offset: start, length: end - start }
    this.#at = end
    const equals = this.#text[end] === '='
    this.#lexemes.push({ kind: 'flag', name, equals, span })
    if (equals) {
      this.#at = end + 1
      if (!this.#atWordEnd()) this.#word(this.#at)
    } else if (!this.#atWordEnd()) {
      const stop = this.#bareEnd(end)
      this.#problems.report(
        { offset: start, length: stop - start },
        messages.badFlagName(this.#text.slice(start, stop)),
      )
      this.#at = stop
    }
  }

  #word(start: number): void {
    const first = this.#text[start]
    if (this.#text.startsWith('```', start)) this.#fence(start)
    else if (first === '"') this.#quoted(start, 'double')
    else if (first === "'") this.#quoted(start, 'single')
    else if (first === '{' || first === '[') this.#brackets(start)
    else this.#bare(start, start)
  }

  #fence(start: number): void {
    const text = this.#text
    FENCE_TAG.lastIndex = start + 3
    const tag = FENCE_TAG.exec(text)?.[0]
    let inner = start + 3
    if (tag !== undefined) {
      inner += tag.length
      inner += text[inner] === '\r' ? 2 : 1
    }
    const close = text.indexOf('```', inner)
    if (close < 0) this.#unclosed(start, 3, '```')
    const end = close < 0 ? this.#recoveryEnd(inner) : close
    this.#at = close < 0 ? end : close + 3
    const span = { offset: start, length: this.#at - start }
    const word: Word = { kind: 'word', style: 'fence', raw: text.slice(inner, end), inner, span }
    this.#lexemes.push(tag ? { ...word, tag } : word)
    if (close >= 0) this.#expectWordEnd('```')
  }

  #quoted(start: number, style: 'single' | 'double'): void {
    const quote = this.#text[start]!
    const close = closingQuote(this.#text, start)
    if (close < 0) this.#unclosed(start, 1, quote)
    const end = close < 0 ? this.#recoveryEnd(start + 1) : close
    this.#at = close < 0 ? end : close + 1
    this.#push(style, start, start + 1, end)
    if (close >= 0) this.#expectWordEnd(quote)
  }

  /** Unquoted JSON runs to its matching bracket. What goes on after it (`[a-z]+`) is a bare word like any other. */
  #brackets(start: number): void {
    const { close, wrong } = matchingBracket(this.#text, start)
    if (close !== undefined) {
      this.#bare(start, close + 1)
      return
    }
    const place = { offset: wrong ?? start, length: 1 }
    const bracket = this.#text[place.offset]!
    this.#problems.report(place, wrong ? messages.wrongBracket(bracket) : messages.unclosedBracket(bracket))
    this.#at = this.#recoveryEnd(start)
    this.#push('bare', start, start, this.#at)
  }

  #bare(start: number, from: number): void {
    this.#at = this.#bareEnd(from)
    this.#push('bare', start, start, this.#at)
  }

  #push(style: Word['style'], start: number, inner: number, end: number): void {
    const raw = this.#text.slice(inner, end)
    this.#lexemes.push({ kind: 'word', style, raw, inner, span: { offset: start, length: this.#at - start } })
  }

  /** Where a bare word ends: white space or `||`, neither inside back-ticks nor inside a token. */
  #bareEnd(from: number): number {
    const text = this.#text
    let at = from
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (isPlain(code)) at++
      else if (code === 0x7c && text.charCodeAt(at + 1) === 0x7c) break
      else if (code === 0x7c) this.#lonePipe(at++)
      else if (code === 0x60) at = this.#backticks(at)
      else if (code === 0x24) at = Math.max(at + 1, tokenEnd(text, at))
      else if (code === 0x5c && (text[at + 1] === '$' || text[at + 1] === '\\')) at += 2
      else if (isWhite(text, at)) break
      else at++
    }
    return at
  }

  #backticks(open: number): number {
    const close = closingBacktick(this.#text, open)
    if (close >= 0) return close + 1
    this.#problems.report({ offset: open, length: 1 }, messages.unclosedBacktick())
    return open + 1
  }

  #lonePipe(at: number): void {
    this.#problems.report({ offset: at, length: 1 }, messages.lonePipe())
  }

  #unclosed(start: number, length: number, quote: string): void {
    this.#problems.report({ offset: start, length }, messages.unclosedQuote(quote))
  }

  /** The stage that holds the mistake is lost, the next one is not: reading goes on at `||`. */
  #recoveryEnd(from: number): number {
    const pipe = this.#text.indexOf('||', from)
    return pipe < 0 ? this.#text.length : pipe
  }

  #atWordEnd(): boolean {
    NOT_WORD_END.lastIndex = this.#at
    return this.#at >= this.#text.length || !NOT_WORD_END.test(this.#text)
  }

  #expectWordEnd(quote: string): void {
    if (this.#atWordEnd()) return
    const start = this.#at
    // Read as plain characters: a second complaint about the same spot would help nobody.
    while (!this.#atWordEnd()) this.#at++
    const rest = this.#text.slice(start, this.#at)
    this.#problems.report({ offset: start, length: rest.length }, messages.afterQuote(quote, rest))
  }
}

/** The quote that closes the one at `open`; a backslash protects the character after it. -1: none. */
function closingQuote(text: string, open: number): number {
  const quote = text[open]!
  for (let at = open + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === quote) return at
  }
  return -1
}

/** The bracket that closes the one at `open`, minding strings, comments and tokens; or the first that closes another. */
function matchingBracket(text: string, open: number): { readonly close?: number; readonly wrong?: number } {
  const stack: string[] = []
  for (let at = open; at < text.length; at++) {
    const char = text[at]!
    if (char === '{' || char === '[') stack.push(char === '{' ? '}' : ']')
    else if (char === '}' || char === ']') {
      if (stack.pop() !== char) return { wrong: at }
      if (stack.length === 0) return { close: at }
    } else if (char === '|' && text[at + 1] === '|') break
    else {
      at = skipInside(text, at, char)
      if (at < 0) break
    }
  }
  return {}
}

/** The last character of the string, comment or token that begins here; the place itself where none does. */
function skipInside(text: string, at: number, char: string): number {
  if (char === '"' || char === "'") return closingQuote(text, at)
  if (char === '\\') return at + 1
  if (char === '$') return Math.max(at, tokenEnd(text, at) - 1)
  if (char === '/' && text[at + 1] === '*') {
    const close = text.indexOf('*/', at + 2)
    return close < 0 ? -1 : close + 1
  }
  // Only after white space or a comma: in `{url: http://x}` the slashes are a mistake to be shown, not a comment.
  if (char === '/' && text[at + 1] === '/' && /[\s,[{]/.test(text[at - 1] ?? '')) return lineEnd(text, at)
  return at
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)

/** Letters, digits and the usual punctuation: nothing that a bare word must look at twice. */
const isPlain = (code: number): boolean => isLetter(code) || (code >= 0x25 && code <= 0x3b)

function isWhite(text: string, at: number): boolean {
  WHITE.lastIndex = at
  return WHITE.test(text)
}

import { type Json, parseJson } from '../../language/json.ts'
import { BadContent } from './bad-content.ts'

/** Deeper values are of no use to anybody, and overflow the stack of whoever walks them. */
const DEEPEST = 500
/** One value stands in memory whole; a file is many of them. */
const LONGEST = 64 * 1024 * 1024

/**
 * The values of a JSON text that comes in pieces: the items of the array that it is, or values that follow each other.
 * Only the value that is being read is in memory.
 */
export class JsonValues {
  /** What was not given out yet, from the beginning of a value on. */
  #text = ''
  /** How far it was looked through. */
  #at = 0
  #start = -1
  #depth = 0
  #inString = false
  #isEscaped = false
  #isArray: boolean | undefined
  #isClosed = false
  /** In an array: a comma came, so a value must follow; or a value came, so a comma must. */
  #expects: 'value' | 'comma' = 'value'
  #count = 0
  #line = 1

  get isArray(): boolean {
    return this.#isArray === true
  }

  get count(): number {
    return this.#count
  }

  *push(piece: string): Generator<Json> {
    this.#text += piece
    while (this.#at < this.#text.length) {
      const value = this.#start < 0 ? this.#between() : this.#inside()
      if (value !== undefined) yield value
    }
    this.#forget()
  }

  *end(): Generator<Json> {
    if (this.#start >= 0) {
      if (this.#depth > 0 || this.#inString) throw this.#bad('the text ends in the middle of a value')
      yield this.#take(this.#text.length)
    }
    if (this.#isArray && !this.#isClosed) throw this.#bad('the array is never closed')
  }

  /** Outside of a value: what may stand here. */
  #between(): undefined {
    const char = this.#text[this.#at]!
    if (char === '\n') this.#line++
    if (BLANK.has(char)) this.#at++
    else if (this.#isClosed) throw this.#bad(`nothing may follow the array, but ${JSON.stringify(char)} does`)
    else if (this.#isArray === undefined && char === '[') {
      this.#isArray = true
      this.#at++
    } else if (this.#isArray && char === ']' && (this.#expects === 'comma' || this.#count === 0)) {
      this.#isClosed = true
      this.#at++
    } else if (this.#isArray && this.#expects === 'comma') {
      if (char !== ',') throw this.#bad(`a comma is missing before ${JSON.stringify(char)}`)
      this.#expects = 'value'
      this.#at++
    } else {
      this.#isArray ??= false
      this.#start = this.#at
    }
    return undefined
  }

  /** Inside a value, up to its end or the end of the piece. */
  #inside(): Json | undefined {
    const text = this.#text
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) {
          this.#inString = false
          if (this.#depth === 0) return this.#take(this.#at + 1)
        }
      } else if (code === QUOTE) this.#inString = true
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        if (++this.#depth > DEEPEST) throw this.#bad(`a value is nested more than ${DEEPEST} deep`)
      } else if (this.#depth > 0) {
        if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && --this.#depth === 0)
          return this.#take(this.#at + 1)
      } else if (code <= 32 || code === COMMA || code === CLOSE_BRACKET) return this.#take(this.#at)
    }
    if (text.length - this.#start > LONGEST) throw this.#bad('a single value is longer than 64 MB')
    return undefined
  }

  #take(end: number): Json {
    const source = this.#text.slice(this.#start, end)
    let value: Json
    try {
      value = parseJson(source)
    } catch (error) {
      throw this.#bad((error as Error).message)
    }
    for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) this.#line++
    this.#at = end
    this.#start = -1
    this.#count++
    this.#expects = 'comma'
    return value
  }

  #forget(): void {
    const from = this.#start < 0 ? this.#at : this.#start
    this.#text = this.#text.slice(from)
    this.#at -= from
    if (this.#start >= 0) this.#start = 0
  }

  #bad(what: string): BadContent {
    return new BadContent(`It is not valid JSON: in the value that begins on line ${this.#line} ${what}.`)
  }
}

/** White space, and what RFC 7464 puts before each value. */
const BLANK: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n', '\x1e'])
const QUOTE = 34
const BACKSLASH = 92
const OPEN_BRACE = 123
const OPEN_BRACKET = 91
const CLOSE_BRACE = 125
const CLOSE_BRACKET = 93
const COMMA = 44

import type { Source } from './escapes.ts'
import type { Json } from './json.ts'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'
import type { JsonTemplate, TemplatePart, Token } from './values.ts'

/** Deeper than anybody nests by hand, and far from the end of the stack. */
const MAX_DEPTH = 200

type Report = (start: number, end: number, message: Message) => void

/**
 * JSON as people type it: bare keys, single quotes, trailing commas, comments, and tokens as leaves or inside
 * strings. Integers are exact. Undefined when it is wrong, which is then reported once.
 */
export function parseLenientJson(source: Source, report: Report): JsonTemplate | undefined {
  try {
    return new Reader(source).document()
  } catch (error) {
    if (!(error instanceof Mistake)) throw error
    report(error.start, error.end, error.said)
    return undefined
  }
}

/** Never leaves this file. */
class Mistake extends Error {
  readonly start: number
  readonly end: number
  readonly said: Message
  constructor(start: number, end: number, said: Message) {
    super(said.message)
    this.start = start
    this.end = end
    this.said = said
  }
}

const BLANK = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)+/y
const KEY = /[\p{L}\p{N}\p{M}_$-]+/uy
const BARE = /[^\s,:{}[\]"']+/y
const NUMBER = /^[+-]?(?:0[xX][0-9a-fA-F]+|(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)$/
const INTEGER = /^[+-]?(?:0[xX][0-9a-fA-F]+|\d+)$/
const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null }
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
  '\n': '',
}

class Reader {
  readonly #text: string
  readonly #tokens: ReadonlyMap<number, { readonly end: number; readonly token: Token }>
  #at = 0
  #depth = 0

  constructor(source: Source) {
    this.#text = source.text
    this.#tokens = new Map(source.tokens.map(placed => [placed.start, placed]))
  }

  document(): JsonTemplate {
    this.#blank()
    const value = this.#value()
    this.#blank()
    if (this.#at < this.#text.length)
      throw this.#mistake(messages.jsonAfterEnd(this.#shown()), this.#text.length)
    return value
  }

  #value(): JsonTemplate {
    const char = this.#text[this.#at]
    if (char === '{') return this.#nested(() => this.#object())
    if (char === '[') return this.#nested(() => this.#array())
    if (char === '"' || char === "'") return this.#string(char)
    const placed = this.#tokens.get(this.#at)
    return placed ? this.#bareToken(placed) : this.#bare()
  }

  #nested(read: () => JsonTemplate): JsonTemplate {
    if (++this.#depth > MAX_DEPTH) throw this.#mistake(messages.jsonTooDeep(MAX_DEPTH))
    const value = read()
    this.#depth--
    return value
  }

  #object(): JsonTemplate {
    const open = this.#at++
    const entries: [string, JsonTemplate][] = []
    for (this.#blank(); this.#text[this.#at] !== '}'; ) {
      const key = this.#key(open)
      this.#blank()
      if (this.#text[this.#at] !== ':') throw this.#mistake(messages.jsonNoColon(key, this.#shown()))
      this.#at++
      this.#blank()
      entries.push([key, this.#value()])
      this.#separator('}', open)
    }
    this.#at++
    return objectOf(entries)
  }

  #array(): JsonTemplate {
    const open = this.#at++
    const items: JsonTemplate[] = []
    for (this.#blank(); this.#text[this.#at] !== ']'; ) {
      items.push(this.#value())
      this.#separator(']', open)
    }
    this.#at++
    return arrayOf(items)
  }

  /** After an item: a comma (a trailing one is fine) or the closing bracket, on which it stops. */
  #separator(close: string, open: number): void {
    this.#blank()
    const char = this.#text[this.#at]
    if (char === ',') {
      this.#at++
      this.#blank()
    } else if (char !== close) {
      if (char === undefined) throw new Mistake(open, open + 1, messages.jsonUnclosed(this.#text[open]!))
      throw this.#mistake(messages.jsonNoComma(close, this.#shown()))
    }
  }

  #key(open: number): string {
    const char = this.#text[this.#at]
    if (char === undefined) throw new Mistake(open, open + 1, messages.jsonUnclosed('{'))
    const start = this.#at
    const placed = this.#tokens.get(start)
    if (placed) throw new Mistake(start, placed.end, messages.jsonTokenKey(placed.token.source))
    if (char === '"' || char === "'") {
      const key = this.#string(char)
      if (key.kind === 'constant') return String(key.value)
      throw new Mistake(start, this.#at, messages.jsonTokenKey(this.#text.slice(start, this.#at)))
    }
    KEY.lastIndex = start
    const key = KEY.exec(this.#text)?.[0]
    if (key === undefined) throw this.#mistake(messages.jsonBadKey(this.#shown()))
    this.#at += key.length
    return key
  }

  #string(quote: string): JsonTemplate {
    const open = this.#at++
    const parts: TemplatePart[] = []
    let text = ''
    for (;;) {
      const char = this.#text[this.#at]
      const placed = this.#tokens.get(this.#at)
      if (char === undefined) throw new Mistake(open, open + 1, messages.jsonUnclosed(quote))
      if (placed) {
        if (text !== '') parts.push(text)
        parts.push(placed.token)
        text = ''
        this.#at = placed.end
      } else if (char === '\\') text += this.#escape()
      else {
        this.#at++
        if (char === quote) break
        text += char
      }
    }
    if (parts.length === 0) return { kind: 'constant', value: text }
    if (text !== '') parts.push(text)
    return { kind: 'text', template: { parts } }
  }

  #escape(): string {
    const rest = this.#text.slice(this.#at + 1, this.#at + 6)
    const hex = /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(rest)
    if (hex) {
      this.#at += 1 + hex[0].length
      return String.fromCharCode(Number.parseInt((hex[1] ?? hex[2])!, 16))
    }
    const char = rest[0] ?? ''
    this.#at += 1 + char.length
    return Object.hasOwn(ESCAPES, char) ? ESCAPES[char]! : char
  }

  #bareToken(placed: { readonly end: number; readonly token: Token }): JsonTemplate {
    this.#at = placed.end
    BARE.lastIndex = this.#at
    if (this.#at < this.#text.length && BARE.test(this.#text))
      throw this.#mistake(messages.jsonTokenNotAlone(placed.token.source))
    return { kind: 'text', template: { parts: [placed.token] } }
  }

  #bare(): JsonTemplate {
    BARE.lastIndex = this.#at
    const word = BARE.exec(this.#text)?.[0]
    if (word === undefined) throw this.#mistake(messages.jsonNoValue(this.#shown()))
    const end = this.#at + word.length
    if (Object.hasOwn(WORDS, word)) {
      this.#at = end
      return { kind: 'constant', value: WORDS[word]! }
    }
    const value = NUMBER.test(word) ? numberOf(word) : undefined
    if (value === undefined) throw this.#mistake(messages.jsonBareText(word), end)
    this.#at = end
    return { kind: 'constant', value }
  }

  #blank(): void {
    BLANK.lastIndex = this.#at
    if (BLANK.test(this.#text)) this.#at = BLANK.lastIndex
  }

  #shown(): string {
    return this.#text.slice(this.#at, this.#at + 20)
  }

  #mistake(message: Message, end = this.#at + 1): Mistake {
    return new Mistake(this.#at, Math.min(Math.max(end, this.#at), this.#text.length), message)
  }
}

/** Integers beyond a double's reach stay exact; a number too large for a double is no number. */
function numberOf(word: string): number | bigint | undefined {
  const sign = word.startsWith('-') ? -1 : 1
  const digits = word.replace(/^[+-]/, '')
  const value = Number(digits) * sign
  if (INTEGER.test(word) && !Number.isSafeInteger(value)) return BigInt(digits) * BigInt(sign)
  return Number.isFinite(value) ? value : undefined
}

/** Without tokens it is one constant. */
export function arrayOf(items: readonly JsonTemplate[]): JsonTemplate {
  const value: Json[] = []
  for (const item of items) {
    if (item.kind !== 'constant') return { kind: 'array', items }
    value.push(item.value)
  }
  return { kind: 'constant', value }
}

export function objectOf(entries: readonly (readonly [string, JsonTemplate])[]): JsonTemplate {
  const value: Record<string, Json> = {}
  for (const [key, item] of entries) {
    if (item.kind !== 'constant') return { kind: 'object', entries }
    setKey(value, key, item.value)
  }
  return { kind: 'constant', value }
}

/** Plain assignment to `__proto__` would change the object's nature instead of giving it a key. */
export function setKey(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
  else object[key] = value
}

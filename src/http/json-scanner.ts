/** Deeper documents are refused: what reads and writes them later is recursive. */
export const MAX_DEPTH = 500

export class JsonMistake extends Error {
  /** In bytes from the start. */
  readonly at: number
  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const codes = (text: string) => new Set(Buffer.from(text))
const BLANK = codes(' \t\r\n')
const NUMBER = codes('+-.0123456789eE')
const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:') as unknown as [number, number, number, number]
const OPEN = { array: 0x5b, object: 0x7b }
const CLOSE = { array: 0x5d, object: 0x7d }

/**
 * Reads JSON out of bytes, piece by piece. `JSON.parse` is ten times as fast, but it does not say where a mistake is and
 * takes no more text than a JavaScript string can hold (half a gigabyte), which a page session may legally exceed.
 */
export class JsonScanner {
  readonly #bytes: Buffer
  #at = 0
  #depth = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  read(): unknown {
    const value = this.#value()
    this.#skipBlank()
    if (this.#at < this.#bytes.length) this.#fail(`the document ends before ${this.#here()}`)
    return value
  }

  #value(): unknown {
    this.#skipBlank()
    const first = this.#bytes[this.#at]
    if (first === QUOTE) return this.#string()
    if (first === OPEN.object) return this.#nested(() => this.#object())
    if (first === OPEN.array) return this.#nested(() => this.#array())
    for (const word of ['true', 'false', 'null'] as const) {
      if (this.#bytes.toString('latin1', this.#at, this.#at + word.length) === word) {
        this.#at += word.length
        return JSON.parse(word)
      }
    }
    return this.#number()
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`)
    this.#at++
    const value = read()
    this.#depth--
    return value
  }

  #object(): Record<string, unknown> {
    const entries: [string, unknown][] = []
    this.#members(CLOSE.object, '}', () => {
      if (this.#bytes[this.#at] !== QUOTE)
        this.#fail(`expected a field name in double quotes, found ${this.#here()}`)
      const name = this.#string()
      this.#skipBlank()
      if (this.#bytes[this.#at] !== COLON)
        this.#fail(`expected ":" after a field name, found ${this.#here()}`)
      this.#at++
      entries.push([name, this.#value()])
    })
    return Object.fromEntries(entries)
  }

  #array(): unknown[] {
    const items: unknown[] = []
    this.#members(CLOSE.array, ']', () => items.push(this.#value()))
    return items
  }

  #members(close: number, closeText: string, readOne: () => void): void {
    this.#skipBlank()
    if (this.#bytes[this.#at] === close) {
      this.#at++
      return
    }
    for (;;) {
      this.#skipBlank()
      readOne()
      this.#skipBlank()
      const next = this.#bytes[this.#at]
      if (next !== COMMA && next !== close)
        this.#fail(`expected "," or "${closeText}", found ${this.#here()}`)
      this.#at++
      if (next === close) return
    }
  }

  #string(): string {
    const start = this.#at
    const end = endOfString(this.#bytes, start)
    if (end < 0) this.#fail('a text that starts here is never closed')
    try {
      const value = JSON.parse(this.#bytes.toString('utf8', start, end + 1))
      this.#at = end + 1
      return value
    } catch {
      this.#at = firstBadCharacter(this.#bytes, start, end)
      this.#fail(
        `${this.#here()} is not allowed inside a text; control characters and backslashes need an escape`,
      )
    }
  }

  #number(): number {
    const start = this.#at
    while (NUMBER.has(this.#bytes[this.#at] ?? 0)) this.#at++
    const text = this.#bytes.toString('latin1', start, this.#at)
    if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) return Number(text)
    this.#at = start
    this.#fail(
      text === '' ? `expected a value, found ${this.#here()}` : `${text.slice(0, 40)} is not a number`,
    )
  }

  #skipBlank(): void {
    while (BLANK.has(this.#bytes[this.#at] ?? 0)) this.#at++
  }

  #here(): string {
    if (this.#at >= this.#bytes.length) return 'the end of the body'
    const character = String.fromCodePoint(
      this.#bytes.toString('utf8', this.#at, this.#at + 4).codePointAt(0) ?? 0,
    )
    return JSON.stringify(character)
  }

  #fail(message: string): never {
    throw new JsonMistake(Math.min(this.#at, this.#bytes.length), message)
  }
}

/** The place of the quote that ends the string which starts at `start`, or -1. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}

function firstBadCharacter(bytes: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]!
    if (byte < 0x20) return at
    if (byte !== BACKSLASH) continue
    const spelled = /^\\(["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(bytes.toString('latin1', at, at + 6))
    if (!spelled) return at
    at += spelled[0].length - 1
  }
  return start
}

/** Where the document first goes deeper than allowed, or -1. Jumps over strings, so it costs little. */
export function whereTooDeep(bytes: Buffer): number {
  // It takes one byte to open a level: a short body cannot be deep.
  if (bytes.length <= MAX_DEPTH) return -1
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
      if (at < 0) return -1
    } else if (byte === OPEN.array || byte === OPEN.object) {
      if (++depth > MAX_DEPTH) return at
    } else if (byte === CLOSE.array || byte === CLOSE.object) depth--
  }
  return -1
}

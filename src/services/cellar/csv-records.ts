import { BadContent } from './bad-content.ts'

const QUOTE = '"'
/** One record stands in memory whole; a quote that is never closed would make the whole file one. */
const LONGEST = 64 * 1024 * 1024

/**
 * The records of a CSV text that comes in pieces. Fields may stand in double quotes, which double inside; lines end in
 * any of the three ways, and an empty one is no record: the same rules as for a text that is there whole.
 */
export class CsvRecords {
  readonly #separator: string
  #field = ''
  #record: string[] = []
  #state: 'start' | 'plain' | 'quoted' | 'quoteInQuoted' = 'start'
  #wasQuoted = false
  #afterReturn = false
  #line = 1
  #size = 0

  constructor(separator: string) {
    this.#separator = separator
  }

  *push(piece: string): Generator<string[]> {
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!
      if (this.#afterReturn) {
        this.#afterReturn = false
        if (char === '\n') continue
      }
      if (this.#state === 'quoted') at = this.#insideQuotes(piece, at)
      else if (this.#state === 'start' && char === QUOTE) {
        this.#state = 'quoted'
        this.#wasQuoted = true
      } else if (this.#state === 'quoteInQuoted' && char === QUOTE) {
        this.#field += QUOTE
        this.#state = 'quoted'
      } else if (char === this.#separator) this.#endField()
      else if (char === '\n' || char === '\r') {
        this.#afterReturn = char === '\r'
        this.#line++
        const record = this.#endRecord()
        if (record) yield record
      } else if (this.#state === 'quoteInQuoted')
        throw new BadContent(`It is not valid CSV: on line ${this.#line} text follows a closing quote.`)
      else at = this.#plain(piece, at)
    }
  }

  *end(): Generator<string[]> {
    if (this.#state === 'quoted')
      throw new BadContent(`It is not valid CSV: a quote before line ${this.#line} is never closed.`)
    const record = this.#endRecord()
    if (record) yield record
  }

  /** Takes all up to the next quote at once; gives the place of the last character that it took. */
  #insideQuotes(piece: string, at: number): number {
    const quote = piece.indexOf(QUOTE, at)
    const end = quote < 0 ? piece.length : quote
    const text = piece.slice(at, end)
    for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', line + 1)) this.#line++
    this.#grow(text)
    if (quote >= 0) this.#state = 'quoteInQuoted'
    return quote < 0 ? end - 1 : quote
  }

  #plain(piece: string, at: number): number {
    let end = at
    while (end < piece.length && piece[end] !== this.#separator && piece[end] !== '\n' && piece[end] !== '\r')
      end++
    this.#grow(piece.slice(at, end))
    this.#state = 'plain'
    return end - 1
  }

  #grow(text: string): void {
    this.#field += text
    this.#size += text.length
    if (this.#size > LONGEST)
      throw new BadContent(
        `It is not CSV that can be read: the record before line ${this.#line} is longer than 64 MB.`,
      )
  }

  #endField(): void {
    this.#record.push(this.#field)
    this.#field = ''
    this.#state = 'start'
  }

  #endRecord(): string[] | undefined {
    const isEmpty = this.#record.length === 0 && this.#field === '' && !this.#wasQuoted
    this.#endField()
    const record = this.#record
    this.#record = []
    this.#wasQuoted = false
    this.#size = 0
    return isEmpty ? undefined : record
  }
}

import { type AddressKind, type Block, contains, kindOf, parseBlock } from './addresses.ts'

const words = ['private', 'loopback', 'all', 'public'] as const
type Word = (typeof words)[number]
const isWord = (text: string): text is Word => (words as readonly string[]).includes(text)

/** What `FORAGE_NETWORK` takes: CIDR blocks, `private`, `loopback`, `all`, `public`. */
export const isRange = (text: string): boolean => isWord(text) || parseBlock(text) !== undefined

/** The address ranges that the operator opened. */
export interface Ranges {
  /** `public`: nothing but public addresses and the ranges listed, even for what the user wrote. */
  readonly publicOnly: boolean
  allow(address: Uint8Array): boolean
}

/**
 * The ranges of `FORAGE_NETWORK`. A range opens its addresses to everything, pages and redirects included;
 * the metadata addresses stay closed whatever it says.
 */
export function readRanges(texts: readonly string[]): Ranges {
  const given = texts.map(text => text.trim()).filter(text => text !== '')
  const wrong = given.find(text => !isRange(text))
  if (wrong !== undefined)
    throw new TypeError(
      `FORAGE_NETWORK: ${JSON.stringify(wrong)} is neither a CIDR block such as 10.0.0.0/8 nor one of ${words.join(', ')}`,
    )
  const kinds = new Set<AddressKind>()
  if (given.includes('private') || given.includes('all')) kinds.add('private')
  if (given.includes('loopback') || given.includes('all')) kinds.add('loopback')
  if (given.includes('all')) kinds.add('reserved')
  const blocks = given.map(parseBlock).filter((block): block is Block => block !== undefined)
  return {
    publicOnly: given.includes('public'),
    allow(address) {
      const kind = kindOf(address)
      if (kind === 'metadata') return false
      return kinds.has(kind) || blocks.some(block => contains(block, address))
    },
  }
}

import { RE2JS } from 're2js'

/** What must be left as it is (literal stretches, classes), and what is written otherwise. */
const PIECE =
  /\\Q[\s\S]*?(?:\\E|$)|\\u[0-9a-fA-F]{4}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\w+:\]|[^\]\\])*\]?|\(\?<(?![=!])/g

/** A pattern as DuckDB's RE2 takes it: `(?<name>` becomes `(?P<name>`, `\u0041` becomes `\x{0041}`. */
export const re2Pattern = (pattern: string): string =>
  pattern.replace(PIECE, piece => {
    if (piece === '(?<') return '(?P<'
    return /^(?:\[|\\u)/.test(piece) ? piece.replace(/\\u([0-9a-fA-F]{4})|\\[\s\S]/g, hexEscape) : piece
  })

const hexEscape = (written: string, hex: string | undefined): string => (hex ? `\\x{${hex}}` : written)

/** The groups of a pattern: how many there are, and the number of each name. */
export function groupsOf(pattern: string): {
  readonly count: number
  readonly names: Readonly<Record<string, number>>
} {
  const compiled = RE2JS.compile(re2Pattern(pattern))
  return { count: compiled.groupCount(), names: compiled.namedGroups() }
}

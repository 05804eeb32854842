import type { Span } from './diagnostics.ts'
import type { Path, Template, TemplatePart, Token } from './values.ts'

// A path without white space: plain or back-ticked segments, then an optional format.
const TOKEN =
  /\$((?:[\p{L}\p{N}\p{M}_:@-]+|`[^`]*(?:``[^`]*)*`)(?:\.(?:[\p{L}\p{N}\p{M}_:@-]+|`[^`]*(?:``[^`]*)*`))*)(?:\|(url|json|text))?\$/uy
const SEGMENT = /`([^`]*(?:``[^`]*)*)`|[^.`]+/g

export interface FoundToken {
  readonly token: Token
  /** Just after its closing dollar. */
  readonly end: number
}

/**
 * The token that begins at a dollar, if one does; any other dollar is just a dollar. Whether a backslash stands
 * before it is the caller's to know. `at` maps offsets in `text` to offsets in the query.
 */
export function scanToken(
  text: string,
  offset: number,
  at: (offset: number) => number = o => o,
): FoundToken | undefined {
  TOKEN.lastIndex = offset
  const match = TOKEN.exec(text)
  if (!match) return undefined
  const end = offset + match[0].length
  const start = at(offset)
  return { token: makeToken(match, { offset: start, length: at(end) - start }), end }
}

/** Where the token that begins at this dollar ends, or -1. */
export function tokenEnd(text: string, offset: number): number {
  TOKEN.lastIndex = offset
  return TOKEN.test(text) ? TOKEN.lastIndex : -1
}

function makeToken(match: RegExpExecArray, span: Span): Token {
  const source = match[0]
  const text = match[1]!
  const segments = splitSegments(text)
  const { kind, skip } = classify(text, segments)
  const path: Path = skip === 0 ? { text, segments } : named(segments.slice(skip))
  const format = match[2] as Token['format']
  return format ? { kind, path, format, source, span } : { kind, path, source, span }
}

const named = (segments: readonly string[]): Path => ({ text: segments.join('.'), segments })

function splitSegments(text: string): string[] {
  if (!text.includes('`')) return text.split('.')
  const segments: string[] = []
  for (const match of text.matchAll(SEGMENT)) segments.push(match[1]?.replaceAll('``', '`') ?? match[0])
  return segments
}

const NAMED: Readonly<Record<string, Token['kind']>> = {
  CREDENTIALS: 'credential',
  SECRETS: 'secret',
  PROMPTS: 'prompt',
  CHECKPOINTS: 'checkpoint',
  template: 'template',
}

const FIXED: Readonly<Record<string, { readonly kind: Token['kind']; readonly skip: number }>> = {
  TIMESTAMP: { kind: 'timestamp', skip: 1 },
  'TIMESTAMP.EPOCH': { kind: 'timestamp', skip: 1 },
  'TIMESTAMP.ISO': { kind: 'timestamp', skip: 1 },
  ROW: { kind: 'wholeRow', skip: 1 },
  'ROW.INDEX': { kind: 'rowIndex', skip: 2 },
  'QUERY.ID': { kind: 'queryId', skip: 2 },
  GUID: { kind: 'guid', skip: 1 },
  'pagination.next': { kind: 'pagination', skip: 1 },
}

/** How many leading segments are the token's own name, and what it then is. Back-ticks always mean a column. */
function classify(text: string, segments: readonly string[]): { kind: Token['kind']; skip: number } {
  const fixed = Object.hasOwn(FIXED, text) ? FIXED[text] : undefined
  if (fixed) return fixed
  const first = segments[0]!
  if (segments.length > 1 && text.startsWith(`${first}.`) && Object.hasOwn(NAMED, first))
    return { kind: NAMED[first]!, skip: 1 }
  return { kind: 'row', skip: 0 }
}

const RESERVED = /^(TIMESTAMP|ROW|CREDENTIALS|SECRETS|PROMPTS|CHECKPOINTS|QUERY|GUID)(\.|$)/

/** `$TIMESTAMP.FOO$`, `$CREDENTIALS$`: begins with a name in capitals, but is none of the tokens there are. */
export const isUnknownName = (token: Token): boolean => token.kind === 'row' && RESERVED.test(token.path.text)

/** The names a person may have meant. */
export const TOKEN_NAMES: readonly string[] = [
  'TIMESTAMP',
  'TIMESTAMP.EPOCH',
  'TIMESTAMP.ISO',
  'ROW',
  'ROW.INDEX',
  'CREDENTIALS.name',
  'SECRETS.name',
  'PROMPTS.name',
  'CHECKPOINTS.name',
  'QUERY.ID',
  'GUID',
]

/** Tokens whose value differs from row to row. */
export const isRowToken = (token: Token): boolean =>
  token.kind === 'row' || token.kind === 'wholeRow' || token.kind === 'rowIndex'

export const isSecretToken = (token: Token): boolean => token.kind === 'credential' || token.kind === 'secret'

/** The pointer of the page just read means something only where pages are asked for; elsewhere it is a column. */
export function asRowToken(token: Token): Token {
  const text = `pagination.${token.path.text}`
  return { ...token, kind: 'row', path: { text, segments: ['pagination', ...token.path.segments] } }
}

export const isToken = (part: TemplatePart): part is Token => typeof part !== 'string'

/** The token that is the whole text, if it is one. */
export function soleToken(template: Template): Token | undefined {
  const [first] = template.parts
  return template.parts.length === 1 && first !== undefined && isToken(first) ? first : undefined
}

/** The text of a template that holds no token. */
export const literalText = (template: Template): string | undefined =>
  template.parts.length === 0
    ? ''
    : template.parts.length === 1 && typeof template.parts[0] === 'string'
      ? template.parts[0]
      : undefined

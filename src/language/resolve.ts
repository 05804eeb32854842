import type { Parameter, ValueType } from './declaration.ts'
import type { Expression } from './expression/tree.ts'
import { type Json, type Row, stringifyJson } from './json.ts'
import { setKey } from './lenient-json.ts'
import { parsePath, valueAt } from './paths.ts'
import { escapeRegex } from './regex.ts'
import { findChoice, inRange, numberFrom } from './scalars.ts'
import { isToken, soleToken } from './tokens.ts'
import { isDotSegment, parseUrl, percentEncode } from './urls.ts'
import type { Aggregate, JsonTemplate, Path, Template, Token, Value } from './values.ts'
import { typeName } from './wording.ts'

/** Where tokens get their values from. */
export interface Scope {
  readonly row?: Row
  readonly rowIndex?: number
  /** Every token that does not come from the row. Undefined: there is no such value. */
  constant(token: Token): Json | undefined
}

/** A token that could not be filled in: this row's failure, or the stage's where no row is involved. */
export class ResolveFailure extends Error {
  override readonly name = 'ResolveFailure'
  readonly code: 'missing_value' | 'unknown_value' | 'bad_value'
  readonly token: Token | undefined
  /** The column that the row lacks. */
  readonly column: string | undefined

  constructor(code: ResolveFailure['code'], message: string, token?: Token, column?: string) {
    super(message)
    this.code = code
    this.token = token
    this.column = column
  }
}

/**
 * The value of a token with its type. A checkpoint that is not set yet and the pointer before the first page are null;
 * any other that is missing fails.
 */
export function resolveToken(token: Token, scope: Scope): Json {
  if (token.kind === 'wholeRow') return scope.row ?? {}
  if (token.kind === 'rowIndex') return scope.rowIndex ?? 0
  if (token.kind === 'row') return rowValue(token, scope)
  const value = scope.constant(token)
  if (value !== undefined) return value
  if (token.kind === 'checkpoint' || token.kind === 'pagination') return null
  throw new ResolveFailure('unknown_value', `${token.source} has no value.`, token)
}

/** To every command null is the same as missing, and a request made of a missing value is never what was meant. */
function rowValue(token: Token, { row }: Scope): Json {
  const value = row && valueAt(row, token.path)
  if (value !== undefined && value !== null) return value
  const column = token.path.text
  throw new ResolveFailure(
    'missing_value',
    `This row has no value for ${column}, which ${token.source} needs.`,
    token,
    column,
  )
}

/** A value as text: numbers shortest, objects and arrays as JSON, nothing for null. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  return typeof value === 'object' ? stringifyJson(value) : String(value)
}

function tokenText(token: Token, scope: Scope): string {
  const value = resolveToken(token, scope)
  if (token.format === 'json') return stringifyJson(value)
  return token.format === 'url' ? percentEncode(textOf(value)) : textOf(value)
}

export function resolveText(template: Template, scope: Scope): string {
  return fill(template, part => tokenText(part, scope))
}

function fill(template: Template, text: (token: Token) => string): string {
  let filled = ''
  for (const part of template.parts) filled += isToken(part) ? text(part) : part
  return filled
}

/** A leaf that is exactly one token without a format takes its value with its type. */
function resolveJson(template: JsonTemplate, scope: Scope): Json {
  switch (template.kind) {
    case 'constant':
      return template.value
    case 'text': {
      const token = soleToken(template.template)
      if (!token || token.format) return resolveText(template.template, scope)
      return resolveToken(token, scope) ?? ''
    }
    case 'array':
      return template.items.map(item => resolveJson(item, scope))
    case 'object': {
      const object: Record<string, Json> = {}
      for (const [key, item] of template.entries) {
        if (!isUnsetPointer(item, scope)) setKey(object, key, resolveJson(item, scope))
      }
      return object
    }
  }
}

/** The first page is asked for without a pointer: `{after: "$pagination.next$"}` is then `{}`. */
function isUnsetPointer(item: JsonTemplate, scope: Scope): boolean {
  const token = item.kind === 'text' ? soleToken(item.template) : undefined
  return token?.kind === 'pagination' && resolveToken(token, scope) === null
}

/** A pattern in which every token matches just its value. */
const resolveRegex = (template: Template, scope: Scope): string =>
  fill(template, token => escapeRegex(tokenText(token, scope)))

/**
 * A URL. A token that is the whole of it is taken as it stands, if it is one. Anywhere else the value is
 * percent-encoded, whatever its format, so that it stays inside its segment or parameter.
 */
export function resolveUrl(template: Template, scope: Scope): string {
  const sole = soleToken(template)
  if (sole) return wholeUrl(sole, scope)
  // Before encoding; `|url` would only encode twice.
  const plain = (token: Token) =>
    percentEncode(tokenText(token.format === 'url' ? { ...token, format: 'text' } : token, scope))
  const url = fill(template, plain)
  const token = template.parts.find(isToken)
  if (token && leadsElsewhere(url, template))
    throw new ResolveFailure(
      'bad_value',
      `${token.source} is . or .., which in the path of a URL means another folder.`,
      token,
    )
  return url
}

const DOT_AFTER_SLASH = /\/(?:\.|%2e)/i

/** Whether a value made a segment `.` or `..` that the text alone does not. A value adds no segments of its own. */
function leadsElsewhere(url: string, template: Template): boolean {
  if (!DOT_AFTER_SLASH.test(url)) return false
  const written = pathSegments(fill(template, () => 'x'))
  return pathSegments(url).some((segment, i) => isDotSegment(segment) && !isDotSegment(written[i] ?? ''))
}

const pathSegments = (url: string): string[] =>
  url
    .replace(/[?#].*$/s, '')
    .split('/')
    .slice(3)

function wholeUrl(token: Token, scope: Scope): string {
  const text = textOf(resolveToken(token, scope))
  if (parseUrl(text) || (token.kind === 'pagination' && text === '')) return text
  const column = token.kind === 'row' ? token.path.text : undefined
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text
  throw new ResolveFailure(
    'bad_value',
    `${token.source} should be a URL with http:// or https://, but is ${JSON.stringify(shown)}.`,
    token,
    column,
  )
}

/** Escapes a value so that in a selector, inside quotes or out, it is only ever itself. */
const escapeCss = (text: string): string =>
  text.replace(/[^\p{L}\p{N}_]/gu, char => `\\${char.codePointAt(0)!.toString(16)} `)

/**
 * A parameter's value as its command gets it: paths and templates as such, expressions as trees whose tokens are
 * bound when they are compiled, the rest as plain values.
 */
export type Resolved = Json | Path | Template | Expression | readonly Aggregate[]

export function resolveValue(value: Value, parameter: Parameter, scope: Scope): Resolved {
  switch (value.type) {
    case 'number':
    case 'boolean':
      return value.value
    case 'path':
      return value.path
    case 'json':
      return resolveJson(value.value, scope)
    case 'regex':
      return resolveRegex(value.template, scope)
    case 'deferred':
      return typed(resolveDeferred(value.template, scope), value.as as ValueType, parameter, value.template)
    case 'text':
      return resolveByType(value.template, parameter.type, scope)
    case 'expression':
      return value.expression
    case 'aggregates':
      return value.aggregates
  }
}

function resolveByType(template: Template, type: ValueType, scope: Scope): Resolved {
  if (type === 'template') return template
  if (type === 'url') return resolveUrl(template, scope)
  if (type === 'css') return fill(template, token => escapeCss(tokenText(token, scope)))
  return resolveText(template, scope)
}

function resolveDeferred(template: Template, scope: Scope): Json {
  const token = soleToken(template)
  return token && !token.format ? resolveToken(token, scope) : resolveText(template, scope)
}

/** Gives a filled-in value the type that its parameter wants, or says why it cannot. */
function typed(value: Json, type: ValueType, parameter: Parameter, template: Template): Resolved {
  const text = textOf(value)
  const result = convert(value, text, type, parameter)
  if (result !== undefined) return result
  const token = template.parts.find(isToken)
  throw new ResolveFailure(
    'bad_value',
    `${parameter.name} takes ${typeName(parameter)}, but ${token?.source ?? 'its value'} is ${JSON.stringify(text)}.`,
    token,
    token?.kind === 'row' ? token.path.text : undefined,
  )
}

function convert(value: Json, text: string, type: ValueType, parameter: Parameter): Resolved | undefined {
  switch (type) {
    case 'integer':
    case 'number': {
      const number = numberFrom(text, type === 'integer')
      return number !== undefined && inRange(number, parameter) ? number : undefined
    }
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : text === 'true'
          ? true
          : text === 'false'
            ? false
            : undefined
    case 'choice':
      return findChoice(text, parameter)
    default: {
      const path = parsePath(text)
      return 'problem' in path ? undefined : path
    }
  }
}

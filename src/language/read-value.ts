import type { NameKind } from './declaration.ts'
import { type Source, templateOf } from './escapes.ts'
import { parseAggregates, parseExpression } from './expression/parse.ts'
import type { Expression } from './expression/tree.ts'
import { tokensIn } from './expression/walk.ts'
import { parseLenientJson } from './lenient-json.ts'
import * as messages from './messages.ts'
import { nearest } from './nearest.ts'
import { parsePath } from './paths.ts'
import type { Problems } from './problems.ts'
import { checkRegex } from './regex.ts'
import { findChoice, inRange, numberFrom } from './scalars.ts'
import { readStageReference, type StageNames } from './stage-names.ts'
import { refuse, type TokenPlace } from './token-rules.ts'
import { asRowToken, isSecretToken } from './tokens.ts'
import { parseUrl, tokensAvoidHost, withScheme } from './urls.ts'
import type { Template, Token, Value } from './values.ts'

/** Which names exist outside the query. A kind without an entry is not checked. */
export type Knowledge = { readonly [K in NameKind]?: () => ReadonlySet<string> }

export interface ValueContext extends TokenPlace {
  readonly problems: Problems
  readonly stages: StageNames
  readonly knows?: Knowledge | undefined
}

/** Reads one value by the type of its parameter. Undefined when it is wrong, which is then reported. */
export function readValue(given: Source, context: ValueContext): Value | undefined {
  const source = context.parameter.pagination ? given : withoutPagination(given)
  if (!tokensFit(source, context)) return undefined
  const { span } = source
  switch (context.parameter.type) {
    case 'integer':
    case 'number':
      return deferred(source, context) ?? readNumber(source, context)
    case 'boolean':
      return deferred(source, context) ?? readBoolean(source, context)
    case 'choice':
      return deferred(source, context) ?? readChoice(source, context)
    case 'path':
    case 'column':
      return deferred(source, context) ?? readPath(source, context)
    case 'regex':
      return readRegex(source, context)
    case 'url':
      return readUrl(source, context)
    case 'json':
      return readJson(source, context)
    case 'expression': {
      const { expression } = reported(parseExpression(source.text, source.at), context)
      if (!expression || fencedTokens([expression], source, context)) return undefined
      return { type: 'expression', expression, span }
    }
    case 'aggregates': {
      const { aggregates } = reported(parseAggregates(source.text, source.at), context)
      if (!aggregates) return undefined
      const inside = aggregates.flatMap(it => it.argument ?? [])
      return fencedTokens(inside, source, context) ? undefined : { type: 'aggregates', aggregates, span }
    }
    case 'stage':
      return readStageReference(source, context)
    default:
      return readText(source, context)
  }
}

function withoutPagination(source: Source): Source {
  if (!source.tokens.some(placed => placed.token.kind === 'pagination')) return source
  const tokens = source.tokens.map(placed =>
    placed.token.kind === 'pagination' ? { ...placed, token: asRowToken(placed.token) } : placed,
  )
  return { ...source, tokens }
}

function tokensFit(source: Source, context: ValueContext): boolean {
  let fit = true
  for (const { token } of source.tokens) {
    const refusal = refuse(token, source, context)
    if (refusal) {
      context.problems.report(token.span, refusal)
      fit = false
    } else checkTokenName(token, context)
  }
  return fit
}

const TOKEN_NAMES: { readonly [K in Token['kind']]?: NameKind } = {
  credential: 'credential',
  secret: 'secret',
  prompt: 'prompt',
  template: 'templateValue',
}

function checkTokenName(token: Token, context: ValueContext): void {
  const kind = TOKEN_NAMES[token.kind]
  if (kind) checkName(kind, token.path.text, token, context)
}

function checkName(
  kind: NameKind,
  name: string,
  { span }: Pick<Source, 'span'>,
  context: ValueContext,
): void {
  const names = context.knows?.[kind]?.()
  if (!names || names.has(name)) return
  context.problems.report(span, messages.unknownName(kind, name, nearest(name, names)))
}

/** A number, boolean, choice or path with a token in it gets its type when the token is filled in. */
function deferred(source: Source, { parameter }: ValueContext): Value | undefined {
  if (source.tokens.length === 0) return undefined
  return { type: 'deferred', template: templateOf(source), as: parameter.type, span: source.span }
}

function readNumber(source: Source, context: ValueContext): Value | undefined {
  const { text, span } = source
  const { parameter, problems } = context
  const value = numberFrom(text, parameter.type === 'integer')
  if (value === undefined) {
    problems.report(span, messages.wrongType(context.owner(), parameter, text, numberHint(text)))
    return undefined
  }
  if (!inRange(value, parameter)) {
    problems.report(span, messages.outOfRange(context.owner(), parameter, text))
    return undefined
  }
  return { type: 'number', value, span }
}

function numberHint(text: string): string | undefined {
  if (/^[+-]?\d{1,3}([,_]\d{3})+$/.test(text)) return 'Write the digits without separators.'
  return /^[+-]?\d{16,}$/.test(text) ? `It goes up to ${Number.MAX_SAFE_INTEGER}.` : undefined
}

function readBoolean({ text, span }: Source, context: ValueContext): Value | undefined {
  const { parameter, problems } = context
  const word = text.toLowerCase()
  if (word === 'true' || word === 'false') return { type: 'boolean', value: word === 'true', span }
  problems.report(span, messages.wrongType(context.owner(), parameter, text))
  return undefined
}

function readChoice({ text, span }: Source, context: ValueContext): Value | undefined {
  const { parameter, problems } = context
  const choice = findChoice(text, parameter)
  if (choice !== undefined) return { type: 'text', template: { parts: [choice] }, span }
  const choices = parameter.choices ?? []
  problems.report(span, messages.badChoice(context.owner(), text, choices, nearest(text, choices)))
  return undefined
}

function readPath(source: Source, context: ValueContext): Value | undefined {
  const { text, span } = source
  const { parameter, problems } = context
  const path = parsePath(text)
  if ('problem' in path) {
    problems.report(
      path.problem === 'empty' ? span : at(source, path.offset),
      messages.badPath(path.problem, context.owner()),
    )
    return undefined
  }
  if (path.wildcard && (parameter.type === 'column' || !(parameter.wildcard ?? parameter.repeated))) {
    problems.report(span, messages.wildcardHere(context.owner(), text))
    return undefined
  }
  return { type: 'path', path, span }
}

function at(source: Source, start: number, end = start + 1): { offset: number; length: number } {
  const offset = source.at(start)
  return { offset, length: Math.max(0, source.at(end) - offset) }
}

function readRegex(source: Source, { problems }: ValueContext): Value | undefined {
  const template = templateOf(source)
  // A token stands for some literal text; any will do to see whether the rest parses.
  const pattern =
    source.tokens.length === 0
      ? source.text
      : template.parts.map(part => (typeof part === 'string' ? part : 'x')).join('')
  const problem = checkRegex(pattern)
  if (!problem) return { type: 'regex', template, span: source.span }
  const exact = source.tokens.length === 0 && problem.length > 0
  problems.report(
    exact ? at(source, problem.offset, problem.offset + problem.length) : source.span,
    problem.message,
  )
  return undefined
}

function readUrl(source: Source, context: ValueContext): Value | undefined {
  const { problems } = context
  const template = templateOf(source)
  const [first] = source.tokens
  if (!first) {
    if (parseUrl(source.text)) return { type: 'text', template, span: source.span }
    problems.report(source.span, messages.badUrl(source.text, context.owner(), withScheme(source.text)))
    return undefined
  }
  if (!tokensAvoidHost(template)) {
    problems.report(first.token.span, messages.tokenInHost(first.token))
    return undefined
  }
  if (template.parts.length === 1 && isSecretToken(first.token)) {
    problems.report(first.token.span, messages.secretAsUrl(first.token))
    return undefined
  }
  return { type: 'text', template, span: source.span }
}

function readJson(source: Source, context: ValueContext): Value | undefined {
  const { span } = source
  if (source.json) return { type: 'json', value: source.json, span }
  if (context.parameter.orText && !/^\s*[[{]/.test(source.text) && !isWholeToken(source))
    return { type: 'text', template: templateOf(source), span }
  if (/^[\p{L}_]/u.test(source.text) && !/^(?:true|false|null)\b/.test(source.text)) {
    const hint = 'JSON begins with { or [, as in {a: 1}; a mere text has quotes of its own: \'"text"\''
    context.problems.report(span, messages.wrongType(context.owner(), context.parameter, source.text, hint))
    return undefined
  }
  const value = parseLenientJson(source, (start, end, message) =>
    context.problems.report(at(source, start, end), message),
  )
  return value && { type: 'json', value, span }
}

const isWholeToken = (source: Source): boolean =>
  source.tokens[0]?.start === 0 && source.tokens[0].end === source.text.length

function readText(source: Source, context: ValueContext): Value {
  const template: Template = templateOf(source)
  const { names } = context.parameter
  if (names && source.tokens.length === 0) checkName(names, source.text, source, context)
  return { type: 'text', template, span: source.span }
}

interface Parsed {
  readonly diagnostics: readonly (messages.Message & { readonly offset: number; readonly length: number })[]
}

/** An expression finds its tokens itself and does not know that it stands in a fence, which holds none. */
function fencedTokens(
  expressions: readonly Expression[],
  source: Source,
  { problems }: ValueContext,
): boolean {
  if (source.takesTokens) return false
  const tokens = expressions.flatMap(tokensIn)
  for (const token of tokens) problems.report(token.span, messages.tokenInFence(token))
  return tokens.length > 0
}

function reported<T extends Parsed>(parsed: T, { problems }: ValueContext): T {
  for (const { offset, length, ...message } of parsed.diagnostics)
    problems.report({ offset, length }, message)
  return parsed
}

import { type Json, stringifyJson } from '../json.ts'
import { escapeRegex } from '../regex.ts'
import { resolveText, resolveToken, type Scope } from '../resolve.ts'
import { isRowToken, isToken } from '../tokens.ts'
import type { Aggregate, Template, TemplatePart, Token } from '../values.ts'
import { parseDuration } from './duration.ts'
import type { Call, Expression } from './tree.ts'

/**
 * The expression with its tokens filled in and `now()` and `ago()` fixed to the start of the query, so that it gives
 * the same whenever it is computed. Tokens of the row stay when there is no row: they are columns then. So does
 * `$GUID$` without a value of its own: each row gets another.
 */
export function resolveExpression(node: Expression, scope: Scope): Expression {
  const inner = (child: Expression): Expression => resolveExpression(child, scope)
  switch (node.kind) {
    case 'literal':
    case 'path':
      return node
    case 'token':
      return stays(node.token, scope) ? node : written(tokenValue(node.token, scope), node)
    case 'template':
      return asLiteral({ ...node, template: resolveTemplate(node.template, scope) })
    case 'regex':
      return {
        ...node,
        template: fill(node.template, scope, token => escapeRegex(resolveText({ parts: [token] }, scope))),
      }
    case 'unary':
    case 'isNull':
      return { ...node, operand: inner(node.operand) }
    case 'binary':
      return resolveChain(node, scope)
    case 'in':
      return { ...node, operand: inner(node.operand), list: node.list.map(inner) }
    case 'between':
      return { ...node, operand: inner(node.operand), low: inner(node.low), high: inner(node.high) }
    case 'call':
      return resolveCall({ ...node, args: node.args.map(inner) }, scope)
  }
}

export const resolveAggregates = (aggregates: readonly Aggregate[], scope: Scope): readonly Aggregate[] =>
  aggregates.map(aggregate =>
    aggregate.argument ? { ...aggregate, argument: resolveExpression(aggregate.argument, scope) } : aggregate,
  )

/** The template with only those tokens left that each row fills in for itself. */
export const resolveTemplate = (template: Template, scope: Scope): Template =>
  fill(template, scope, token => resolveText({ parts: [token] }, scope))

const stays = (token: Token, scope: Scope): boolean =>
  (isRowToken(token) && scope.row === undefined) ||
  (token.kind === 'guid' && scope.constant(token) === undefined)

const tokenValue = (token: Token, scope: Scope): Json =>
  token.format ? resolveText({ parts: [token] }, scope) : resolveToken(token, scope)

/** Down the left side of `a or b or …` by a loop: such a chain may be long. */
function resolveChain(node: Extract<Expression, { kind: 'binary' }>, scope: Scope): Expression {
  const chain = [node]
  for (let left = node.left; left.kind === 'binary'; left = left.left) chain.push(left)
  let result = resolveExpression(chain.at(-1)!.left, scope)
  for (const part of chain.toReversed())
    result = { ...part, left: result, right: resolveExpression(part.right, scope) }
  return result
}

function fill(template: Template, scope: Scope, text: (token: Token) => string): Template {
  const parts: TemplatePart[] = []
  for (const part of template.parts) {
    const filled = isToken(part) && !stays(part, scope) ? text(part) : part
    const last = parts.at(-1)
    if (typeof filled === 'string' && typeof last === 'string') parts[parts.length - 1] = last + filled
    else parts.push(filled)
  }
  return { parts }
}

function asLiteral(node: Extract<Expression, { kind: 'template' }>): Expression {
  const { parts } = node.template
  if (parts.some(isToken)) return node
  return { kind: 'literal', value: parts.join(''), span: node.span }
}

/** A value as it would be written in an expression; lists and objects by way of their JSON. */
function written(value: Json, { span }: Expression): Expression {
  if (value === null || typeof value !== 'object') return { kind: 'literal', value, span }
  return {
    kind: 'call',
    name: 'parsejson',
    args: [{ kind: 'literal', value: stringifyJson(value), span }],
    span,
  }
}

function resolveCall(node: Call, scope: Scope): Expression {
  if (node.name !== 'now' && node.name !== 'ago') return node
  const time = new Date(Number(resolveToken(START, scope)))
  const [length] = node.args
  if (length?.kind === 'literal') goBack(time, String(length.value))
  return { ...node, name: 'time', args: [{ kind: 'literal', value: time.toISOString(), span: node.span }] }
}

/** `$TIMESTAMP$`: the start of the query in milliseconds. */
const START: Token = {
  kind: 'timestamp',
  path: { text: '', segments: [] },
  source: '$TIMESTAMP$',
  span: { offset: 0, length: 0 },
}

function goBack(time: Date, length: string): void {
  const duration = parseDuration(length)
  if (!duration) return
  if ('seconds' in duration) time.setTime(time.getTime() - duration.seconds * 1000)
  else goBackMonths(time, duration.months)
}

/** A month back from the 31st is the last day of the month before. */
function goBackMonths(time: Date, months: number): void {
  const day = time.getUTCDate()
  time.setUTCDate(1)
  time.setUTCMonth(time.getUTCMonth() - months)
  const days = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1, 0)).getUTCDate()
  time.setUTCDate(Math.min(day, days))
}

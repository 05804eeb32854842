import { groupsOf } from '../re2.ts'
import { checkRegex } from '../regex.ts'
import type { Aggregate } from '../values.ts'
import { AGGREGATES, aggregateNamed, nearestAggregate } from './aggregates.ts'
import { DURATION_FORMS, parseDuration } from './duration.ts'
import { formatExpression } from './format.ts'
import {
  type FunctionDeclaration,
  type FunctionParameter,
  functionNamed,
  nearestFunction,
  usageOf,
} from './functions.ts'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'
import { isPlainNumber } from './numbers.ts'
import { DEEPEST } from './operators.ts'
import { parameterAt } from './parser.ts'
import type { Problem } from './problem.ts'
import { timeZoneNamed, unknownSpecifier } from './strftime.ts'
import type { Binary, Call, Expression, RegexNode } from './tree.ts'
import { childrenOf, flatten, nodesOf } from './walk.ts'

/** What can be told to be wrong before any row is seen: unknown functions, numbers of arguments, types, patterns. */
export function checkExpression(expression: Expression): readonly Problem[] {
  if (depthOf(expression) > 2 * DEEPEST) return [{ ...messages.tooDeep(), ...expression.span }]
  return [...nodesOf(expression)].flatMap(checkNode)
}

export function checkAggregates(aggregates: readonly Aggregate[]): readonly Problem[] {
  const seen = new Set<string>()
  return aggregates.flatMap(aggregate => {
    const problems = [...checkAggregate(aggregate)]
    if (seen.has(aggregate.as.text))
      problems.push({ ...messages.duplicateName(aggregate.as.text), ...aggregate.span })
    seen.add(aggregate.as.text)
    return problems
  })
}

function checkAggregate({ function: name, argument, span }: Aggregate): readonly Problem[] {
  const known = aggregateNamed(name)
  const place = { offset: span.offset, length: name.length }
  if (!known) {
    const near = nearestAggregate(name)
    const all = AGGREGATES.map(aggregate => aggregate.name)
    return [{ ...messages.unknownAggregate(name, near, functionNamed(name) !== undefined, all), ...place }]
  }
  if (!argument && known.argument === 'required')
    return [{ ...messages.wrongCount(`${name}(value)`, 0), ...span }]
  return argument ? checkExpression(argument) : []
}

/** Levels of brackets in the SQL: `a and b and c` is one, however long. */
function depthOf(node: Expression): number {
  const isLogic = node.kind === 'binary' && (node.operator === 'and' || node.operator === 'or')
  const flat = isLogic ? flatten(node) : childrenOf(node)
  return 1 + flat.reduce((deepest, child) => Math.max(deepest, depthOf(child)), 0)
}

function checkNode(node: Expression): readonly Problem[] {
  if (node.kind === 'regex') return checkPattern(node)
  if (node.kind === 'call') return checkCall(node)
  if (node.kind === 'binary' && /^[-+*/%]$/.test(node.operator)) return checkArithmetic(node)
  return []
}

/** A token stands for escaped text, so any harmless text shows whether the rest is a pattern. */
export const patternText = (node: RegexNode): string =>
  node.template.parts.map(part => (typeof part === 'string' ? part : 'x')).join('')

function checkPattern(node: RegexNode): readonly Problem[] {
  const pattern = patternText(node)
  const problem = checkRegex(pattern)
  if (!problem) return []
  const exact = node.span.length === pattern.length + 2
  const place = exact
    ? { offset: node.span.offset + 1 + problem.offset, length: Math.max(1, problem.length) }
    : node.span
  return [{ ...problem.message, ...place }]
}

function checkArithmetic(node: Binary): readonly Problem[] {
  const isText = (side: Expression): boolean =>
    side.kind === 'template' ||
    (side.kind === 'literal' && typeof side.value === 'string' && !isPlainNumber(side.value))
  if (!isText(node.left) && !isText(node.right)) return []
  const suggestion =
    node.operator === '+' ? `concat(${flatten(node).map(formatExpression).join(', ')})` : undefined
  return [{ ...messages.textInArithmetic(node.operator, suggestion), ...node.span }]
}

function checkCall(node: Call): readonly Problem[] {
  const known = functionNamed(node.name)
  const place = { offset: node.span.offset, length: node.name.length }
  if (!known) {
    const near = nearestFunction(node.name)
    return [{ ...messages.unknownFunction(node.name, near), ...place }]
  }
  const least = known.parameters.filter(parameter => !parameter.optional).length
  const most = known.parameters.at(-1)?.repeated ? Number.POSITIVE_INFINITY : known.parameters.length
  if (node.args.length < least || node.args.length > most)
    return [{ ...messages.wrongCount(usageOf(known), node.args.length), ...node.span }]
  return node.args.flatMap((argument, index) => {
    const message = checkArgument(known, parameterAt(known.parameters, index)!, argument, node)
    return message ? [{ ...message, ...argument.span }] : []
  })
}

function checkArgument(
  known: FunctionDeclaration,
  parameter: FunctionParameter,
  argument: Expression,
  call: Call,
): Message | undefined {
  const wrong = (expected: string): Message =>
    messages.wrongArgument(usageOf(known), parameter.name, expected, formatExpression(argument))
  const value = argument.kind === 'literal' ? argument.value : undefined
  switch (parameter.type) {
    case 'regex':
      return argument.kind === 'regex' ? undefined : messages.regexExpected()
    case 'group':
      return checkGroup(value, call, wrong)
    case 'format':
      return typeof value === 'string' && !unknownSpecifier(value)
        ? undefined
        : wrong("a strftime format in quotes, such as '%Y-%m-%d'")
    case 'timezone':
      return typeof value === 'string' && timeZoneNamed(value)
        ? undefined
        : wrong("the name of a time zone in quotes, such as 'Europe/Rome'")
    case 'duration':
      return typeof value === 'string' && parseDuration(value)
        ? undefined
        : wrong(`a length of time in quotes: ${DURATION_FORMS}`)
    case 'size':
      return isSize(argument)
        ? undefined
        : wrong(`a number above 0, or a length of time in quotes: ${DURATION_FORMS}`)
    case 'number':
      if (isNoNumber(value)) return wrong('a number')
      return parameter.max !== undefined && isAbove(value, parameter.max)
        ? wrong(`at most ${parameter.max}`)
        : undefined
    case 'text':
      return typeof value === 'boolean' ? wrong('text') : undefined
    default:
      return undefined
  }
}

/** The groups are known only when the pattern is one; what is wrong with it is told at its own place. */
function checkGroup(value: unknown, call: Call, wrong: (expected: string) => Message): Message | undefined {
  const pattern = call.args.find(argument => argument.kind === 'regex')
  if (!pattern || checkPattern(pattern).length > 0) return undefined
  const { count, names } = groupsOf(patternText(pattern))
  if (typeof value === 'string') {
    if (Object.hasOwn(names, value)) return undefined
    const known = Object.keys(names)
    return wrong(
      known.length > 0 ? `the name of a group: ${known.join(', ')}` : 'a number, since no group has a name',
    )
  }
  const exists = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= count
  return exists ? undefined : wrong(`a group from 0 to ${count}, or the name of one`)
}

/** A size may be computed when it is a number; a length of time is written out. */
function isSize(argument: Expression): boolean {
  if (argument.kind !== 'literal') return argument.kind !== 'template'
  if (typeof argument.value === 'string') return parseDuration(argument.value) !== undefined
  return (typeof argument.value === 'number' || typeof argument.value === 'bigint') && argument.value > 0
}

const isNoNumber = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && !isPlainNumber(value))

const isAbove = (value: unknown, max: number): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && value > max

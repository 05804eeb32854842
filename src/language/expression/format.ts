import type { Template } from '../values.ts'
import { COMPARISON, MINUS, NEGATION, powerOf } from './operators.ts'
import { quoteText } from './text.ts'
import type { Binary, Expression } from './tree.ts'

/** The text of an expression, with one spelling for everything and no bracket that is not needed. */
export const formatExpression = (expression: Expression): string => write(expression, 0)

/** `outer` is the power of what stands around: a looser node needs brackets. */
function write(node: Expression, outer: number): string {
  const text = writePlain(node)
  return powerOfNode(node) <= outer ? `(${text})` : text
}

const TIGHTEST = 9

function powerOfNode(node: Expression): number {
  switch (node.kind) {
    case 'binary':
      return powerOf(node.operator)
    case 'unary':
      return node.operator === 'not' ? NEGATION : MINUS
    case 'in':
    case 'between':
    case 'isNull':
      return COMPARISON
    case 'literal':
      return isNegative(node.value) ? MINUS : TIGHTEST
    default:
      return TIGHTEST
  }
}

const isNegative = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'bigint') && value < 0

/** A minus directly before digits is part of the number, so that of an operator keeps its distance. */
const isNumber = (node: Expression): boolean =>
  node.kind === 'literal' && (typeof node.value === 'number' || typeof node.value === 'bigint')

function writePlain(node: Expression): string {
  switch (node.kind) {
    case 'literal':
      return typeof node.value === 'string' ? quoteText(node.value) : String(node.value)
    case 'path':
      return node.path.text
    case 'token':
      return node.token.source
    case 'template':
      return writeTemplate(node.template)
    case 'regex':
      return writeRegex(node.template)
    case 'unary':
      return node.operator === 'not'
        ? `not ${write(node.operand, NEGATION - 1)}`
        : `-${write(node.operand, isNumber(node.operand) ? TIGHTEST : MINUS)}`
    case 'binary':
      return writeBinary(node)
    case 'in': {
      const list = node.list.map(item => write(item, 0)).join(', ')
      return `${write(node.operand, COMPARISON)} ${node.negated ? 'not in' : 'in'} (${list})`
    }
    case 'between': {
      const word = node.negated ? 'not between' : 'between'
      return `${write(node.operand, COMPARISON)} ${word} ${write(node.low, COMPARISON)} and ${write(node.high, COMPARISON)}`
    }
    case 'isNull':
      return `${write(node.operand, COMPARISON)} ${node.negated ? 'is not null' : 'is null'}`
    case 'call':
      return `${node.name}(${node.args.map(argument => write(argument, 0)).join(', ')})`
  }
}

/** Left-leaning chains may be long (`a or b or …`), so they are written without recursion. */
function writeBinary(node: Binary): string {
  const parts: string[] = []
  let left: Expression = node
  while (left.kind === 'binary' && left.operator === node.operator && leansLeft(left)) {
    parts.push(`${spell(left.operator)} ${write(left.right, powerOf(left.operator))}`)
    left = left.left
  }
  if (parts.length > 0) return [write(left, powerOf(node.operator) - 1), ...parts.toReversed()].join(' ')
  const power = powerOf(node.operator)
  const right = node.operator === '??' ? power - 1 : power
  return `${write(node.left, power)} ${spell(node.operator)} ${write(node.right, right)}`
}

const leansLeft = (node: Binary): boolean => powerOf(node.operator) !== COMPARISON && node.operator !== '??'

const spell = (operator: Binary['operator']): string => (operator === 'notLike' ? 'not like' : operator)

function writeTemplate(template: Template): string {
  const inner = template.parts.map(part =>
    typeof part === 'string' ? quoteText(part).slice(1, -1) : part.source,
  )
  return `'${inner.join('')}'`
}

/**
 * In a regular expression only the quote is escaped, so the quote must be one that no backslash of the pattern's own
 * stands before.
 */
function writeRegex(template: Template): string {
  const source = template.parts.map(part => (typeof part === 'string' ? part : part.source)).join('')
  const quote = hasEscaped(source, "'") ? '"' : "'"
  const escaped = template.parts.map(part =>
    typeof part === 'string' ? part.replaceAll(quote, `\\${quote}`) : part.source,
  )
  return `${quote}${escaped.join('')}${quote}`
}

const hasEscaped = (source: string, quote: string): boolean =>
  [...source.matchAll(/\\([\s\S])/g)].some(match => match[1] === quote)

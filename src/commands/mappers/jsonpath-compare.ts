import { isPlainNumber } from '../../language/expression/numbers.ts'
import { type Json, stringifyJson } from '../../language/json.ts'
import type { Comparison } from './jsonpath-parse.ts'

/** By the rules of expressions: nothing compares with a missing value but `== null`; numbers in text are numbers. */
export function compare(operator: Comparison, left: Json, right: Json): boolean {
  if (left === null || right === null) {
    if (operator === '==') return left === right
    return operator === '!=' && left !== right
  }
  const pair = comparable(left, right)
  if (!pair) return operator === '!='
  const [a, b] = pair
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
  }
}

/** Both as numbers, or both as text. A number and a text that is none differ, and neither is the larger. */
function comparable(left: Json, right: Json): readonly [number | string, number | string] | undefined {
  if (!isNumber(left) && !isNumber(right)) return [textOf(left), textOf(right)]
  const [a, b] = [numberIn(left), numberIn(right)]
  return a === undefined || b === undefined ? undefined : [a, b]
}

const isNumber = (value: Json): boolean => typeof value === 'number' || typeof value === 'bigint'

const numberIn = (value: Json): number | undefined =>
  isNumber(value) || (typeof value === 'string' && isPlainNumber(value)) ? Number(value) : undefined

const textOf = (value: Json): string => (typeof value === 'string' ? value : stringifyJson(value))

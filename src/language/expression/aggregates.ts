import type { Json, Row } from '../json.ts'
import { nearest } from '../nearest.ts'
import type { Path } from '../values.ts'
import { formatExpression } from './format.ts'
import type { Expression } from './tree.ts'

/** What an aggregate says of itself. */
export interface AggregateDeclaration {
  readonly name: string
  /** Whether it takes a value: always, never needs one, or must have one. */
  readonly argument: 'required' | 'optional'
  readonly result: 'number' | 'list' | 'any'
  /** One line, no full stop. */
  readonly summary: string
  readonly example: AggregateExample
}

/** `expression` over `rows` gives `result`. Run by the tests. */
export interface AggregateExample {
  readonly expression: string
  readonly rows: readonly Row[]
  readonly result: Json
}

const PRICES: readonly Row[] = [{ x: 1 }, { x: '2' }, { x: 6 }, { x: null }]
const WORDS: readonly Row[] = [{ x: 'b' }, { x: null }, { x: 'a' }, { x: 'b' }]

const aggregate = (
  name: string,
  summary: string,
  rows: readonly Row[],
  result: Json,
  type: AggregateDeclaration['result'] = 'number',
): AggregateDeclaration => ({
  name,
  argument: 'required',
  result: type,
  summary,
  example: { expression: `${name}(x)`, rows, result },
})

/** Every aggregate of `stats`, `timechart` and `pivot`, once. Missing values are left out by all of them. */
export const AGGREGATES: readonly AggregateDeclaration[] = [
  {
    ...aggregate(
      'count',
      'How many rows; of a value, how many rows have it; of a condition, how many meet it',
      WORDS,
      3,
    ),
    argument: 'optional',
  },
  aggregate('dc', 'How many different values', WORDS, 2),
  aggregate('sum', 'The sum of the numbers', PRICES, 9),
  aggregate('avg', 'The mean of the numbers', PRICES, 3),
  aggregate('median', 'The middle one of the numbers', PRICES, 2),
  aggregate('min', 'The least value: by size when all are numbers, else as text', PRICES, 1, 'any'),
  aggregate('max', 'The greatest value: by size when all are numbers, else as text', PRICES, 6, 'any'),
  aggregate(
    'stdev',
    'The standard deviation of the numbers, as of a sample',
    [{ x: 1 }, { x: 3 }, { x: 5 }],
    2,
  ),
  aggregate('p50', 'The number that half of all do not exceed', PRICES, 2),
  aggregate('p90', 'The number that 90 % do not exceed', PRICES, 5.2),
  aggregate('p95', 'The number that 95 % do not exceed', PRICES, 5.6),
  aggregate('p99', 'The number that 99 % do not exceed', PRICES, 5.92),
  aggregate('first', 'The first value, in the order of the rows', WORDS, 'b', 'any'),
  aggregate('last', 'The last value, in the order of the rows', WORDS, 'b', 'any'),
  aggregate('list', 'All values as a list, in the order of the rows', WORDS, ['b', 'a', 'b'], 'list'),
  aggregate('mode', 'The most frequent value; of several the least', WORDS, 'b', 'any'),
]

const BY_NAME = new Map(AGGREGATES.map(declaration => [declaration.name, declaration]))

export const aggregateNamed = (name: string): AggregateDeclaration | undefined =>
  BY_NAME.get(name.toLowerCase())

/** What the same is called elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  average: 'avg',
  mean: 'avg',
  distinct: 'dc',
  countdistinct: 'dc',
  stddev: 'stdev',
  std: 'stdev',
  total: 'sum',
  values: 'list',
  collect: 'list',
}

export const nearestAggregate = (name: string): string | undefined => {
  const key = name.toLowerCase()
  return Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key] : nearest(name, BY_NAME.keys())
}

/** The column of an aggregate that was given no name: `avg_price`, `count`, `sum_price_qty`. */
export function defaultName(name: string, argument: Expression | undefined): Path {
  const words = argument ? formatExpression(argument).match(/[\p{L}\p{N}\p{M}_]+/gu) : null
  const text = words ? `${name}_${words.join('_')}` : name
  return { text, segments: [text] }
}

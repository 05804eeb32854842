import { nearest } from '../nearest.ts'
import { CODING } from './functions/coding.ts'
import type { FunctionDeclaration } from './functions/declaration.ts'
import { LISTS } from './functions/lists.ts'
import { NUMBERS } from './functions/numbers.ts'
import { REGEX } from './functions/regex.ts'
import { TEXT } from './functions/text.ts'
import { TIME } from './functions/time.ts'
import { VALUES } from './functions/values.ts'
import { WEB } from './functions/web.ts'

export type { FunctionDeclaration, FunctionParameter } from './functions/declaration.ts'

/** Every function of the language, once. */
export const FUNCTIONS: readonly FunctionDeclaration[] = [
  ...TEXT,
  ...NUMBERS,
  ...VALUES,
  ...REGEX,
  ...TIME,
  ...WEB,
  ...CODING,
  ...LISTS,
]

const BY_NAME = new Map(FUNCTIONS.map(declaration => [declaration.name, declaration]))

/** Functions are found whatever the letter case, as commands are. */
export const functionNamed = (name: string): FunctionDeclaration | undefined =>
  BY_NAME.get(name.toLowerCase())

/** What the same is called elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  length: 'len',
  size: 'len',
  substring: 'substr',
  tolower: 'lower',
  lowercase: 'lower',
  toupper: 'upper',
  uppercase: 'upper',
  strip: 'trim',
  includes: 'contains',
  ceiling: 'ceil',
  power: 'pow',
  ln: 'log',
  int: 'number',
  float: 'number',
  tonumber: 'number',
  parseint: 'number',
  str: 'string',
  tostring: 'string',
  ifnull: 'coalesce',
  nvl: 'coalesce',
  iff: 'if',
  iif: 'if',
  case: 'if',
  regex: 'matches',
  test: 'matches',
  match: 'extract',
  strptime: 'time',
  parsetime: 'time',
  strftime: 'formattime',
  unixtime: 'epoch',
  dayofweek: 'weekday',
  least: 'min',
  greatest: 'max',
  mean: 'avg',
  distinct: 'unique',
  get: 'at',
  guid: 'uuid',
  hostname: 'host',
}

export const nearestFunction = (name: string): string | undefined => {
  const key = name.toLowerCase()
  return Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key] : nearest(name, BY_NAME.keys())
}

/** `substr(text, start, [length])`, `concat(value, …)`. */
export function usageOf({ name, parameters }: Pick<FunctionDeclaration, 'name' | 'parameters'>): string {
  const shown = parameters.map(parameter => {
    const repeats = parameter.repeated ? `${parameter.name}, …` : parameter.name
    return parameter.optional ? `[${repeats}]` : repeats
  })
  return `${name}(${shown.join(', ')})`
}

/** Nested deeper than this, nobody reads it and DuckDB (whose limit is 1000 levels of SQL) may refuse it. */
export const DEEPEST = 60

export const SPELLINGS: Readonly<Record<string, string>> = {
  '&&': 'and',
  '||': 'or',
  '!': 'not',
  '=': '==',
  '<>': '!=',
}

/** From loosest to tightest. A comparison takes no other beside it; `??` leans to the right. */
export const POWER: Readonly<Record<string, number>> = {
  or: 1,
  and: 2,
  not: 3,
  '==': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '=~': 4,
  '!~': 4,
  in: 4,
  between: 4,
  like: 4,
  is: 4,
  contains: 4,
  startswith: 4,
  endswith: 4,
  '??': 5,
  '+': 6,
  '-': 6,
  '*': 7,
  '/': 7,
  '%': 7,
}
export const powerOf = (operator: string): number => POWER[operator === 'notLike' ? 'like' : operator] ?? 0
export const COMPARISON = 4
export const NEGATION = 3
export const MINUS = 8

/** Words that are never a column unless they stand in back-ticks. */
export const RESERVED = /^(and|or|not|in|is|between|like|contains|startswith|endswith|true|false|null)$/i

import type { Problem } from './problem.ts'

/** What can be said about an expression, without the place. The one list of messages, each with its code. */
export type Message = Omit<Problem, 'offset' | 'length'>

const syntax = (message: string, more: Omit<Message, 'code' | 'message'> = {}): Message => ({
  code: 'expression_syntax',
  message,
  ...more,
})

export const empty = (): Message =>
  syntax('The expression is empty.', {
    hint: 'Write a condition or a value, such as price > 10 or lower(name).',
  })

const STRAY: Readonly<Record<string, { hint: string; suggestion?: string }>> = {
  '|': { hint: 'For "or" write or, or ||.', suggestion: '||' },
  '&': { hint: 'For "and" write and, or &&.', suggestion: '&&' },
  '?': { hint: 'A choice is written if(condition, a, b); a default is written a ?? b.' },
  ':': { hint: 'A choice is written if(condition, a, b).' },
  '[': { hint: 'An item of a list is written items.0 or at(items, 0); a set of values in (1, 2).' },
  ']': { hint: 'An item of a list is written items.0 or at(items, 0).' },
  '{': { hint: 'Expressions make no objects; use parsejson(\'{"a": 1}\').' },
  '^': { hint: 'A power is written pow(a, b).' },
  '~': { hint: "A regular expression is matched by =~, as in name =~ '^a'." },
  '.': { hint: "A path begins with a name, as in a.b. A part of a computed value is at(value, 'b')." },
  '#': { hint: 'A name with odd characters goes in back-ticks: `#id`.' },
  '\\': { hint: 'A backslash belongs inside quotes.' },
}

export function strayCharacter(character: string): Message {
  const known = Object.hasOwn(STRAY, character) ? STRAY[character] : undefined
  const hint = known?.hint ?? 'Text goes in quotes, an odd column name in back-ticks.'
  return syntax(`The character ${JSON.stringify(character)} means nothing here.`, { ...known, hint })
}

const FOREIGN: Readonly<Record<string, string>> = { '===': '==', '!==': '!=', '=>': '>=', '=<': '<=' }

export const foreignOperator = (wrong: string): Message =>
  syntax(`There is no ${wrong}; it is written ${FOREIGN[wrong]}.`, { suggestion: FOREIGN[wrong]! })

export const unclosedText = (quote: string): Message =>
  syntax(`This text is never closed: the ${quote} that ends it is missing.`, {
    hint: `A ${quote} inside the text is written \\${quote}.`,
  })

export const unclosedName = (): Message => syntax('This name is never closed: a back-tick is missing.')

export const strayDollar = (): Message =>
  syntax('A $ outside of quotes begins a token such as $name$, and this one does not end.', {
    hint: "A column is written without dollars: price, not $price. Text with a dollar goes in quotes: '$5'.",
  })

export const badNumber = (text: string): Message =>
  syntax(`${text} is not a number.`, {
    hint: /^[\d_,]+$/.test(text)
      ? 'Digits are written without separators: 1000000.'
      : 'Numbers are written like 12, 1.5 or 1e6; text goes in quotes, an odd column name in back-ticks.',
  })

export const bigNumber = (text: string): Message => ({
  code: 'number_range',
  message: `${text} does not fit in 64 bits.`,
  hint: 'Whole numbers reach from -9223372036854775808 to 9223372036854775807. Written like 1e20 it is taken as approximate.',
})

export const dotAtEnd = (name: string): Message =>
  syntax(`A name must follow the dot after ${name}.`, { hint: 'An odd name goes in back-ticks: a.`b c`.' })

export const wildcardHere = (text: string): Message =>
  syntax(`${text} stands for several values; an expression needs one.`, {
    hint: 'Name the value you mean, such as a.b.',
  })

export const expectedOperand = (found: string, after?: string): Message =>
  syntax(after ? `A value is missing after ${after}.` : `A value was expected, but here is ${found}.`, {
    expected: ['a column', 'a number', 'quoted text', 'a function'],
  })

export const operatorFirst = (operator: string): Message =>
  syntax(`A value is missing before ${operator}.`, {
    expected: ['a column', 'a number', 'quoted text', 'a function'],
    hint: `If ${operator} is a column, put it in back-ticks.`,
  })

export const missingOperator = (found: string): Message =>
  syntax(`An operator is missing before ${found}.`, {
    expected: ['==', '!=', '<', '>', 'and', 'or', 'in', 'contains', '=~'],
    hint: 'Text goes in quotes, and conditions are joined by and or or.',
  })

export const unclosedBracket = (): Message => syntax('This ( is never closed.', { expected: [')'] })

export const strayBracket = (): Message => syntax('This ) closes nothing.')

export const chained = (): Message =>
  syntax('Comparisons cannot be chained.', {
    hint: 'Write x between 1 and 5, or join two comparisons by and.',
  })

export const listExpected = (): Message =>
  syntax("A list in round brackets must follow in, such as in ('a', 'b').", {
    expected: ['('],
    hint: "To look for a value inside a list that is a column, write tags contains 'a'.",
  })

export const emptyList = (): Message => syntax('The list after in is empty.')

export const andExpected = (): Message =>
  syntax('between needs two bounds: between 1 and 5.', { expected: ['and'] })

export const nullExpected = (): Message =>
  syntax('After is comes null or not null.', {
    expected: ['null', 'not null'],
    hint: 'To compare with a value, write ==.',
  })

export const notWhat = (): Message =>
  syntax('After not in this place comes in, like or between.', {
    expected: ['in', 'like', 'between'],
    hint: "To turn a condition around, put not before it: not (name contains 'a').",
  })

export const regexExpected = (): Message => ({
  code: 'expression_type',
  message: "A regular expression in quotes was expected here, such as '^a.*z$'.",
  hint: 'To look for the text of another column, use contains.',
})

export const tooDeep = (): Message => ({
  code: 'expression_too_deep',
  message: 'The expression is nested too deeply.',
  hint: 'Split it: compute a part with eval in a stage of its own.',
})

export const unknownFunction = (name: string, near: string | undefined): Message => ({
  code: 'unknown_function',
  message: `There is no function ${name}.`,
  ...(near
    ? { hint: `Did you mean ${near}?`, suggestion: near }
    : { hint: 'The command functions lists them all.' }),
})

export const wrongCount = (usage: string, given: number): Message => ({
  code: 'argument_count',
  message: `${usage} was given ${given === 0 ? 'no arguments' : given === 1 ? 'one argument' : `${given} arguments`}.`,
  expected: [usage],
})

export const wrongArgument = (
  usage: string,
  parameter: string,
  expected: string,
  given: string,
): Message => ({
  code: 'expression_type',
  message: `${parameter} of ${usage} must be ${expected}, but is ${given}.`,
  expected: [expected],
})

export const textInArithmetic = (operator: string, suggestion: string | undefined): Message => ({
  code: 'expression_type',
  message: `${operator} works on numbers, but one side is text.`,
  ...(suggestion
    ? { hint: 'Texts are joined by concat(…).', suggestion }
    : { hint: 'number() reads a number out of text.' }),
})

export const secretInExpression = (source: string): Message => ({
  code: 'token_place',
  message: `${source} cannot be used in an expression: secrets go only where a request takes them.`,
})

export const unknownAggregate = (
  name: string,
  near: string | undefined,
  isFunction: boolean,
  all: readonly string[],
): Message => ({
  code: 'unknown_aggregate',
  message: isFunction
    ? `${name} works on one value; a column of many needs an aggregate such as count, sum or avg.`
    : `There is no aggregate ${name}.`,
  ...(near
    ? { hint: `Did you mean ${near}?`, suggestion: near }
    : { hint: `The aggregates: ${all.join(', ')}.` }),
})

export const aggregateExpected = (): Message =>
  syntax('An aggregate such as count() or avg(price) was expected here.', {
    expected: ['count()', 'sum(x)', 'avg(x)', 'min(x)', 'max(x)'],
    hint: 'Give an aggregate a name by as: count() as n.',
  })

export const bracketsMissing = (call: string): Message =>
  syntax(`An aggregate is written with brackets: ${call}.`, { suggestion: call })

export const nameExpected = (): Message => syntax('A name for the column must follow as.')

export const duplicateName = (name: string): Message => ({
  code: 'duplicate_column',
  message: `Two aggregates would both be called ${name}.`,
  hint: 'Name one of them by as.',
})

import { family, group, optional, regex, text } from './declaration.ts'

export const REGEX = family('regex', [
  [
    'matches',
    [text('text'), regex('pattern')],
    'boolean',
    'Whether the pattern is found in the text',
    { expression: "matches('abc-12', '\\d+')", result: true },
  ],
  [
    'extract',
    [text('text'), regex('pattern'), optional(group('group'))],
    'text',
    'What the pattern finds first: the group of that number or name, else the first group, else all of it',
    { expression: "extract('USD 12.50', '(?<amount>[\\d.]+)', 'amount')", result: '12.50' },
  ],
  [
    'extractall',
    [text('text'), regex('pattern'), optional(group('group'))],
    'list',
    'Everything that the pattern finds, as a list',
    { expression: "extractall('a1 b22', '\\d+')", result: ['1', '22'] },
  ],
])

import { family, list, optional, text } from './declaration.ts'

const numbers = { numbers: [3, '4.5', 'x', null] }

export const LISTS = family('lists', [
  [
    'count',
    [list('list')],
    'number',
    'How many items the list has; one for a single value, none for a missing one',
    { expression: 'count(tags)', row: { tags: ['a', 'b'] }, result: 2 },
  ],
  [
    'first',
    [list('list')],
    'any',
    'The first item of the list',
    { expression: 'first(tags)', row: { tags: ['a', 'b'] }, result: 'a' },
  ],
  [
    'last',
    [list('list')],
    'any',
    'The last item of the list',
    { expression: 'last(tags)', row: { tags: ['a', 'b'] }, result: 'b' },
  ],
  [
    'join',
    [list('list'), optional(text('separator'))],
    'text',
    'The items as one text, with commas or `separator` between them',
    { expression: "join(tags, ' / ')", row: { tags: ['a', 1] }, result: 'a / 1' },
  ],
  [
    'sum',
    [list('list')],
    'number',
    'The sum of the numbers in the list',
    { expression: 'sum(numbers)', row: numbers, result: 7.5 },
  ],
  [
    'avg',
    [list('list')],
    'number',
    'The mean of the numbers in the list',
    { expression: 'avg(numbers)', row: numbers, result: 3.75 },
  ],
  [
    'unique',
    [list('list')],
    'list',
    'The items of the list, each once, in order of appearance',
    { expression: 'unique(tags)', row: { tags: ['b', 'a', 'b'] }, result: ['b', 'a'] },
  ],
  [
    'sort',
    [list('list')],
    'list',
    'The items in order: numbers first, by size, then the others as text',
    { expression: 'sort(tags)', row: { tags: ['b', 10, 'a', 9] }, result: [9, 10, 'a', 'b'] },
  ],
])

import { any, family, number, optional, repeated, text } from './declaration.ts'

/** Padding past this is no text that anybody wants, and a way to fill the memory. */
export const LONGEST_PAD = 10_000

export const TEXT = family('text', [
  ['lower', [text('text')], 'text', 'The text in small letters', { expression: "lower('ÄB')", result: 'äb' }],
  ['upper', [text('text')], 'text', 'The text in capitals', { expression: "upper('äb')", result: 'ÄB' }],
  [
    'trim',
    [text('text')],
    'text',
    'The text without white space at both ends',
    { expression: "trim('  a b ')", result: 'a b' },
  ],
  [
    'len',
    [any('value')],
    'number',
    'How many characters the text has, or how many items the list',
    { expression: "len('añ')", result: 2 },
  ],
  [
    'contains',
    [any('value'), text('part')],
    'boolean',
    'Whether the text holds the part, or the list the item; letter case counts',
    { expression: "contains(tags, 'new')", row: { tags: ['new', 'red'] }, result: true },
  ],
  [
    'startswith',
    [text('text'), text('start')],
    'boolean',
    'Whether the text begins so; letter case counts',
    { expression: "startswith('laptop', 'lap')", result: true },
  ],
  [
    'endswith',
    [text('text'), text('end')],
    'boolean',
    'Whether the text ends so; letter case counts',
    { expression: "endswith('a.pdf', '.pdf')", result: true },
  ],
  [
    'replace',
    [text('text'), text('old'), text('new')],
    'text',
    'The text with every `old` replaced by `new`, both taken literally',
    { expression: "replace('1,299', ',', '')", result: '1299' },
  ],
  [
    'split',
    [text('text'), text('separator')],
    'list',
    'The parts of the text between the separators',
    { expression: "split('a,b', ',')", result: ['a', 'b'] },
  ],
  [
    'substr',
    [text('text'), number('start'), optional(number('length'))],
    'text',
    'A part of the text; the first character is 0, a negative start counts from the end',
    { expression: "substr('laptop', 3, 2)", result: 'to' },
  ],
  [
    'concat',
    [repeated(any('value'))],
    'text',
    'The values joined as one text; missing ones are left out',
    { expression: "concat(first, ' ', last)", row: { first: 'Ada', last: 'L' }, result: 'Ada L' },
  ],
  [
    'text',
    [any('value')],
    'text',
    'The value as text: numbers as short as possible, lists and objects as JSON',
    { expression: 'text(2.50)', result: '2.5' },
  ],
  [
    'slug',
    [text('text')],
    'text',
    'The text for an address: small letters and digits joined by hyphens',
    { expression: "slug('Crème Brûlée, 2nd!')", result: 'creme-brulee-2nd' },
  ],
  [
    'lpad',
    [text('text'), { ...number('length'), max: LONGEST_PAD }, optional(text('fill'))],
    'text',
    'The text filled up on the left to that length, by spaces or `fill`',
    { expression: "lpad(7, 3, '0')", result: '007' },
  ],
  [
    'rpad',
    [text('text'), { ...number('length'), max: LONGEST_PAD }, optional(text('fill'))],
    'text',
    'The text filled up on the right to that length, by spaces or `fill`',
    { expression: "rpad('ab', 4, '.')", result: 'ab..' },
  ],
  ['reverse', [text('text')], 'text', 'The text backwards', { expression: "reverse('abc')", result: 'cba' }],
  [
    'similarity',
    [text('a'), text('b')],
    'number',
    'How alike two texts are, from 0 to 1 (Jaro-Winkler, over their first 1000 characters)',
    { expression: "round(similarity('laptop', 'labtop'), 2)", result: 0.91 },
  ],
])

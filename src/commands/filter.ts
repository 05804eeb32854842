import { command } from './command.ts'
import { filtered } from './shared/expressions.ts'

export default command({
  name: 'filter',
  aliases: ['where'],
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the rows for which an expression is true',
  help: [
    'A comparison with a missing value is false, with `!=` and `!~` too; `x == null` finds the missing ones. Against a number, text that is a plain number compares as that number: `price > 10` holds for `"12.50"`. For `"$1,299.00"` write `number(price) > 10`.',
    '',
    'Quote the expression: `filter "price > 10 and city == \'Oslo\'"`.',
  ].join('\n'),
  arguments: [{ name: 'expression', type: 'expression', help: 'What must be true of a row.' }],
  decorates: 'attribute',
  examples: [
    {
      title: 'Numbers in text compare as numbers; a missing one is left out',
      input: [{ price: '12.50' }, { price: '9.99' }, { city: 'Oslo' }, { price: 30 }],
      query: 'filter "price > 10"',
      output: [{ price: '12.50' }, { price: 30 }],
    },
    {
      title: 'Inside a nested value',
      input: [{ a: { class: 'item', n: 1 } }, { a: { class: 'note' } }],
      query: `filter "a.class == 'item' and a.n >= 1"`,
      output: [{ a: { class: 'item', n: 1 } }],
    },
    {
      title: 'Missing values',
      input: [{ city: 'Oslo', n: 1 }, { n: 2 }],
      query: 'filter "city == null"',
      output: [{ n: 2 }],
    },
  ],
  reduce: ({ input, args, ...tools }) => filtered(input, args.expression, tools),
})

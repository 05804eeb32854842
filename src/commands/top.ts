import { command } from './command.ts'
import { frequencies } from './shared/grouping.ts'

export default command({
  name: 'top',
  kind: 'reduce',
  group: 'rows',
  summary: 'Gives the most frequent values of a column',
  help: 'A row for each value: the value, `count`, and `percent` of the rows that have a value, to two decimals. Equally frequent ones come in the order in which they first appear. Rows without a value are left out.',
  arguments: [
    { name: 'count', type: 'integer', min: 0, help: 'How many values to give.' },
    { name: 'column', type: 'path', help: 'The column to look at.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ city: 'Oslo' }, { city: 'Rome' }, { city: 'Rome' }, { id: 4 }],
      query: 'top 2 city',
      output: [
        { city: 'Rome', count: 2, percent: 66.67 },
        { city: 'Oslo', count: 1, percent: 33.33 },
      ],
    },
    {
      title: 'A nested value',
      input: [{ a: { tag: 'p' } }, { a: { tag: 'p' } }, { a: { tag: 'div' } }],
      query: 'top 1 a.tag',
      output: [{ a: { tag: 'p' }, count: 2, percent: 66.67 }],
    },
  ],
  reduce: ({ input, args }) => frequencies(input, args.column, args.count, 'most'),
})

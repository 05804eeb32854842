import { command } from './command.ts'
import { extremeRows } from './shared/sorting.ts'

export default command({
  name: 'min',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the rows that hold the smallest value of a column',
  help: 'All of them, where several do. Values compare as in `sort`: as numbers where every value is one, otherwise as text. Rows without a value are left out. For the value alone: `stats "min(price)"`.',
  arguments: [{ name: 'column', type: 'path', help: 'The column to compare.' }],
  decorates: 'attribute',
  examples: [
    {
      title: 'Numbers in text, and a missing one',
      input: [{ price: '10' }, { price: '9.5', city: 'Oslo' }, { city: 'Rome' }],
      query: 'min price',
      output: [{ price: '9.5', city: 'Oslo' }],
    },
    {
      title: 'Several rows hold it',
      input: [
        { a: { n: 1 }, id: 1 },
        { a: { n: 2 }, id: 2 },
        { a: { n: 1 }, id: 3 },
      ],
      query: 'min a.n',
      output: [
        { a: { n: 1 }, id: 1 },
        { a: { n: 1 }, id: 3 },
      ],
    },
  ],
  reduce: ({ input, args, probe }) => extremeRows(input, args.column, 'min', probe),
})

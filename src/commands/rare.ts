import { command } from './command.ts'
import { frequencies } from './shared/grouping.ts'

export default command({
  name: 'rare',
  kind: 'reduce',
  group: 'rows',
  summary: 'Gives the least frequent values of a column',
  help: 'The opposite of `top`: the rarest first, equally rare ones in the order in which they first appear. Rows without a value are left out.',
  arguments: [
    { name: 'count', type: 'integer', min: 0, help: 'How many values to give.' },
    { name: 'column', type: 'path', help: 'The column to look at.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ city: 'Rome' }, { city: 'Oslo' }, { city: 'Rome' }, { city: 'Lima' }],
      query: 'rare 2 city',
      output: [
        { city: 'Oslo', count: 1, percent: 25 },
        { city: 'Lima', count: 1, percent: 25 },
      ],
    },
    {
      title: 'Missing values are no value',
      input: [{ n: 1 }, { n: 1 }, { id: 3 }],
      query: 'rare 5 n',
      output: [{ n: 1, count: 2, percent: 100 }],
    },
  ],
  reduce: ({ input, args }) => frequencies(input, args.column, args.count, 'least'),
})

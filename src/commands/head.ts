import { slice } from '../sql/order.ts'
import { command } from './command.ts'

export default command({
  name: 'head',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the first rows',
  help: 'A table with fewer rows stays whole. `limit` also skips rows, `tail` keeps the last ones.',
  arguments: [{ name: 'count', type: 'integer', min: 0, help: 'How many rows to keep.' }],
  examples: [
    {
      input: [{ city: 'Oslo' }, { city: 'Rome' }, { city: 'Lima' }],
      query: 'head 2',
      output: [{ city: 'Oslo' }, { city: 'Rome' }],
    },
    {
      title: 'After a sort, the smallest',
      input: [{ price: 30 }, { price: 10 }, { price: 20 }],
      query: 'sort price || head 1',
      output: [{ price: 10 }],
    },
    {
      title: 'More than there are',
      input: [{ city: 'Oslo' }],
      query: 'head 10',
      output: [{ city: 'Oslo' }],
    },
  ],
  reduce: ({ input, args }) => slice(input, args.count, 0),
})

import { lastRows } from '../sql/order.ts'
import { command } from './command.ts'

export default command({
  name: 'tail',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the last rows',
  help: 'They stay in their order. A table with fewer rows stays whole.',
  arguments: [{ name: 'count', type: 'integer', min: 0, help: 'How many rows to keep.' }],
  examples: [
    {
      input: [{ city: 'Oslo' }, { city: 'Rome' }, { city: 'Lima' }],
      query: 'tail 2',
      output: [{ city: 'Rome' }, { city: 'Lima' }],
    },
    {
      title: 'A missing value sorts last, so it is in the tail',
      input: [{ n: 2 }, { n: null, city: 'Rome' }, { n: 1 }],
      query: 'sort n || tail 2',
      output: [{ n: 2 }, { city: 'Rome' }],
    },
  ],
  reduce: ({ input, args }) => lastRows(input, args.count),
})

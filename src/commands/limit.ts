import { slice } from '../sql/order.ts'
import { command } from './command.ts'

export default command({
  name: 'limit',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps a number of rows, after skipping some',
  help: 'An offset past the end gives no rows.',
  arguments: [
    { name: 'count', type: 'integer', min: 0, help: 'How many rows to keep.' },
    { name: 'offset', type: 'integer', min: 0, optional: true, help: 'How many rows to skip first.' },
  ],
  examples: [
    { query: 'range 1 10 n || limit 3', output: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    {
      title: 'The second page of three',
      query: 'range 1 10 n || limit 3 3',
      output: [{ n: 4 }, { n: 5 }, { n: 6 }],
    },
    { title: 'Past the end', query: 'range 1 10 n || limit 3 100', output: [] },
  ],
  reduce: ({ input, args }) => slice(input, args.count, args.offset ?? 0),
})

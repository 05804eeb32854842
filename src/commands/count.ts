import { command } from './command.ts'
import { aggregated, COUNT_ROWS } from './shared/grouping.ts'

export default command({
  name: 'count',
  kind: 'reduce',
  group: 'groups',
  summary: 'Counts the rows, or those of each group',
  help: 'Groups come in the order in which they first appear; rows without the column are a group too. `top` sorts by the count.',
  arguments: [
    {
      name: 'columns',
      type: 'path',
      repeated: true,
      wildcard: false,
      optional: true,
      help: 'The columns whose values make the groups.',
    },
  ],
  decorates: 'multiattribute',
  examples: [
    { query: 'range 1 7 n || count', output: [{ count: 7 }] },
    {
      title: 'By group; the missing ones too',
      input: [{ city: 'Rome' }, { city: 'Oslo' }, { city: 'Rome' }, { id: 4 }],
      query: 'count city',
      output: [{ city: 'Rome', count: 2 }, { city: 'Oslo', count: 1 }, { count: 1 }],
    },
    { title: 'No rows', query: 'range 1 3 n || filter "n > 5" || count', output: [{ count: 0 }] },
  ],
  reduce: ({ input, args, ...tools }) => aggregated(input, args.columns ?? [], [COUNT_ROWS], tools),
})

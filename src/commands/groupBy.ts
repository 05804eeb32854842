import { command } from './command.ts'
import { membersOf } from './shared/grouping.ts'

export default command({
  name: 'groupBy',
  kind: 'reduce',
  group: 'groups',
  summary: 'Gathers the rows of each group into an array',
  help: 'A row for each group, in the order in which they first appear: the columns it was made by, and `_group`, the array of its rows in their order, whole. Rows without the column are a group too. `normalize _group` takes them apart again; for figures of each group use `stats --by`. The groups are put together in memory, which does not spill to disk: rows that are more than about a fifth of `FORAGE_MEMORY_MB` as JSON end in the error `table_memory`.',
  arguments: [
    {
      name: 'columns',
      type: 'path',
      repeated: true,
      wildcard: false,
      help: 'The columns whose values make the groups.',
    },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [
        { city: 'Rome', n: 1 },
        { city: 'Oslo', n: 2 },
        { city: 'Rome', n: 3 },
      ],
      query: 'groupBy city',
      output: [
        {
          city: 'Rome',
          _group: [
            { city: 'Rome', n: 1 },
            { city: 'Rome', n: 3 },
          ],
        },
        { city: 'Oslo', _group: [{ city: 'Oslo', n: 2 }] },
      ],
    },
    {
      title: 'A nested value, missing in one row',
      input: [{ a: { k: 1 }, n: 1 }, { n: 2 }],
      query: 'groupBy a.k',
      output: [{ a: { k: 1 }, _group: [{ a: { k: 1 }, n: 1 }] }, { _group: [{ n: 2 }] }],
    },
  ],
  reduce: ({ input, args }) => membersOf(input, args.columns),
})

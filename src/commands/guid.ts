import { command } from './command.ts'
import { withGuid } from './shared/guids.ts'

export default command({
  name: 'guid',
  aliases: ['uuid'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Adds a fresh random UUID to each row, as `_guid`',
  help: 'Each run gives others, so the result is never taken from the cache. For a name that stays the same use `hash`. As the first stage it starts from one empty row.',
  arguments: [],
  startsFromEmptyRow: true,
  volatile: true,
  examples: [
    { input: [{ city: 'Oslo' }], query: 'guid', columns: ['city', '_guid'] },
    {
      title: 'They all differ',
      query: 'range 1 1000 n || guid || dedup _guid || count',
      output: [{ count: 1000 }],
    },
    {
      title: 'What they look like',
      query: 'guid || matches _guid "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" || count',
      output: [{ count: 1 }],
    },
  ],
  reduce: ({ input }) => withGuid(input),
})

import { command } from './command.ts'
import { removed } from './shared/values.ts'

export default command({
  name: 'drop',
  aliases: ['remove'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Takes columns away',
  help: '`a.b` takes `b` out of `a` and leaves the rest of it; an index takes an item out of an array. `a.*` is all of `a`.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: true, help: 'The columns to take away.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [
        { city: 'Oslo', n: 1, x: true },
        { city: 'Rome', x: false },
      ],
      query: 'drop n x',
      output: [{ city: 'Oslo' }, { city: 'Rome' }],
    },
    {
      title: 'Inside nested values; a row that has nothing there stays as it is',
      input: [{ a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: 'text' }],
      query: 'drop a.b',
      output: [{ a: { c: 2 } }, { a: { c: 3 } }, { a: 'text' }],
    },
    {
      title: 'The first item of an array',
      input: [{ tags: ['a', 'b'] }, { tags: [] }],
      query: 'drop tags.0',
      output: [{ tags: ['b'] }, { tags: [] }],
    },
  ],
  reduce: ({ input, args }) => removed(input, args.columns),
})

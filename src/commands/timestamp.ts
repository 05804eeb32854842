import { constant } from '../sql/value.ts'
import { command } from './command.ts'
import { columnNamed } from './shared/columns.ts'
import { written } from './shared/values.ts'

export default command({
  name: 'timestamp',
  kind: 'reduce',
  group: 'columns',
  summary: 'Adds the time at which the query started',
  help: 'ISO 8601 in UTC, the same for every row and in all stages of a query, as `_timestamp` unless another name is given. `eval epoch "epoch(_timestamp)"` makes seconds of it. The result is never taken from the cache. As the first stage it starts from one empty row.',
  arguments: [
    { name: 'name', type: 'column', optional: true, help: 'The column to write; `_timestamp` unless told.' },
  ],
  startsFromEmptyRow: true,
  volatile: true,
  examples: [
    { input: [{ city: 'Oslo' }], query: 'timestamp', columns: ['city', '_timestamp'] },
    {
      title: 'Under another name, inside a nested value',
      input: [{ page: { url: '/a' } }],
      query: String.raw`timestamp page.seen || eval ok "page.seen =~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$'" || drop page.seen`,
      output: [{ page: { url: '/a' }, ok: true }],
    },
  ],
  reduce: ({ input, args, startedAt }) =>
    written(input, [
      { path: args.name ?? columnNamed('_timestamp'), value: constant(startedAt.toISOString()) },
    ]),
})

import { backwards } from '../sql/order.ts'
import { hidden, orderBy } from '../sql/relation.ts'
import { join, name, sql } from '../sql/sql.ts'
import { command } from './command.ts'
import { read } from './shared/columns.ts'

export default command({
  name: 'dedup',
  aliases: ['distinct'],
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps one row of those that are alike',
  help: 'Without columns the whole row counts. The first of the rows that are alike stays, in its place; with `--last` the last one. Missing is a value like any other here: of the rows that lack the column, one stays.',
  arguments: [
    {
      name: 'columns',
      type: 'path',
      repeated: true,
      wildcard: false,
      optional: true,
      help: 'The columns that must be equal. Without any, all of them.',
    },
  ],
  flags: [{ name: 'last', type: 'boolean', default: false, help: 'Keep the last one instead of the first.' }],
  decorates: 'multiattribute',
  examples: [
    {
      input: [
        { city: 'Oslo', n: 1 },
        { city: 'Rome', n: 2 },
        { city: 'Oslo', n: 3 },
      ],
      query: 'dedup city',
      output: [
        { city: 'Oslo', n: 1 },
        { city: 'Rome', n: 2 },
      ],
    },
    {
      title: 'The last of each',
      input: [
        { city: 'Oslo', n: 1 },
        { city: 'Rome', n: 2 },
        { city: 'Oslo', n: 3 },
      ],
      query: 'dedup city --last',
      output: [
        { city: 'Rome', n: 2 },
        { city: 'Oslo', n: 3 },
      ],
    },
    {
      title: 'Whole rows, nested values and missing ones included',
      input: [{ a: { b: 1 } }, { n: 1 }, { a: { b: 1 } }, { n: 1 }, { a: { b: 2 } }],
      query: 'dedup',
      output: [{ a: { b: 1 } }, { n: 1 }, { a: { b: 2 } }],
    },
  ],
  reduce: ({ input, args, flags }) => {
    const keys =
      args.columns?.map(path => read(input, path).sql) ?? input.columns.map(column => name(column.id))
    const visible = input.columns.map(column => name(column.id))
    const order = flags.last ? backwards(input) : orderBy(input)
    return {
      ...input,
      sql: sql`SELECT ${join([...visible, ...hidden(input)], ', ')} FROM (${input.sql}) QUALIFY row_number() OVER (PARTITION BY ${keys.length > 0 ? join(keys, ', ') : sql`true`} ORDER BY ${order}) = 1`,
    }
  },
})

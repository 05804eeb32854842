import { selectPaths } from '../sql/path.ts'
import { command } from './command.ts'
import { compileOptions } from './shared/expressions.ts'

export default command({
  name: 'table',
  aliases: ['select'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Keeps these columns, in this order',
  help: '`a.b` keeps only `b` inside of `a`; `a.*` keeps all of `a`, and `*` stands for all columns not named. A row that has none of them stays, as an empty one.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: true, help: 'The columns to keep.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      title: 'In the order given; a missing value stays missing',
      input: [{ city: 'Oslo', n: 1, x: true }, { city: 'Rome' }],
      query: 'table n city',
      output: [{ n: 1, city: 'Oslo' }, { city: 'Rome' }],
    },
    {
      title: 'A part of a nested value',
      input: [{ id: 1, a: { href: '/x', class: 'c', rel: 'r' } }],
      query: 'table a.href a.rel',
      output: [{ a: { href: '/x', rel: 'r' } }],
    },
    {
      title: 'All the rest',
      input: [{ id: 1, name: 'a', n: 2 }],
      query: 'table n *',
      output: [{ n: 2, id: 1, name: 'a' }],
    },
  ],
  reduce: ({ input, args }) => selectPaths(input, args.columns, compileOptions(input.columns)),
})

import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'stringify',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns a value into its JSON text',
  help: 'In place, without white space. Text gets its quotes; missing stays missing. The opposite is `parseJSON`. For text without quotes use `convert COL string`.',
  arguments: [{ name: 'column', type: 'path', help: 'The column to change.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [{ v: { a: [1, null], b: 'x' } }, { v: 'say "x"' }, { v: 2.5 }, { n: 1 }],
      query: 'stringify v',
      output: [{ v: '{"a":[1,null],"b":"x"}' }, { v: '"say \\"x\\""' }, { v: '2.5' }, { n: 1 }],
    },
    {
      title: 'Nested',
      input: [{ a: { list: [true] } }],
      query: 'stringify a.list',
      output: [{ a: { list: '[true]' } }],
    },
  ],
  reduce: ({ input, args }) => changed(input, [args.column], value => apply('json', value)),
})

import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'urlencode',
  kind: 'reduce',
  group: 'columns',
  summary: 'Escapes everything that has a meaning in addresses',
  help: 'In place. Numbers are taken as text, objects and arrays as JSON. The opposite is `urldecode`.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ q: 'red & blue/1' }, { n: 1 }],
      query: 'urlencode q',
      output: [{ q: 'red%20%26%20blue%2F1' }, { n: 1 }],
    },
    {
      title: 'Nested, and not text',
      input: [{ a: { q: 'é' }, list: [1, 2] }],
      query: 'urlencode a.q list',
      output: [{ a: { q: '%C3%A9' }, list: '%5B1%2C2%5D' }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, value => apply('urlencode', value)),
})

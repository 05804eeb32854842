import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'unbase64',
  kind: 'reduce',
  group: 'columns',
  summary: 'Decodes Base64',
  help: 'In place. A value that is no Base64, or whose bytes are no text in UTF-8, becomes missing.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      title: 'One that is none, and one that is missing',
      input: [{ t: 'w6k=' }, { t: '***' }, { n: 1 }],
      query: 'unbase64 t',
      output: [{ t: 'é' }, {}, { n: 1 }],
    },
    {
      title: 'Nested',
      input: [{ a: { t: 'eA==', n: 1 } }],
      query: 'unbase64 a.t',
      output: [{ a: { n: 1, t: 'x' } }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, value => apply('unbase64', value)),
})

import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'base64',
  kind: 'reduce',
  group: 'columns',
  summary: 'Encodes values in Base64',
  help: 'In place, the bytes of the text in UTF-8. Numbers are taken as text, objects and arrays as JSON. The opposite is `unbase64`.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    { input: [{ t: 'é' }, { n: 1 }], query: 'base64 t', output: [{ t: 'w6k=' }, { n: 1 }] },
    {
      title: 'Nested, and not text',
      input: [{ a: { t: 'x' }, n: 5, list: [1] }],
      query: 'base64 a.t n list',
      output: [{ a: { t: 'eA==' }, n: 'NQ==', list: 'WzFd' }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, value => apply('base64', value)),
})

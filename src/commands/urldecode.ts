import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'urldecode',
  kind: 'reduce',
  group: 'columns',
  summary: 'Undoes the escapes of addresses',
  help: 'In place. A value whose escapes make no text becomes missing. A plus stays a plus: it means a space in forms only.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ q: 'red%20%26%20blue' }, { n: 1 }, { q: 'a+b' }],
      query: 'urldecode q',
      output: [{ q: 'red & blue' }, { n: 1 }, { q: 'a+b' }],
    },
    {
      title: 'Nested, and bytes that are no text',
      input: [{ a: { q: '%C3%A9' }, b: '%FF' }],
      query: 'urldecode a.q b',
      output: [{ a: { q: 'é' } }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, value => apply('urldecode', value)),
})

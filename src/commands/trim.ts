import { command } from './command.ts'
import { changed, ofText } from './shared/values.ts'

export default command({
  name: 'trim',
  kind: 'reduce',
  group: 'columns',
  summary: 'Takes white space away from both ends of texts',
  help: 'In place. Only texts change: numbers, booleans, objects and arrays stay as they are.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ name: '  Ada ', n: 1 }, { n: 2 }, { name: 7 }],
      query: 'trim name',
      output: [{ name: 'Ada', n: 1 }, { n: 2 }, { name: 7 }],
    },
    {
      title: 'Nested values and line ends',
      input: [{ a: { text: '\n red lamp\t' }, b: ' x' }],
      query: 'trim a.text b',
      output: [{ a: { text: 'red lamp' }, b: 'x' }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, ofText('trim')),
})

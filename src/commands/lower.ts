import { command } from './command.ts'
import { changed, ofText } from './shared/values.ts'

export default command({
  name: 'lower',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns texts into small letters',
  help: 'In place. Only texts change: numbers, booleans, objects and arrays stay as they are.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ city: 'ÅLESUND', n: 1 }, { n: 2 }],
      query: 'lower city',
      output: [{ city: 'ålesund', n: 1 }, { n: 2 }],
    },
    {
      title: 'Nested, and not always text',
      input: [{ a: { k: 'ABC' } }, { a: { k: 12 } }, { a: { k: ['X'] } }],
      query: 'lower a.k',
      output: [{ a: { k: 'abc' } }, { a: { k: 12 } }, { a: { k: ['X'] } }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, ofText('lower')),
})

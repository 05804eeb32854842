import { command } from './command.ts'
import { changed, ofText } from './shared/values.ts'

export default command({
  name: 'upper',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns texts into capital letters',
  help: 'In place. Only texts change: numbers, booleans, objects and arrays stay as they are.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to change.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ code: 'no', n: 1 }, { n: 2 }],
      query: 'upper code',
      output: [{ code: 'NO', n: 1 }, { n: 2 }],
    },
    {
      title: 'Several, one of them nested',
      input: [{ a: { k: 'é' }, b: 'x', c: true }],
      query: 'upper a.k b c',
      output: [{ a: { k: 'É' }, b: 'X', c: true }],
    },
  ],
  reduce: ({ input, args }) => changed(input, args.columns, ofText('upper')),
})

import { constant } from '../sql/value.ts'
import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'split',
  kind: 'reduce',
  group: 'columns',
  summary: 'Splits a text into an array',
  help: 'In place, at each occurrence of the separator, which is taken literally; `\\n` and `\\t` can be written in it. White space around the parts stays. `normalize` then makes a row of each part; `join()` in an expression is the opposite.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to split.' },
    { name: 'separator', type: 'text', help: 'The text between the parts.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ tags: 'red,blue,' }, { tags: 'red' }, { n: 1 }],
      query: 'split tags ,',
      output: [{ tags: ['red', 'blue', ''] }, { tags: ['red'] }, { n: 1 }],
    },
    {
      title: 'At line ends, a row for each line',
      input: [{ id: 1, a: { text: 'x\ny' } }],
      query: String.raw`split a.text "\n" || normalize a.text`,
      output: [
        { id: 1, a: {}, text: 'x' },
        { id: 1, a: {}, text: 'y' },
      ],
    },
  ],
  reduce: ({ input, args }) =>
    changed(input, [args.column], value => apply('split', value, constant(args.separator))),
})

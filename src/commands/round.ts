import { constant } from '../sql/value.ts'
import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'round',
  kind: 'reduce',
  group: 'columns',
  summary: 'Rounds the numbers of a column',
  help: 'In place; halves go away from zero. Text that is a plain number counts as one, anything else becomes missing: `convert COL number` first reads numbers with currency or units.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to round.' },
    {
      name: 'digits',
      type: 'integer',
      optional: true,
      default: 0,
      min: 0,
      max: 15,
      help: 'Digits behind the point; none unless told.',
    },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ n: 2.345 }, { n: -1.5 }, { n: '7.891' }, { n: 'x' }, { id: 5 }],
      query: 'round n 1',
      output: [{ n: 2.3 }, { n: -1.5 }, { n: 7.9 }, {}, { id: 5 }],
    },
    {
      title: 'To whole numbers, nested',
      input: [{ a: { n: 2.5 } }, { a: { n: -2.5 } }, { a: { n: 3 } }],
      query: 'round a.n',
      output: [{ a: { n: 3 } }, { a: { n: -3 } }, { a: { n: 3 } }],
    },
  ],
  reduce: ({ input, args }) =>
    changed(input, [args.column], value => apply('round', value, constant(args.digits ?? 0))),
})

import { writePath } from '../sql/path.ts'
import { sql } from '../sql/sql.ts'
import { unify } from '../sql/unify.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { readOrMissing } from './shared/columns.ts'
import { filledIn } from './shared/templates.ts'

export default command({
  name: 'fill',
  kind: 'reduce',
  group: 'rows',
  summary: 'Fills the missing values of a column',
  help: 'Values that are there stay; a column that is not there is made. The value may hold tokens, which stand for the values of the row: `fill title "Product $id$"`. A plain number, `true` and `false` are a number and a boolean, anything else is text; one token alone keeps its type. To take the value from the row above use `filldown`.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to fill; a path fills inside a nested value.' },
    {
      name: 'value',
      type: 'template',
      help: 'What to put where nothing is, with tokens for values of the row.',
    },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'A nested value',
      input: [{ a: { n: 5 } }, { a: { m: 1 } }, { id: 3 }],
      query: 'fill a.n 0',
      output: [{ a: { n: 5 } }, { a: { m: 1, n: 0 } }, { a: { n: 0 }, id: 3 }],
    },
    {
      title: 'Made from the row',
      input: [{ id: 1, title: 'Lamp' }, { id: 2 }],
      query: 'fill title "Product $id$"',
      output: [
        { id: 1, title: 'Lamp' },
        { id: 2, title: 'Product 2' },
      ],
    },
    {
      title: 'Text among numbers; a column that is not there yet',
      input: [{ n: 5 }, { id: 2 }],
      query: 'fill n unknown || fill checked false',
      output: [
        { n: 5, checked: false },
        { n: 'unknown', id: 2, checked: false },
      ],
    },
  ],
  reduce: ({ input, args }) => {
    const { relation, value } = filledIn(input, args.value)
    const old = readOrMissing(relation, args.column)
    const { type, values } = unify([old, value])
    return writePath(relation, args.column, typed(sql`coalesce(${values[0]!}, ${values[1]!})`, type))
  },
})

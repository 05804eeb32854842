import type { Path } from '../language/values.ts'
import { writePath } from '../sql/path.ts'
import { orderBy, type Relation } from '../sql/relation.ts'
import { sql } from '../sql/sql.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { read } from './shared/columns.ts'

export default command({
  name: 'filldown',
  kind: 'reduce',
  group: 'rows',
  summary: 'Fills missing values with the last one above',
  help: 'For tables in which a value is written once for several rows. Rows before the first value stay as they are. For a fixed value use `fill`.',
  arguments: [
    { name: 'columns', type: 'path', repeated: true, wildcard: false, help: 'The columns to fill.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [{ n: 0 }, { n: 1, city: 'Oslo' }, { n: 2 }, { n: 3, city: 'Rome' }, { n: 4 }],
      query: 'filldown city',
      output: [
        { n: 0 },
        { n: 1, city: 'Oslo' },
        { n: 2, city: 'Oslo' },
        { n: 3, city: 'Rome' },
        { n: 4, city: 'Rome' },
      ],
    },
    {
      title: 'A nested value',
      input: [{ a: { day: 'Mon', n: 1 } }, { a: { n: 2 } }],
      query: 'filldown a.day',
      output: [{ a: { day: 'Mon', n: 1 } }, { a: { n: 2, day: 'Mon' } }],
    },
  ],
  reduce: ({ input, args }) => args.columns.reduce(filledDown, input),
})

function filledDown(relation: Relation, path: Path): Relation {
  const { sql: value, type } = read(relation, path)
  const last = sql`last_value(${value} IGNORE NULLS) OVER (ORDER BY ${orderBy(relation)} ROWS UNBOUNDED PRECEDING)`
  return writePath(relation, path, typed(last, type))
}

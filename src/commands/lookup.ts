import type { Path } from '../language/values.ts'
import { orderBy, type Relation } from '../sql/relation.ts'
import { sql } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { command } from './command.ts'
import { read } from './shared/columns.ts'
import { joined } from './shared/joining.ts'

export default command({
  name: 'lookup',
  kind: 'reduce',
  group: 'groups',
  summary: 'Adds the columns of the matching row of a cellar file',
  help: 'Every row stays, once: of several rows of the file with the same value the first counts, and where there is none nothing is added. A column that both sides have keeps the value of this side, and the other is put under `_right`. A number meets the same number in text. `join --cellar` gives a row for each match, and can leave out those without one.',
  arguments: [
    { name: 'name', type: 'text', names: 'cellar', help: 'The name of the cellar file.' },
    { name: 'column', type: 'path', help: 'The column that must be equal on both sides.' },
  ],
  examples: [
    {
      query:
        'seed [{code: "no", country: "Norway"}, {code: "it", country: "Italy"}] || freeze countries || seed [{city: "Rome", code: "it"}, {city: "Bern", code: "ch"}] || lookup countries code',
      output: [
        { city: 'Rome', code: 'it', country: 'Italy' },
        { city: 'Bern', code: 'ch' },
      ],
    },
    {
      title: 'The first of several, and a column that both have',
      query:
        'seed [{id: 1, price: 5}, {id: 1, price: 6}] || freeze old-prices || seed [{id: "1", price: 7}] || lookup old-prices id',
      output: [{ id: '1', price: 7, _right: { price: 5 } }],
    },
  ],
  reduce: async ({ input, args, cellar }) => {
    const { column } = args
    return joined(
      input,
      firstOfEach(await cellar(args.name), column),
      [{ here: column, there: column }],
      'left',
    )
  },
})

const firstOfEach = (relation: Relation, column: Path): Relation => ({
  ...relation,
  sql: sql`SELECT * FROM (${relation.sql}) QUALIFY row_number() OVER (PARTITION BY ${textOf(read(relation, column))} ORDER BY ${orderBy(relation)}) = 1`,
})

import type { Template } from '../language/values.ts'
import { join, sql } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { read } from './shared/columns.ts'
import { filledText } from './shared/templates.ts'
import { written } from './shared/values.ts'

const SPACE: Template = { parts: [' '] }

export default command({
  name: 'merge',
  kind: 'reduce',
  group: 'columns',
  summary: 'Joins several columns into one text',
  help: 'Missing values are left out, with their separator; a row that has none of the columns gets no text. Numbers are written as short as possible, objects and arrays as JSON. The columns themselves stay: `drop` takes them away. The separator may hold tokens of the row.',
  arguments: [
    { name: 'name', type: 'column', help: 'The column to write.' },
    {
      name: 'columns',
      type: 'path',
      repeated: true,
      wildcard: false,
      help: 'The columns to join, in this order.',
    },
  ],
  flags: [
    {
      name: 'separator',
      type: 'template',
      help: 'What stands between them: a space unless told.',
    },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      title: 'Missing ones leave no gap',
      input: [{ first: 'Ada', last: 'Lovelace' }, { last: 'Curie' }, { n: 3 }],
      query: 'merge name first last',
      output: [
        { first: 'Ada', last: 'Lovelace', name: 'Ada Lovelace' },
        { last: 'Curie', name: 'Curie' },
        { n: 3 },
      ],
    },
    {
      title: 'Nested, with a separator, and not all text',
      input: [{ a: { x: 1.5, y: [2] }, z: true }],
      query: 'merge a.all a.x a.y z --separator ", "',
      output: [{ a: { x: 1.5, y: [2], all: '1.5, [2], true' }, z: true }],
    },
  ],
  reduce: ({ input, args, flags }) => {
    const separator = filledText(input, flags.separator ?? SPACE)
    const texts = args.columns.map(path => textOf(read(separator.relation, path)))
    const any = sql`coalesce(${join(texts, ', ')}) IS NOT NULL`
    const all = sql`concat_ws(${separator.value.sql}, ${join(texts, ', ')})`
    return written(separator.relation, [
      { path: args.name, value: typed(sql`CASE WHEN ${any} THEN ${all} END`, 'VARCHAR') },
    ])
  },
})

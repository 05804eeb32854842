import { flatColumns, readFlat } from '../sql/flat.ts'
import type { SqlType } from '../sql/sql.ts'
import { textOf } from '../sql/text.ts'
import type { Typed } from '../sql/value.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { projected } from './shared/columns.ts'

/** A table holds about a thousand columns, and nobody reads more. */
const MOST_COLUMNS = 1000

export default command({
  name: 'flatten',
  kind: 'reduce',
  group: 'columns',
  summary: 'Makes a column of every nested value',
  help: 'The names are joined by dots, items of arrays go by their number: `a.b`, `tags.0`. An empty object or array stays as it is. What the screen and CSV show is flat anyway; this makes it so for the stages that follow. `unflatten` is the opposite.',
  arguments: [],
  examples: [
    {
      input: [
        { id: 1, a: { b: 'x', c: { d: true } }, tags: ['p', 'q'] },
        { id: 2, a: { b: 'y' } },
      ],
      query: 'flatten',
      output: [
        { id: 1, 'a.b': 'x', 'a.c.d': true, 'tags.0': 'p', 'tags.1': 'q' },
        { id: 2, 'a.b': 'y' },
      ],
    },
    {
      title: 'Empty ones, and values that are nested in some rows only',
      input: [{ a: [] }, { a: { b: null } }, { a: 5 }, { a: [{ x: 1 }] }],
      query: 'flatten',
      output: [{ a: [] }, {}, { a: 5 }, { 'a.0.x': 1 }],
    },
  ],
  reduce: async ({ input, materialize, probe }) => {
    const source = await materialize(input)
    const flat = await flatColumns(source, probe, MOST_COLUMNS)
    if (!flat)
      throw new CommandFailure(
        'too_many_columns',
        `The flat table would have more than ${MOST_COLUMNS} columns.`,
        {
          hint: 'Take the parts that are needed first (table a.b c.*), or make rows of long arrays with normalize.',
        },
      )
    return projected(
      source,
      flat.map(column => ({
        name: column.name,
        ...(column.type === 'string' ? asText(readFlat(column)) : stored(readFlat(column))),
      })),
    )
  },
})

const stored = (value: Typed) => ({ sql: value.sql, type: value.type as SqlType })
const asText = (value: Typed) => stored(typed(textOf(value), 'VARCHAR'))

import type { Json, Row } from '../language/json.ts'
import { valueAt } from '../language/paths.ts'
import type { Path } from '../language/values.ts'
import { slice } from '../sql/order.ts'
import type { Relation } from '../sql/relation.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { rowsOf } from './shared/columns.ts'

/** Each row becomes a column, and a table holds about a thousand of them. */
const MOST_ROWS = 1000

export default command({
  name: 'transpose',
  kind: 'reduce',
  group: 'groups',
  summary: 'Turns rows into columns and columns into rows',
  help: 'A row for each column of the table: `column` holds its name, and `row0`, `row1`… the values of the rows. With `--header` the new columns are named by the values of one column instead, which then gives no row of its own. At most 1,000 rows.',
  arguments: [],
  flags: [{ name: 'header', type: 'path', help: 'The column whose values name the new columns.' }],
  examples: [
    {
      input: [{ city: 'Oslo', n: 1 }, { city: 'Rome' }],
      query: 'transpose',
      output: [
        { column: 'city', row0: 'Oslo', row1: 'Rome' },
        { column: 'n', row0: 1 },
      ],
    },
    {
      title: 'Named by a column',
      input: [
        { city: 'Oslo', n: 1, a: { b: true } },
        { city: 'Rome', n: 2 },
      ],
      query: 'transpose --header city',
      output: [
        { column: 'n', Oslo: 1, Rome: 2 },
        { column: 'a', Oslo: { b: true } },
      ],
    },
  ],
  reduce: async ({ input, flags, probe, ingest }) => {
    const rows = await rowsOf(slice(input, MOST_ROWS + 1, 0), probe)
    if (rows.length > MOST_ROWS)
      throw new CommandFailure('transpose_rows', `transpose takes at most ${MOST_ROWS} rows.`, {
        hint: `Put "head ${MOST_ROWS}", a filter or stats before it.`,
      })
    return ingest(transposed(input, rows, flags.header))
  },
})

function transposed(input: Relation, rows: readonly Row[], header: Path | undefined): Row[] {
  const names = uniqueNames(
    rows.map((row, index) => (header ? label(valueAt(row, header), index) : `row${index}`)),
  )
  return input.columns
    .filter(column => column.name !== header?.text)
    .map(column => {
      const cells = rows.map((row, index): [string, Json] => [names[index]!, row[column.name] ?? null])
      return Object.fromEntries([['column', column.name], ...cells.filter(([, value]) => value !== null)])
    })
}

const label = (value: Json | undefined, index: number): string =>
  value === null || value === undefined
    ? `row${index}`
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

/** A name that came before gets `_2`, `_3`… behind it, and `column` is taken from the start. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set(['column'])
  return names.map(wanted => {
    let unique = wanted
    for (let n = 2; taken.has(unique); n++) unique = `${wanted}_${n}`
    taken.add(unique)
    return unique
  })
}

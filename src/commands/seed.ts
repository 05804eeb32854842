import { type Json, type Row, stringifyJson } from '../language/json.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'

export default command({
  name: 'seed',
  kind: 'source',
  group: 'get',
  summary: 'Makes rows from JSON written in the query',
  help: 'An object is one row, an array of objects a row each. The JSON is lenient: bare keys, single quotes, trailing commas and comments are fine. Whole numbers of any length in 64 bits stay exact.',
  arguments: [{ name: 'rows', type: 'json', help: 'An object, or an array of objects.' }],
  examples: [
    { query: 'seed {city: "Oslo", n: 1}', output: [{ city: 'Oslo', n: 1 }] },
    {
      title: 'Several rows, nested, and not all alike',
      query: 'seed [{id: 1, tags: ["a", "b"]}, {id: "x2"}]',
      output: [{ id: 1, tags: ['a', 'b'] }, { id: 'x2' }],
    },
    { title: 'No rows', query: 'seed []', output: [] },
  ],
  source: ({ args, ingest }) => ingest(toRows(args.rows)),
})

function toRows(value: Json): Row[] {
  const items = isList(value) ? value : [value]
  return items.map((item, index) => {
    if (isRow(item)) return item
    throw new CommandFailure(
      'seed_not_rows',
      isList(value)
        ? `seed takes objects, but item ${index} of the array is ${kindOf(item)}.`
        : `seed takes an object or an array of objects, not ${kindOf(item)}.`,
      { hint: `Give each value a name: {value: ${stringifyJson(item)}}` },
    )
  })
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const isRow = (value: Json): value is Row =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (isList(value)) return 'an array'
  if (typeof value === 'string') return 'text'
  return typeof value === 'boolean' ? 'a boolean' : 'a number'
}

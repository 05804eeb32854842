import type { Relation } from '../sql/relation.ts'
import { batches, joinedSummaries, summaryOf } from '../sql/summary.ts'
import { command } from './command.ts'

export default command({
  name: 'summarize',
  kind: 'reduce',
  group: 'groups',
  summary: 'Describes each column in a row of figures',
  help: [
    'For each column: `column` (its name), `type`, `count` (rows with a value), `nulls` (rows without), `distinct` (different values), `min`, `max`, `mean`, the quartiles `p25 p50 p75`, and `sample`, the first value.',
    '',
    '`min` and `max` compare as in `sort`: as numbers where every value is one, otherwise as text; of objects and arrays they are missing. `mean` and the quartiles are of the numbers in the column, numbers in text included.',
  ].join('\n'),
  arguments: [],
  examples: [
    {
      title: 'A number in text counts as a number; a missing value only as missing',
      input: [{ city: 'Rome', price: 10 }, { city: 'Oslo', price: '20' }, { city: 'Rome' }],
      query: 'summarize',
      output: [
        {
          column: 'city',
          type: 'string',
          count: 3,
          nulls: 0,
          distinct: 2,
          min: 'Oslo',
          max: 'Rome',
          sample: 'Rome',
        },
        {
          column: 'price',
          type: 'mixed',
          count: 2,
          nulls: 1,
          distinct: 2,
          min: 10,
          max: 20,
          mean: 15,
          p25: 12.5,
          p50: 15,
          p75: 17.5,
          sample: 10,
        },
      ],
    },
    {
      title: 'Nested values',
      input: [{ a: { b: 1 } }, { a: { b: 2 } }],
      query: 'summarize',
      output: [{ column: 'a', type: 'object', count: 2, nulls: 0, distinct: 2, sample: { b: 1 } }],
    },
  ],
  reduce: async ({ input, materialize }) => {
    const groups = batches(input.columns)
    if (groups.length < 2) return summaryOf(input)
    const source = await materialize(input)
    const parts: Relation[] = []
    for (const columns of groups) parts.push(await materialize(summaryOf({ ...source, columns })))
    return joinedSummaries(parts)
  },
})

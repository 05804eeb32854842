import { numbered, ROW_NUMBER } from '../sql/relation.ts'
import { name } from '../sql/sql.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { columnNamed } from './shared/columns.ts'
import { written } from './shared/values.ts'

export default command({
  name: 'sequence',
  kind: 'reduce',
  group: 'columns',
  summary: 'Numbers the rows from 0, as `_sequence`',
  help: 'The numbers follow the order of the rows as they come in, and stay with their rows when these are sorted or filtered later.',
  arguments: [],
  examples: [
    {
      input: [{ city: 'Oslo' }, { city: 'Rome' }],
      query: 'sequence',
      output: [
        { city: 'Oslo', _sequence: 0 },
        { city: 'Rome', _sequence: 1 },
      ],
    },
    {
      title: 'After a sort, and kept through the next',
      input: [{ n: 1 }, { n: 3 }, { n: 2 }],
      query: 'sort n --order descending || sequence || sort n',
      output: [
        { n: 1, _sequence: 2 },
        { n: 2, _sequence: 1 },
        { n: 3, _sequence: 0 },
      ],
    },
  ],
  reduce: ({ input }) => {
    const rows = numbered(input)
    return written(rows, [{ path: columnNamed('_sequence'), value: typed(name(ROW_NUMBER), 'BIGINT') }])
  },
})

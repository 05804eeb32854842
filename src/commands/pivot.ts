import { command } from './command.ts'
import { pivoted } from './shared/pivoting.ts'

export default command({
  name: 'pivot',
  kind: 'reduce',
  group: 'groups',
  summary: 'Makes a cross table: the values of a column become columns',
  help: [
    'A row for each value of the first column, a column for each value of the second, and in each cell the figure over the rows that have both. Rows and columns come in the order in which they first appear. With several figures a column is named after value and figure: `jan_sum_n`.',
    '',
    'A cell without rows is missing, or 0 for `count` and `dc`. Rows that lack the second column go under the column `null`. More than 1,000 different values fail the query.',
  ].join('\n'),
  arguments: [
    { name: 'row', type: 'path', help: 'The column whose values make the rows.' },
    { name: 'column', type: 'path', help: 'The column whose values make the columns.' },
    { name: 'aggregates', type: 'aggregates', help: 'The figure for each cell, as in `stats`.' },
  ],
  examples: [
    {
      input: [
        { city: 'Oslo', month: 'jan', n: 1 },
        { city: 'Rome', month: 'jul', n: 5 },
        { city: 'Oslo', month: 'jul', n: 2 },
        { city: 'Oslo', month: 'jul', n: 3 },
      ],
      query: 'pivot city month "sum(n)"',
      output: [
        { city: 'Oslo', jan: 1, jul: 5 },
        { city: 'Rome', jul: 5 },
      ],
    },
    {
      title: 'Counts are 0 where there is nothing; several figures',
      input: [
        { city: 'Oslo', kind: 'a' },
        { city: 'Rome', kind: 'b', n: 4 },
      ],
      query: 'pivot city kind "count() as rows, max(n) as most"',
      output: [
        { city: 'Oslo', a_rows: 1, b_rows: 0 },
        { city: 'Rome', a_rows: 0, b_rows: 1, b_most: 4 },
      ],
    },
    {
      title: 'A missing value',
      input: [{ city: 'Oslo', kind: 'a' }, { city: 'Oslo' }],
      query: 'pivot city kind "count()"',
      output: [{ city: 'Oslo', a: 1, null: 1 }],
    },
  ],
  reduce: ({ input, args, ...tools }) => pivoted(input, args.row, args.column, args.aggregates, tools),
})

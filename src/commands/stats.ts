import { command } from './command.ts'
import { withoutErrors } from './shared/errors.ts'
import { aggregated } from './shared/grouping.ts'

export default command({
  name: 'stats',
  kind: 'reduce',
  group: 'groups',
  summary: 'Computes figures over all rows, or over each group of them',
  help: [
    'Figures: `count()` rows, `count(x)` rows with a value, `dc(x)` different values, `sum avg median min max stdev p50 p90 p95 p99`, `first(x)` and `last(x)` in the order of the rows, `list(x)` all values as an array, `mode(x)` the most frequent. The argument may be an expression: `sum(price * qty)`. Without `as`, `avg(price)` is named `avg_price`.',
    '',
    'Missing values count in nothing but `count()`; numbers in text count as numbers. Without rows, `count()` is 0 and the others are missing; with `--by`, no rows give no rows.',
    '',
    'Groups come in the order in which they first appear; rows without the `--by` column are a group too. Rows that failed in an earlier stage (those with `_error`) are left out unless `--errors true`.',
  ].join('\n'),
  arguments: [
    {
      name: 'aggregates',
      type: 'aggregates',
      help: 'The figures, with commas between: `"count() as n, avg(price)"`.',
    },
  ],
  flags: [
    {
      name: 'by',
      type: 'path',
      repeated: true,
      wildcard: false,
      help: 'The columns whose values make the groups.',
    },
    { name: 'errors', type: 'boolean', default: false, help: 'Count failed rows (those with `_error`) too.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      title: 'Numbers in text count, missing values do not',
      input: [{ price: 10 }, { price: '5.5' }, { city: 'Oslo' }],
      query: 'stats "count() as rows, count(price) as prices, avg(price)"',
      output: [{ rows: 3, prices: 2, avg_price: 7.75 }],
    },
    {
      title: 'By group, in order of appearance',
      input: [{ city: 'Rome', n: 1 }, { city: 'Oslo', n: 5 }, { city: 'Rome', n: 3 }, { n: 2 }],
      query: 'stats "count() as rows, sum(n), list(n) as all" --by city',
      output: [
        { city: 'Rome', rows: 2, sum_n: 4, all: [1, 3] },
        { city: 'Oslo', rows: 1, sum_n: 5, all: [5] },
        { rows: 1, sum_n: 2, all: [2] },
      ],
    },
    {
      title: 'By a nested value',
      input: [{ a: { kind: 'x' } }, { a: { kind: 'y' } }, { a: { kind: 'x' } }],
      query: 'stats "count() as n" --by a.kind',
      output: [
        { a: { kind: 'x' }, n: 2 },
        { a: { kind: 'y' }, n: 1 },
      ],
    },
    {
      title: 'Failed rows are left out',
      input: [{ n: 1 }, { _error: { code: 'timeout', message: 'no answer' } }],
      query: 'stats "count() as n"',
      output: [{ n: 1 }],
    },
  ],
  reduce: ({ input, args, flags, ...tools }) =>
    aggregated(flags.errors ? input : withoutErrors(input), flags.by ?? [], args.aggregates, tools),
})

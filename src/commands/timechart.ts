import { command } from './command.ts'
import { charted } from './shared/charting.ts'

export default command({
  name: 'timechart',
  kind: 'reduce',
  group: 'groups',
  summary: 'Computes figures over stretches of time',
  help: [
    'Each row is a stretch: `_time` is its beginning (ISO 8601, UTC), followed by the figures, as in `stats`. Stretches come in order from the first to the last that has rows; those between without rows are there too, with 0 for `count` and `dc` and nothing for other figures. Rows without a readable time are left out, and a warning says how many.',
    '',
    'Sizes: a number and `s`, `m`, `h`, `d`, `w`, `mo` or `y`: `5m`, `1h`, `1d`, `1mo`. Weeks begin on Monday.',
    '',
    'With `--by` there is a column for each value of that column, as in `pivot`.',
  ].join('\n'),
  arguments: [
    { name: 'size', type: 'text', help: 'How long a stretch is: `5m`, `1h`, `1d`, `1w`, `1mo`.' },
    { name: 'aggregates', type: 'aggregates', help: 'The figures, as in `stats`.' },
  ],
  flags: [
    {
      name: 'time',
      type: 'path',
      help: 'The column with the time, ISO 8601 or epoch; `_timestamp.iso` unless told.',
    },
    { name: 'by', type: 'path', help: 'The column whose values become columns.' },
  ],
  examples: [
    {
      title: 'By the hour, an empty one between',
      input: [
        { at: '2026-03-01T10:05:00Z', n: 1 },
        { at: '2026-03-01T10:50:00Z', n: 2 },
        { at: '2026-03-01T12:00:00Z', n: 4 },
      ],
      query: 'timechart 1h "count() as rows, sum(n)" --time at',
      output: [
        { _time: '2026-03-01T10:00:00.000Z', rows: 2, sum_n: 3 },
        { _time: '2026-03-01T11:00:00.000Z', rows: 0 },
        { _time: '2026-03-01T12:00:00.000Z', rows: 1, sum_n: 4 },
      ],
    },
    {
      title: 'By the month, a column for each city',
      input: [
        { day: '2026-01-05', city: 'Oslo' },
        { day: '2026-01-20', city: 'Rome' },
        { day: '2026-02-01', city: 'Oslo' },
      ],
      query: 'timechart 1mo "count()" --time day --by city',
      output: [
        { _time: '2026-01-01T00:00:00.000Z', Oslo: 1, Rome: 1 },
        { _time: '2026-02-01T00:00:00.000Z', Oslo: 1, Rome: 0 },
      ],
    },
  ],
  reduce: ({ input, args, flags, ...tools }) =>
    charted(
      input,
      {
        size: args.size,
        aggregates: args.aggregates,
        time: flags.time ?? { text: '_timestamp.iso', segments: ['_timestamp', 'iso'] },
        by: flags.by,
      },
      tools,
    ),
})

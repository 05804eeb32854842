import { DURATION_FORMS, parseDuration } from '../language/expression/duration.ts'
import { isPlainNumber } from '../language/expression/numbers.ts'
import { constant, type Typed } from '../sql/value.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { apply, changed } from './shared/values.ts'

export default command({
  name: 'bin',
  aliases: ['bucket'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Rounds values down to the start of their bin',
  help: 'In place, ready for `stats --by`. A size that is a number puts numbers into bins of that width, counted from 0; a duration (`30s 5m 1h 1d 1w 1mo 1y`) puts times into bins, written as ISO 8601 in UTC, weeks from Monday. What is no number or no time becomes missing.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column with the values.' },
    { name: 'size', type: 'text', help: 'The width of a bin: a number, or a duration such as 5m or 1d.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'Numbers, in text and below zero too',
      input: [{ n: 7 }, { n: '12.5' }, { n: -1 }, { n: 'x' }, { id: 5 }],
      query: 'bin n 5',
      output: [{ n: 5 }, { n: 10 }, { n: -5 }, {}, { id: 5 }],
    },
    {
      title: 'By tenths: the starts are as exact as the size is written',
      input: [{ n: 0.3 }, { n: 0.35 }, { n: 7 }],
      query: 'bin n 0.1',
      output: [{ n: 0.3 }, { n: 0.3 }, { n: 7 }],
    },
    {
      title: 'Times, nested',
      input: [{ a: { t: '2024-02-03T04:05:06Z' } }, { a: { t: '2024-02-29 23:59' } }, { a: { n: 1 } }],
      query: 'bin a.t 1mo',
      output: [
        { a: { t: '2024-02-01T00:00:00.000Z' } },
        { a: { t: '2024-02-01T00:00:00.000Z' } },
        { a: { n: 1 } },
      ],
    },
    {
      title: 'Visits in each quarter of an hour',
      input: [{ t: '2024-02-03T10:01:00Z' }, { t: '2024-02-03T10:14:59Z' }, { t: '2024-02-03T10:15:00Z' }],
      query: 'bin t 15m || count t',
      output: [
        { t: '2024-02-03T10:00:00.000Z', count: 2 },
        { t: '2024-02-03T10:15:00.000Z', count: 1 },
      ],
    },
  ],
  reduce: ({ input, args }) => {
    const size = checkedSize(args.size)
    return changed(input, [args.column], value => apply('bin', value, size))
  },
})

function checkedSize(text: string): Typed {
  if (isPlainNumber(text) && Number(text) > 0) return constant(Number(text))
  if (parseDuration(text)) return constant(text)
  throw new CommandFailure('bin_size', `bin cannot make bins of the size "${text}".`, {
    hint: `Give a number above 0, or a duration: ${DURATION_FORMS}.`,
  })
}

import { once, sql } from '../sql/sql.ts'
import { isoText } from '../sql/time.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { columnNamed, read } from './shared/columns.ts'
import { checkedFormat, checkedZone, timeIn } from './shared/times.ts'
import { written } from './shared/values.ts'

export default command({
  name: 'parseTimestamp',
  kind: 'reduce',
  group: 'columns',
  summary: 'Reads a time, into `_timestamp`',
  help: [
    '`_timestamp.epoch` is in whole seconds, `_timestamp.ms` in milliseconds, `_timestamp.iso` is ISO 8601 in UTC. Read are ISO 8601, the common forms of dates and times, and epoch numbers, in seconds up to the year 5138 and in milliseconds past it. In `02/03/2024` the month comes first, in `03.02.2024` the day. A value that is no time gets no `_timestamp`.',
    '',
    '`--format` reads exactly one form, in the letters of strftime: `%d %b %Y, %H:%M`. `--timezone` is the zone of times that do not tell their own; without it they are UTC.',
  ].join('\n'),
  arguments: [{ name: 'column', type: 'path', help: 'The column with the times.' }],
  flags: [
    { name: 'format', type: 'text', help: 'The form of the times, in the letters of strftime.' },
    { name: 'timezone', type: 'text', help: 'The zone of times without one, such as Europe/Oslo.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ t: 'Sat, 03 Feb 2024 04:05:06 +0200' }, { t: 1706925906.5 }, { t: 'soon' }, { n: 4 }],
      query: 'parseTimestamp t || drop t',
      output: [
        { _timestamp: { epoch: 1706925906, ms: 1706925906000, iso: '2024-02-03T02:05:06.000Z' } },
        { _timestamp: { epoch: 1706925906, ms: 1706925906500, iso: '2024-02-03T02:05:06.500Z' } },
        {},
        { n: 4 },
      ],
    },
    {
      title: 'In a form of its own, nested, in local time',
      input: [{ a: { t: '3/2 2024 kl 14:30' } }, { a: { t: '2024-02-03' } }],
      query:
        'parseTimestamp a.t --format "%d/%m %Y kl %H:%M" --timezone Europe/Oslo || eval a.t "_timestamp.iso" || drop _timestamp',
      output: [{ a: { t: '2024-02-03T13:30:00.000Z' } }, { a: {} }],
    },
    {
      title: 'A zone of its own wins',
      input: [{ t: '2024-07-01 12:00' }, { t: '2024-07-01T12:00Z' }],
      query: 'parseTimestamp t --timezone America/New_York || table _timestamp.iso',
      output: [
        { _timestamp: { iso: '2024-07-01T16:00:00.000Z' } },
        { _timestamp: { iso: '2024-07-01T12:00:00.000Z' } },
      ],
    },
  ],
  reduce: ({ input, args, flags }) => {
    const format = checkedFormat('parseTimestamp', flags.format)
    const zone = checkedZone('parseTimestamp', flags.timezone)
    const parts = once(
      timeIn(read(input, args.column), format, zone),
      time =>
        sql`CASE WHEN ${time} IS NOT NULL THEN json_object('epoch', floor(epoch_ms(${time}) / 1000)::BIGINT, 'ms', epoch_ms(${time}), 'iso', ${isoText(time)}) END`,
    )
    return written(input, [{ path: columnNamed('_timestamp'), value: typed(parts, 'JSON') }])
  },
})

import { formatTime, inZone, readTime } from '../sql/time.ts'
import { typed } from '../sql/value.ts'
import { command } from './command.ts'
import { checkedFormat, checkedZone } from './shared/times.ts'
import { changed } from './shared/values.ts'

export default command({
  name: 'formatTimestamp',
  kind: 'reduce',
  group: 'columns',
  summary: 'Writes times in another form',
  help: 'In place, in the letters of strftime: `%Y-%m-%d`, `%d %b %Y`, `%H:%M`. Times are read as by `parseTimestamp` and written in UTC, or in the zone of `--timezone`. What is no time becomes missing.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column with the times.' },
    { name: 'format', type: 'text', help: 'The new form.' },
  ],
  flags: [
    { name: 'timezone', type: 'text', help: 'The zone to write in, such as Europe/Oslo; UTC unless told.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ t: '2024-02-03T04:05:06Z' }, { t: 1706933106 }, { t: 'soon' }, { n: 4 }],
      query: 'formatTimestamp t "%d.%m.%Y %H:%M"',
      output: [{ t: '03.02.2024 04:05' }, { t: '03.02.2024 04:05' }, {}, { n: 4 }],
    },
    {
      title: 'Nested, in a zone where it is still the day before',
      input: [{ a: { t: '2024-02-03T04:05:06Z' } }],
      query: 'formatTimestamp a.t "%A %-d %B, %-I %p" --timezone America/New_York',
      output: [{ a: { t: 'Friday 2 February, 11 PM' } }],
    },
  ],
  reduce: ({ input, args, flags }) => {
    const format = checkedFormat('formatTimestamp', args.format)!
    const zone = checkedZone('formatTimestamp', flags.timezone)
    return changed(input, [args.column], value => {
      const time = readTime(value)
      const shown = zone === undefined ? time : inZone(time, zone)
      return typed(formatTime(shown, format), 'VARCHAR')
    })
  },
})

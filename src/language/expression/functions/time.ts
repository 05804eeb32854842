import { any, duration, family, format, optional, size, time, timezone } from './declaration.ts'

const part = (name: string, summary: string, result: number) =>
  [
    name,
    [time('time')],
    'number',
    summary,
    { expression: `${name}('2024-02-03T04:05:06Z')`, result },
  ] as const

export const TIME = family('time', [
  ['now', [], 'time', 'When the query started', { expression: 'now()' }],
  [
    'time',
    [any('value'), optional(format('format'))],
    'time',
    'The time in a text (ISO 8601 or a common form, or one in the given strftime format) or in an epoch number of seconds or milliseconds',
    { expression: "time('Sat, 03 Feb 2024 04:05:06 +0200')", result: '2024-02-03T02:05:06.000Z' },
  ],
  [
    'formattime',
    [time('time'), format('format'), optional(timezone('timezone'))],
    'text',
    'The time in a strftime format, in UTC or the named time zone',
    { expression: "formattime('2024-02-03T04:05:06Z', '%d.%m.%Y')", result: '03.02.2024' },
  ],
  [
    'epoch',
    [time('time')],
    'number',
    'Seconds since the start of 1970',
    { expression: "epoch('1970-01-02')", result: 86400 },
  ],
  [
    'date',
    [time('time')],
    'text',
    'The day of a time, as 2024-02-03',
    { expression: "date('2024-02-03T04:05:06Z')", result: '2024-02-03' },
  ],
  part('year', 'The year of a time', 2024),
  part('month', 'The month of a time, from 1', 2),
  part('day', 'The day of the month', 3),
  part('hour', 'The hour of a time, from 0', 4),
  part('minute', 'The minute of a time', 5),
  part('second', 'The second of a time', 6),
  part('weekday', 'The day of the week, from 1 for Monday to 7 for Sunday', 6),
  [
    'bin',
    [any('value'), size('size')],
    'any',
    'The start of the bin that holds a number (size 10) or a time (sizes 30s 5m 1h 1d 1w 1mo 1y)',
    { expression: "bin('2024-02-03T04:05:06Z', '1h')", result: '2024-02-03T04:00:00.000Z' },
  ],
  [
    'ago',
    [duration('duration')],
    'time',
    'The time that long before the start of the query',
    { expression: "ago('7d')" },
  ],
])

import { command } from './command.ts'
import { apply, changed } from './shared/values.ts'

const FUNCTIONS = { number: 'number', string: 'string', boolean: 'bool', time: 'time' } as const

export default command({
  name: 'convert',
  kind: 'reduce',
  group: 'columns',
  summary: 'Changes the type of a column',
  help: [
    'In place. What cannot be converted becomes missing.',
    '',
    '`number` reads numbers with currency, separators or units (`"$1,299.00"`); `string` writes numbers as short as possible, objects and arrays as JSON; `boolean` knows true, yes, on, 1 and their opposites; `time` reads common forms and epoch seconds or milliseconds and writes ISO 8601 in UTC. For other forms of time use `parseTimestamp --format`.',
  ].join('\n'),
  arguments: [
    { name: 'column', type: 'path', help: 'The column to convert.' },
    { name: 'type', type: 'choice', choices: ['number', 'string', 'boolean', 'time'], help: 'The new type.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'Numbers with what surrounds them',
      input: [{ price: '$1,299.00' }, { price: '12.5 kg' }, { price: 'none' }, { id: 4 }],
      query: 'convert price number',
      output: [{ price: 1299 }, { price: 12.5 }, {}, { id: 4 }],
    },
    {
      title: 'Any value as text',
      input: [{ v: 2.5 }, { v: [1, 'a'] }, { v: true }],
      query: 'convert v string',
      output: [{ v: '2.5' }, { v: '[1,"a"]' }, { v: 'true' }],
    },
    {
      title: 'Nested booleans',
      input: [{ a: { ok: 'Yes' } }, { a: { ok: 0 } }, { a: { ok: 'perhaps' } }],
      query: 'convert a.ok boolean',
      output: [{ a: { ok: true } }, { a: { ok: false } }, { a: {} }],
    },
    {
      title: 'Times',
      input: [{ t: '2024-02-03 04:05' }, { t: 1706933106 }, { t: 'soon' }],
      query: 'convert t time',
      output: [{ t: '2024-02-03T04:05:00.000Z' }, { t: '2024-02-03T04:05:06.000Z' }, {}],
    },
  ],
  reduce: ({ input, args }) =>
    changed(input, [args.column], value => apply(FUNCTIONS[args.type as keyof typeof FUNCTIONS], value)),
})

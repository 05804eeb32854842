import { command } from './command.ts'
import { extremeRows } from './shared/sorting.ts'

export default command({
  name: 'max',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the rows that hold the largest value of a column',
  help: 'All of them, where several do. Values compare as in `sort`: as numbers where every value is one, otherwise as text. Rows without a value are left out. For the value alone: `stats "max(price)"`.',
  arguments: [{ name: 'column', type: 'path', help: 'The column to compare.' }],
  decorates: 'attribute',
  examples: [
    {
      title: 'Numbers in text, and a missing one',
      input: [{ price: '10' }, { price: '9.5' }, { city: 'Rome' }],
      query: 'max price',
      output: [{ price: '10' }],
    },
    {
      title: 'Dates as ISO text compare as text',
      input: [{ day: '2026-01-31' }, { day: '2026-02-01' }, { day: '2025-12-24' }],
      query: 'max day',
      output: [{ day: '2026-02-01' }],
    },
  ],
  reduce: ({ input, args, probe }) => extremeRows(input, args.column, 'max', probe),
})

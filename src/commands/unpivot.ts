import { command } from './command.ts'
import { unpivoted } from './shared/pivoting.ts'

export default command({
  name: 'unpivot',
  aliases: ['melt'],
  kind: 'reduce',
  group: 'groups',
  summary: 'Turns columns into rows, one for each value',
  help: 'Each row becomes one for every named column that has a value: `name` holds the name of the column, `value` its value, and the columns not named are copied. A missing value gives no row. The opposite of `pivot`.',
  arguments: [
    {
      name: 'columns',
      type: 'path',
      repeated: true,
      wildcard: false,
      help: 'The columns to turn into rows.',
    },
  ],
  flags: [
    { name: 'name', type: 'column', help: 'The column for the names; `name` unless told.' },
    { name: 'value', type: 'column', help: 'The column for the values; `value` unless told.' },
  ],
  decorates: 'multiattribute',
  examples: [
    {
      input: [
        { city: 'Oslo', jan: -4, jul: 17 },
        { city: 'Rome', jul: 26 },
      ],
      query: 'unpivot jan jul --name month --value celsius',
      output: [
        { city: 'Oslo', month: 'jan', celsius: -4 },
        { city: 'Oslo', month: 'jul', celsius: 17 },
        { city: 'Rome', month: 'jul', celsius: 26 },
      ],
    },
    {
      title: 'Values of different types keep them',
      input: [{ id: 1, a: 5, b: 'x', c: [true] }],
      query: 'unpivot a b c',
      output: [
        { id: 1, name: 'a', value: 5 },
        { id: 1, name: 'b', value: 'x' },
        { id: 1, name: 'c', value: [true] },
      ],
    },
  ],
  reduce: ({ input, args, flags }) => unpivoted(input, args.columns, flags.name, flags.value),
})

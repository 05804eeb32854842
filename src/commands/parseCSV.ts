import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { read } from './shared/columns.ts'
import { mappedRows } from './shared/mapping.ts'

export default command({
  name: 'parseCSV',
  kind: 'reduce',
  group: 'columns',
  summary: 'Makes a row of each record of a CSV text',
  help: 'The first record names the columns; with `--header false` they are `c1`, `c2` and so on. The column itself goes, the other columns are copied to each row, and where a name is in both, the value of the record stands. Values are text, unless all values of the column in that text are plain numbers; empty ones are missing. A row whose text is empty or missing stays once, without it; so does one that is no CSV, and a warning says so.',
  arguments: [{ name: 'column', type: 'path', help: 'The column that holds CSV.' }],
  flags: [
    { name: 'header', type: 'boolean', default: true, help: 'Whether the first record names the columns.' },
    {
      name: 'separator',
      type: 'text',
      default: ',',
      help: 'What stands between the values: a comma unless told.',
    },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ id: 1, csv: 'city,n\nOslo,1\n"Rome, Italy",2' }, { id: 2 }],
      query: 'parseCSV csv',
      output: [{ id: 1, city: 'Oslo', n: 1 }, { id: 1, city: 'Rome, Italy', n: 2 }, { id: 2 }],
    },
    {
      title: 'Without a header, nested, with another separator',
      input: [{ a: { csv: '007;x\n8;', n: 1 } }],
      query: 'parseCSV a.csv --header false --separator ;',
      output: [
        { a: { n: 1 }, c1: '007', c2: 'x' },
        { a: { n: 1 }, c1: '8' },
      ],
    },
    {
      title: 'What is no CSV',
      input: [
        { id: 1, csv: 'a,b\n"x' },
        { id: 2, csv: '' },
      ],
      query: 'parseCSV csv',
      output: [{ id: 1 }, { id: 2 }],
    },
  ],
  reduce: ({ input, args, flags, ...tools }) => {
    const { header, separator } = flags
    if (separator === '' || /["\r\n]/.test(separator))
      throw new CommandFailure(
        'csv_separator',
        'parseCSV cannot separate values by nothing, a quote or a line end.',
        {
          hint: 'Give --separator a character such as ; or "\\t".',
        },
      )
    const value = read(input, args.column)
    return mappedRows(input, value, args.column, { mapper: 'csv', header, separator }, tools)
  },
})

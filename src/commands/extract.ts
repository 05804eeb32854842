import { command } from './command.ts'
import { extracted } from './shared/extracting.ts'

export default command({
  name: 'extract',
  aliases: ['rex'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Makes columns from the named groups of a regular expression',
  help: 'Each group `(?<name>…)` becomes the column of its name, from the first match; `--all` gives a row for each match instead. Without a match the columns are missing and the row stays; so is a group that took no part or nothing. The values are text: `convert` makes numbers of them. Numbers are looked at as text, objects and arrays as JSON. The expression is RE2; `(?i)` in front ignores letter case.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to look at.' },
    { name: 'regex', type: 'regex', help: 'The regular expression, with one or more named groups.' },
  ],
  flags: [
    { name: 'all', type: 'boolean', default: false, help: 'A row for each match, not only the first.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'Two columns; a row without a match has none',
      input: [{ text: 'Laptop $1299.00' }, { text: 'sold out' }, { id: 3 }],
      query: String.raw`extract text "(?<item>\w+) \$(?<price>[\d.]+)"`,
      output: [
        { text: 'Laptop $1299.00', item: 'Laptop', price: '1299.00' },
        { text: 'sold out' },
        { id: 3 },
      ],
    },
    {
      title: 'All matches, from a nested value',
      input: [
        { id: 1, a: { text: 'x=1, y=, z=3' } },
        { id: 2, a: { text: '' } },
      ],
      query: String.raw`extract a.text "(?<key>\w)=(?<value>\d)?" --all || drop a`,
      output: [
        { id: 1, key: 'x', value: '1' },
        { id: 1, key: 'y' },
        { id: 1, key: 'z', value: '3' },
        { id: 2 },
      ],
    },
  ],
  reduce: ({ input, args, flags }) => extracted(input, args.column, args.regex, flags.all),
})

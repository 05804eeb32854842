import { command } from './command.ts'
import { filledIn, isFresh } from './shared/templates.ts'
import { written } from './shared/values.ts'

export default command({
  name: 'addcolumn',
  aliases: ['set'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Adds a column with a value, the same or made from each row',
  help: [
    'The value may hold tokens: `addcolumn url "https://a.example/$id$"`. A value that is one token alone keeps its type; a plain number, `true` and `false` are a number and a boolean; anything else is text. A missing value leaves its place in the text empty. To compute a value use `eval`.',
    '',
    'A column of that name is replaced. As the first stage it starts from one empty row.',
  ].join('\n'),
  arguments: [
    { name: 'name', type: 'column', help: 'The column to write; a path writes inside a nested value.' },
    { name: 'value', type: 'template', help: 'Its value, with tokens for values of the row.' },
  ],
  startsFromEmptyRow: true,
  decorates: 'attribute',
  examples: [
    {
      title: 'From other columns; the place of a missing one stays empty',
      input: [{ id: 7, lang: 'no' }, { id: 8 }],
      query: 'addcolumn url "https://a.example/$lang$/$id$"',
      output: [
        { id: 7, lang: 'no', url: 'https://a.example/no/7' },
        { id: 8, url: 'https://a.example//8' },
      ],
    },
    {
      title: 'One token alone keeps its type',
      input: [{ a: { tags: ['x', 1] } }],
      query: 'addcolumn copy $a.tags$',
      output: [{ a: { tags: ['x', 1] }, copy: ['x', 1] }],
    },
    {
      title: 'Inside a nested value, in a query of its own',
      query: 'addcolumn limits.pages 3 || addcolumn limits.code 007 || addcolumn limits.deep true',
      output: [{ limits: { pages: 3, code: '007', deep: true } }],
    },
  ],
  reduce: ({ input, args, materialize }) => {
    const { relation, value } = filledIn(input, args.value)
    const result = written(relation, [{ path: args.name, value }])
    // A UUID that a later stage looks at again must be the same one.
    return isFresh(args.value) ? materialize(result) : result
  },
})

import { command } from './command.ts'
import { renamed } from './shared/renaming.ts'

export default command({
  name: 'rename',
  kind: 'reduce',
  group: 'columns',
  summary: 'Gives columns other names',
  help: 'Takes pairs: the old name, the new one. A nested value moves: `rename a.b c` makes it the column `c`, `rename c a.b` puts it inside `a`. All pairs are done at once, so two columns can change names with each other. A column that has the new name already is replaced.',
  arguments: [
    {
      name: 'names',
      type: 'path',
      repeated: true,
      wildcard: false,
      multipleOf: 2,
      help: 'Old and new name, as often as needed.',
    },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'A column keeps its place',
      input: [{ id: 1, nm: 'a', n: 2 }, { id: 2 }],
      query: 'rename nm name n count',
      output: [{ id: 1, name: 'a', count: 2 }, { id: 2 }],
    },
    {
      title: 'Out of a nested value, missing in one row',
      input: [{ a: { b: 1, c: 2 } }, { a: { c: 3 } }],
      query: 'rename a.b first',
      output: [{ a: { c: 2 }, first: 1 }, { a: { c: 3 } }],
    },
    {
      title: 'Two columns change names',
      input: [{ from: 'x', to: 'y' }],
      query: 'rename from to to from',
      output: [{ to: 'x', from: 'y' }],
    },
  ],
  reduce: ({ input, args }) => renamed(input, args.names),
})

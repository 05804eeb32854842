import { command } from './command.ts'
import { normalized } from './shared/normalizing.ts'

export default command({
  name: 'normalize',
  aliases: ['explode'],
  kind: 'reduce',
  group: 'columns',
  summary: 'Makes a row of each item of an array',
  help: 'The keys of an item become columns; an item that is no object goes under the last name of the path. The other columns are copied, and where a name is in both, the value of the item stands. A row whose array is empty or missing stays once, without it. A single value is taken as an array of one.',
  arguments: [{ name: 'path', type: 'path', help: 'Where the array is.' }],
  decorates: 'attribute',
  examples: [
    {
      title: 'Objects; a row without items stays',
      input: [{ id: 1, items: [{ sku: 'a', n: 2 }, { sku: 'b' }] }, { id: 2, items: [] }, { id: 3 }],
      query: 'normalize items',
      output: [{ id: 1, sku: 'a', n: 2 }, { id: 1, sku: 'b' }, { id: 2 }, { id: 3 }],
    },
    {
      title: 'Single values, nested, of different types',
      input: [{ a: { tags: ['x', 5, [true], null], n: 1 } }, { a: { tags: 'y' } }],
      query: 'normalize a.tags',
      output: [
        { a: { n: 1 }, tags: 'x' },
        { a: { n: 1 }, tags: 5 },
        { a: { n: 1 }, tags: [true] },
        { a: { n: 1 } },
        { a: {}, tags: 'y' },
      ],
    },
    {
      title: 'The value of the item stands where both have the name',
      input: [{ id: 1, city: 'Oslo', _group: [{ id: 7, city: 'Rome' }, { id: 8 }] }],
      query: 'normalize _group',
      output: [
        { id: 7, city: 'Rome' },
        { id: 8, city: 'Oslo' },
      ],
    },
  ],
  reduce: ({ input, args, ...tools }) => normalized(input, args.path, tools),
})

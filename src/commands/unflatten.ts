import { command } from './command.ts'
import { unflattened } from './shared/unflattening.ts'

export default command({
  name: 'unflatten',
  kind: 'reduce',
  group: 'columns',
  summary: 'Puts columns with dots in their names back into nested values',
  help: 'The opposite of `flatten`: `a.b` goes into `a` under `b`. Where all names at a place are numbers below 1,000 it becomes an array, with null for those that are missing in between; otherwise an object. Missing values are left out.',
  arguments: [],
  examples: [
    {
      input: [
        { id: 1, 'a.b': 'x', 'a.c.d': true, 'tags.0': 'p', 'tags.1': 'q' },
        { id: 2, 'a.b': 'y', 'tags.1': 'z' },
        { id: 3 },
      ],
      query: 'unflatten',
      output: [
        { id: 1, a: { b: 'x', c: { d: true } }, tags: ['p', 'q'] },
        { id: 2, a: { b: 'y' }, tags: [null, 'z'] },
        { id: 3 },
      ],
    },
    {
      title: 'Into a column that is there already',
      input: [{ a: { x: 1 }, 'a.y': 2 }, { a: 5 }, { a: 5, 'a.y': 2 }],
      query: 'unflatten',
      output: [{ a: { x: 1, y: 2 } }, { a: 5 }, { a: { y: 2 } }],
    },
    {
      title: 'And back',
      input: [{ a: { b: [1, { c: null, d: [] }] } }],
      query: 'flatten || unflatten',
      output: [{ a: { b: [1, { d: [] }] } }],
    },
  ],
  reduce: ({ input }) => unflattened(input),
})

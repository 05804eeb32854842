import { command } from './command.ts'
import { containsText } from './shared/conditions.ts'
import { filtered } from './shared/expressions.ts'

export default command({
  name: 'contains',
  kind: 'reduce',
  group: 'rows',
  summary: 'Keeps the rows whose column holds a text',
  help: 'Letter case counts. Numbers are looked at as text, objects and arrays as JSON. A missing value holds nothing. `find` looks at all columns and ignores letter case.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to look at.' },
    { name: 'text', type: 'text', help: 'The text to look for.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      input: [{ title: 'Red lamp' }, { title: 'Blue chair' }, { id: 3 }],
      query: 'contains title lamp',
      output: [{ title: 'Red lamp' }],
    },
    {
      title: 'Inside a nested value, a number',
      input: [{ a: { id: 1024 } }, { a: { id: 7 } }],
      query: 'contains a.id 02',
      output: [{ a: { id: 1024 } }],
    },
  ],
  reduce: ({ input, args, ...tools }) => filtered(input, containsText(args.column, args.text), tools),
})

import { command } from './command.ts'
import { containsText, not } from './shared/conditions.ts'
import { filtered } from './shared/expressions.ts'

export default command({
  name: 'excludes',
  kind: 'reduce',
  group: 'rows',
  summary: 'Drops the rows whose column holds a text',
  help: 'The opposite of `contains`: letter case counts, and a row whose value is missing stays.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column to look at.' },
    { name: 'text', type: 'text', help: 'The text that must not be there.' },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'A missing value holds no text, so its row stays',
      input: [{ title: 'Red lamp' }, { title: 'Blue chair' }, { id: 3 }],
      query: 'excludes title lamp',
      output: [{ title: 'Blue chair' }, { id: 3 }],
    },
    {
      title: 'Letter case counts',
      input: [{ title: 'Red Lamp' }, { title: 'Red lamp' }],
      query: 'excludes title lamp',
      output: [{ title: 'Red Lamp' }],
    },
  ],
  reduce: ({ input, args, ...tools }) => filtered(input, not(containsText(args.column, args.text)), tools),
})

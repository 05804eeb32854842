import { command } from './command.ts'
import { read } from './shared/columns.ts'
import { mappedValue } from './shared/mapping.ts'

export default command({
  name: 'markdown',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns HTML into Markdown',
  help: 'In place. Headings, paragraphs, lists, links, images, code, quotes, tables, strong, emphasised and struck-out text are kept; other markup goes, and so do scripts, styles and what is hidden. The first row of a table becomes its head. Addresses stay as they are written. What is no text stays as it is.',
  arguments: [{ name: 'column', type: 'path', help: 'The column that holds HTML.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [
        {
          html: '<h2>Tea</h2><p>See <a href="/green">green</a> and <em>black</em>.</p><ul><li>hot<li>cold<ol><li>ice</ol></ul>',
        },
        { id: 2 },
      ],
      query: 'markdown html',
      output: [
        {
          html: '## Tea\n\nSee [green](/green) and *black*.\n\n- hot\n- cold\n  1. ice',
        },
        { id: 2 },
      ],
    },
    {
      title: 'A table and code, nested',
      input: [
        {
          a: {
            t: '<table><tr><th>Tea<th>°C<tr><td>Green<td>75</table><pre class="language-js">a &lt; b</pre>',
          },
        },
      ],
      query: 'markdown a.t',
      output: [{ a: { t: '| Tea | °C |\n| --- | --- |\n| Green | 75 |\n\n```js\na < b\n```' } }],
    },
  ],
  reduce: ({ input, args, ...tools }) =>
    mappedValue(input, read(input, args.column), args.column, { mapper: 'markdown' }, tools),
})

import { command } from './command.ts'
import { read } from './shared/columns.ts'
import { mappedValue } from './shared/mapping.ts'

export default command({
  name: 'text',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns HTML into the text that it reads as',
  help: 'In place. Tags go, entities become the characters they stand for, scripts, styles and what is hidden are left out. White space runs together; blocks take lines of their own, paragraphs have an empty line between them and cells of a table a tab. What is no text stays as it is. `markdown` keeps headings, lists and links.',
  arguments: [{ name: 'column', type: 'path', help: 'The column that holds HTML.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [
        { html: '<h1>Tea</h1><p>Green &amp;\n <b>black</b></p><script>x()</script><p>Hot<br>cold' },
        { id: 2 },
      ],
      query: 'text html',
      output: [{ html: 'Tea\n\nGreen & black\n\nHot\ncold' }, { id: 2 }],
    },
    {
      title: 'A table, nested; a number stays',
      input: [{ a: { t: '<table><tr><th>Tea<th>°C<tr><td>Green<td>75</table>' } }, { a: { t: 7 } }],
      query: 'text a.t',
      output: [{ a: { t: 'Tea\t°C\nGreen\t75' } }, { a: { t: 7 } }],
    },
  ],
  reduce: ({ input, args, ...tools }) =>
    mappedValue(input, read(input, args.column), args.column, { mapper: 'text' }, tools),
})

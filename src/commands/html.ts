import { command } from './command.ts'
import { read } from './shared/columns.ts'
import { mappedRows } from './shared/mapping.ts'

export default command({
  name: 'html',
  kind: 'reduce',
  group: 'columns',
  summary: 'Makes a row of each element in HTML',
  help: 'Every element inside, at any depth and in document order, or those that `--selector` matches. Each row has `_html.nodeName` (in capitals, as browsers say it), `_html.attributes`, `_html.innerText`, `_html.innerHTML` and `_html.outerHTML`. The column itself goes and the other columns are copied. A row without such an element, or without HTML, stays once, without `_html`.\n\nThe HTML may be a whole page or a piece of one, and is read as browsers read it, mistakes included. Scripts are not run and style sheets not read: `innerText` leaves out what is hidden by its nature (`script`, `style`, `noscript`, `svg`…), by `hidden` or by its own `display: none`; white space runs together, blocks take lines of their own, paragraphs have an empty line between them and cells a tab. Elements nested deeper than 512 stand beside their parents, as in browsers.',
  arguments: [{ name: 'column', type: 'path', help: 'The column that holds HTML.' }],
  flags: [{ name: 'selector', type: 'css', help: 'A CSS selector: only the elements that it matches.' }],
  decorates: 'attribute',
  examples: [
    {
      title: 'Every element',
      input: [{ id: 1, page: '<p class=a>One <b>two</b></p>' }, { id: 2 }],
      query: 'html page',
      output: [
        {
          id: 1,
          _html: {
            nodeName: 'P',
            attributes: { class: 'a' },
            innerText: 'One two',
            innerHTML: 'One <b>two</b>',
            outerHTML: '<p class="a">One <b>two</b></p>',
          },
        },
        {
          id: 1,
          _html: {
            nodeName: 'B',
            attributes: {},
            innerText: 'two',
            innerHTML: 'two',
            outerHTML: '<b>two</b>',
          },
        },
        { id: 2 },
      ],
    },
    {
      title: 'The links of a nested value',
      input: [{ a: { html: '<ul><li><a href="/x">X</a><li><a href="/y">Y</a></ul>', n: 1 } }],
      query: 'html a.html --selector "a[href]" || table _html.innerText _html.attributes.href a.n',
      output: [
        { _html: { innerText: 'X', attributes: { href: '/x' } }, a: { n: 1 } },
        { _html: { innerText: 'Y', attributes: { href: '/y' } }, a: { n: 1 } },
      ],
    },
  ],
  reduce: async ({ input, args, flags, ...tools }) => {
    // Here as well, so that a wrong one is refused before anything is mapped, and for a table without rows too. Loaded
    // when it is needed: the start of the server should not wait for it.
    const { selectorOf } = await import('./markup/selector.ts')
    selectorOf(flags.selector)
    const value = read(input, args.column)
    return mappedRows(input, value, args.column, { mapper: 'html', selector: flags.selector ?? null }, tools)
  },
})

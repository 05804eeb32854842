import { command } from './command.ts'
import { read } from './shared/columns.ts'
import { mappedValue } from './shared/mapping.ts'

export default command({
  name: 'parseXML',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns XML text into nested values',
  help: [
    'In place. The root is there by its name, every child as an array, even a single one. An element of text alone is that text; one with attributes has them by name and its text under `textContent`. An attribute that has the name of a child is kept with `@` in front. So a value deep inside is `feed.entry.0.link.0.href`.',
    '',
    'Strictly XML: text that is not well-formed becomes missing, with a warning that says where. A DTD and entities other than the five of XML are refused. For HTML there are other commands.',
  ].join('\n'),
  arguments: [{ name: 'column', type: 'path', help: 'The column that holds XML.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [{ body: '<feed><entry id="1">a &amp; b</entry><entry/></feed>' }, { n: 2 }],
      query: 'parseXML body',
      output: [{ body: { feed: { entry: [{ id: '1', textContent: 'a & b' }, ''] } } }, { n: 2 }],
    },
    {
      title: 'Nested, and a row for each element',
      input: [{ a: { xml: '<s:list><s:key>x</s:key><s:key>y</s:key></s:list>' } }],
      query: 'parseXML a.xml || normalize a.xml.s:list.s:key || table s:key',
      output: [{ 's:key': 'x' }, { 's:key': 'y' }],
    },
    {
      title: 'What is no XML',
      input: [
        { id: 1, x: '<a><b></a>' },
        { id: 2, x: '<!DOCTYPE a><a/>' },
        { id: 3, x: 5 },
      ],
      query: 'parseXML x',
      output: [{ id: 1 }, { id: 2 }, { id: 3, x: 5 }],
    },
  ],
  reduce: ({ input, args, ...tools }) =>
    mappedValue(input, read(input, args.column), args.column, { mapper: 'xml' }, tools),
})

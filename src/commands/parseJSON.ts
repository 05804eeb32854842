import { command } from './command.ts'
import { changed, ofText } from './shared/values.ts'

export default command({
  name: 'parseJSON',
  kind: 'reduce',
  group: 'columns',
  summary: 'Turns JSON text into the value it holds',
  help: 'In place. Text that is no JSON becomes missing; what is no text stays as it is. Whole numbers keep all their digits. The opposite is `stringify`; `normalize` makes rows of an array.',
  arguments: [{ name: 'column', type: 'path', help: 'The column that holds JSON.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [{ body: '{"id": 9007199254740993, "tags": ["a"]}' }, { body: 'oops' }, { n: 1 }],
      query: 'parseJSON body || eval id "string(body.id)" || drop body.id',
      output: [{ body: { tags: ['a'] }, id: '9007199254740993' }, {}, { n: 1 }],
    },
    {
      title: 'Nested, some of it a value already',
      input: [{ a: { b: '[1,2]' } }, { a: { b: { c: 3 } } }, { a: { b: '"text"' } }],
      query: 'parseJSON a.b',
      output: [{ a: { b: [1, 2] } }, { a: { b: { c: 3 } } }, { a: { b: 'text' } }],
    },
  ],
  reduce: ({ input, args }) => changed(input, [args.column], ofText('parsejson')),
})

import type { Expression } from '../language/expression/tree.ts'
import { parsePath } from '../language/paths.ts'
import { compile } from '../sql/expression.ts'
import { withoutLifted } from '../sql/lift.ts'
import type { Relation } from '../sql/relation.ts'
import { command } from './command.ts'
import { CommandFailure } from './failure.ts'
import { columnNamed, read } from './shared/columns.ts'
import { prepared } from './shared/expressions.ts'
import { written } from './shared/values.ts'

const span = { offset: 0, length: 0 }

export default command({
  name: 'absurl',
  kind: 'reduce',
  group: 'columns',
  summary: 'Completes relative addresses',
  help: 'In place, as a browser follows a link. The base is an address, or the column that holds it; unless told it is `_url`, where `open` puts the address of the page. What cannot be completed becomes missing.',
  arguments: [
    { name: 'column', type: 'path', help: 'The column with the addresses.' },
    {
      name: 'base',
      type: 'text',
      optional: true,
      help: 'An address with its scheme, or a column; `_url` unless told.',
    },
  ],
  decorates: 'attribute',
  examples: [
    {
      title: 'Against the address of the page',
      input: [
        { href: '../b?x=1', _url: 'https://shop.example/a/c/' },
        { href: 'https://other.example/', _url: 'https://shop.example/' },
        { href: '/x' },
        { _url: 'https://shop.example/' },
      ],
      query: 'absurl href',
      output: [
        { href: 'https://shop.example/a/b?x=1', _url: 'https://shop.example/a/c/' },
        { href: 'https://other.example/', _url: 'https://shop.example/' },
        {},
        { _url: 'https://shop.example/' },
      ],
    },
    {
      title: 'Against one address, nested',
      input: [{ a: { href: '//cdn.example/p.png' } }, { a: { href: '#top' } }],
      query: 'absurl a.href https://shop.example/a',
      output: [{ a: { href: 'https://cdn.example/p.png' } }, { a: { href: 'https://shop.example/a#top' } }],
    },
    {
      title: 'Against another column',
      input: [{ href: 'x', page: { url: 'https://shop.example/' } }],
      query: 'absurl href page.url',
      output: [{ href: 'https://shop.example/x', page: { url: 'https://shop.example/' } }],
    },
  ],
  reduce: async ({ input, args, ...tools }) => {
    read(input, args.column)
    const base = baseOf(input, args.base)
    const call: Expression = {
      kind: 'call',
      name: 'absurl',
      args: [{ kind: 'path', path: args.column, span }, base],
      span,
    }
    const { relation, compiled } = await prepared(
      input,
      (columns, options) => compile(call, columns, options),
      tools,
    )
    return withoutLifted(written(relation, [{ path: args.column, value: compiled }]))
  },
})

function baseOf(input: Relation, base: string | undefined): Expression {
  if (base === undefined) return fromPages(input)
  if (/^[a-z][a-z0-9+.-]*:/i.test(base) && URL.canParse(base)) return { kind: 'literal', value: base, span }
  const path = parsePath(base)
  if (!('problem' in path)) {
    read(input, path)
    return { kind: 'path', path, span }
  }
  throw new CommandFailure('absurl_base', `absurl cannot take "${base}" as a base.`, {
    hint: 'Give an address that begins with https://, or the name of a column.',
  })
}

/** The address of the page that a row comes from. */
function fromPages(input: Relation): Expression {
  const path = columnNamed('_url')
  if (input.columns.length === 0 || input.columns.some(column => column.name === '_url'))
    return { kind: 'path', path, span }
  throw new CommandFailure('absurl_base', 'There is no column _url to complete the addresses with.', {
    hint: 'Give the base: absurl href https://a.example/, or the column that holds it: absurl href page.',
  })
}

import { command } from './command.ts'
import { columnNamed, read } from './shared/columns.ts'
import { mappedValue } from './shared/mapping.ts'

export default command({
  name: 'parseURL',
  kind: 'reduce',
  group: 'columns',
  summary: 'Takes an address apart, into `_url`',
  help: '`_url.scheme`, `_url.host` in small letters, `_url.port` where it is not the usual one, `_url.path`, `_url.query` with a value for each name (a list where the name comes several times) and `_url.fragment`; parts that the address has not are missing. A value that is no whole address gets no `_url`, and a warning says so. An earlier `_url` is replaced.',
  arguments: [{ name: 'column', type: 'path', help: 'The column with the addresses.' }],
  decorates: 'attribute',
  examples: [
    {
      input: [{ u: 'https://Shop.example:8443/a/b?x=1&y=a%20b&x=2#top' }, { n: 2 }],
      query: 'parseURL u',
      output: [
        {
          u: 'https://Shop.example:8443/a/b?x=1&y=a%20b&x=2#top',
          _url: {
            scheme: 'https',
            host: 'shop.example',
            port: 8443,
            path: '/a/b',
            query: { x: ['1', '2'], y: 'a b' },
            fragment: 'top',
          },
        },
        { n: 2 },
      ],
    },
    {
      title: 'Nested, and one that is no address',
      input: [{ a: { href: 'http://a.example' } }, { a: { href: '/only/a/path' } }],
      query: 'parseURL a.href',
      output: [
        { a: { href: 'http://a.example' }, _url: { scheme: 'http', host: 'a.example', path: '/' } },
        { a: { href: '/only/a/path' } },
      ],
    },
  ],
  reduce: ({ input, args, ...tools }) =>
    mappedValue(input, read(input, args.column), columnNamed('_url'), { mapper: 'url' }, tools),
})

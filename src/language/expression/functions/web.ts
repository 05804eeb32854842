import { any, family, optional, text } from './declaration.ts'

const URL = "'https://me@Shop.Example.co.uk:8443/a/b?x=1&y=a%20b#top'"

export const WEB = family('web', [
  [
    'scheme',
    [text('url')],
    'text',
    'The scheme of an address',
    { expression: `scheme(${URL})`, result: 'https' },
  ],
  [
    'host',
    [text('url')],
    'text',
    'The host of an address, in small letters, without user and port',
    { expression: `host(${URL})`, result: 'shop.example.co.uk' },
  ],
  [
    'domain',
    [text('url')],
    'text',
    'The registrable part of a host or of the host of an address; knows the common suffixes of two parts, such as co.uk',
    { expression: `domain(${URL})`, result: 'example.co.uk' },
  ],
  ['path', [text('url')], 'text', 'The path of an address', { expression: `path(${URL})`, result: '/a/b' }],
  [
    'query',
    [text('url'), optional(text('name'))],
    'text',
    'The query of an address, or the first value of one name in it',
    { expression: `query(${URL}, 'y')`, result: 'a b' },
  ],
  [
    'urlencode',
    [text('text')],
    'text',
    'The text with everything escaped that has a meaning in addresses',
    { expression: "urlencode('a b&c')", result: 'a%20b%26c' },
  ],
  [
    'urldecode',
    [text('text')],
    'text',
    'The text with such escapes undone; missing when they make no text',
    { expression: "urldecode('a%20b%26c')", result: 'a b&c' },
  ],
  [
    'absurl',
    [text('url'), text('base')],
    'text',
    'The address in full, as a page at `base` would follow it; missing when it is none',
    { expression: "absurl('../c?d', 'https://a.example/x/y/')", result: 'https://a.example/x/c?d' },
  ],
  [
    'htmltext',
    [any('html')],
    'text',
    'The text of HTML, as it reads: without tags, scripts and styles, entities undone',
    { expression: "htmltext('<p>a &amp; <b>b</b></p>')", result: 'a & b' },
  ],
])

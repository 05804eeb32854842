import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalAddress } from '../../src/commands/crawling/address.ts'
import { readPage } from '../../src/commands/crawling/page.ts'
import { parseRobots } from '../../src/commands/crawling/robots.ts'
import { fitsAddress, fitsWildcard } from '../../src/commands/crawling/wildcard.ts'
import { CommandFailure } from '../../src/commands/failure.ts'
import { isoDate } from '../../src/commands/feeds/dates.ts'
import { readFeed } from '../../src/commands/feeds/feed.ts'
import { readSitemap } from '../../src/commands/feeds/sitemap.ts'
import { describeElements, type ElementColumns } from '../../src/commands/markup/elements.ts'
import { toMarkdown } from '../../src/commands/markup/markdown.ts'
import { readableText } from '../../src/commands/markup/readable.ts'
import { selectorOf } from '../../src/commands/markup/selector.ts'
import { MarkupSource } from '../../src/commands/markup/source.ts'
import { elementsOf, parseDocument, parseMarkup } from '../../src/commands/markup/tree.ts'
import fc from '../support/fast-check.ts'

/** By its name as text: to the linter, `.innerText` is that of the DOM. */
const textIn = (element: ElementColumns) =>
  Object.entries(element).find(([name]) => name === 'innerText')?.[1]

const RUNS = { numRuns: 10_000 }

/** Markup of pieces that go wrong in interesting ways: tables, forms, foreign elements, things that never end. */
const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'<p> </p> <b> </b> <a href=x> </a> <table> </table> <tr> <td> </td> <ul> <li> <ol start=3> <pre> </pre> <svg> <title> </svg> <math> <template> </template> <script> </script> <style> <select> <option> <textarea> <h1> </h2> <br> <hr> <img src=a alt=b> <!-- --> <!doctype html> <body> <head> <html> <frameset> <form> <button> <plaintext> <div hidden> </div> <blockquote> <code> </code> &amp; &#0; < > " \u0000 \ud800 ** _x_ | # - 1.'.split(
          ' ',
        ),
      ),
      fc.string({ maxLength: 8 }),
      fc.constantFrom('\n', ' ', '\t', '`', '[', ']', '\\'),
    ),
    { maxLength: 24 },
  )
  .map(parts => parts.join(''))

describe('markup', () => {
  test('whatever it is, it is read', () => {
    const all = selectorOf(undefined)
    fc.assert(
      fc.property(markup, text => {
        const elements = describeElements(text, all)
        for (const { outerHTML, innerHTML } of elements)
          assert.ok(String(outerHTML).includes(String(innerHTML)))
        assert.equal(typeof toMarkdown(parseMarkup(text)), 'string')
        assert.equal(typeof readPage(text, new URL('http://a.example/')).text, 'string')
      }),
      RUNS,
    )
  })

  test('readable text has no line that begins or ends in a space, outside of pre', () => {
    fc.assert(
      fc.property(markup, text => {
        if (/<pre|<textarea|<plaintext/.test(text)) return
        const lines = readableText(parseMarkup(text)).split('\n')
        assert.deepEqual(
          lines.filter(line => /^ | $/.test(line)),
          [],
        )
      }),
      { numRuns: 5000 },
    )
  })

  test('text without markup reads as itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]+( [a-z0-9]+)*$/), text => {
        assert.equal(readableText(parseMarkup(text)), text)
        assert.equal(toMarkdown(parseMarkup(`<p>${text}</p>`)), text)
      }),
    )
  })

  test('the selector * finds what no selector does, and queries agree with the tree', () => {
    fc.assert(
      fc.property(markup, text => {
        const root = parseDocument(text)
        assert.deepEqual(selectorOf('*')(root), elementsOf(root))
      }),
      { numRuns: 2000, examples: [['<math><template><a>']] },
    )
  })

  test('what is written is read as the same tree again', () => {
    const written = (text: string) => new MarkupSource(parseDocument(text)).whole
    fc.assert(
      // Not everything can survive (a form in a form, links in links); the plain parts of HTML do.
      fc.property(
        fc.array(
          fc.constantFrom(
            '<div>',
            '</div>',
            '<p class="a&b">',
            'x < y',
            '<b>',
            '</b>',
            '&amp;lt;',
            '<br>',
            '<!--c-->',
          ),
          {
            maxLength: 12,
          },
        ),
        parts => {
          const once = written(parts.join(''))
          // Formatting elements that cross blocks settle after one more reading.
          const twice = written(once)
          assert.equal(written(twice), twice)
        },
      ),
      { numRuns: 3000 },
    )
  })

  test('elements nested without end', () => {
    const text = `${'<div>'.repeat(30_000)}deep`
    assert.equal(readableText(parseMarkup(text)), 'deep')
    assert.equal(toMarkdown(parseMarkup(text)), 'deep')
    const found = describeElements(text, selectorOf('div'))
    assert.equal(found.length, 30_000)
    assert.equal(textIn(found[0]!), 'deep')
  })

  test('selectors of every kind', () => {
    const page =
      '<ul><li class=a>1</li>x<li>2<b></b></li><li lang=en>3</li></ul><p>4<svg><linearGradient id=g /></svg>'
    const found = (css: string) => describeElements(page, selectorOf(css)).map(textIn)
    assert.deepEqual(found('li + li'), ['2', '3'])
    assert.deepEqual(found('.a ~ li'), ['2', '3'])
    assert.deepEqual(found('li:nth-child(2), LI:last-of-type'), ['2', '3'])
    assert.deepEqual(found('li:has(> b)'), ['2'])
    assert.deepEqual(found('li:not(.a):not(:has(b))'), ['3'])
    assert.deepEqual(found('[lang|=en], [class="A" i]'), ['1', '3'])
    assert.deepEqual(found('p > svg > linearGradient#g'), [''])
  })

  test('a selector that cannot be read is refused by name', () => {
    for (const css of ['a[', '', ' ', 'a:nosuch', '>>', 'p::before'])
      assert.throws(
        () => selectorOf(css),
        (error: unknown) => error instanceof CommandFailure && error.code === 'bad_selector',
        css,
      )
  })
})

describe('readable text', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a  <b> b</b>\n c', 'a b c'],
    ['<p>one<p>two', 'one\n\ntwo'],
    ['<div>one</div>two<div>three</div>', 'one\ntwo\nthree'],
    ['<div><div>one</div></div><div></div><div>two</div>', 'one\ntwo'],
    ['one<br>two<br><br>three', 'one\ntwo\n\nthree'],
    ['one<br><p>two</p>', 'one\n\ntwo'],
    ['<pre>  a\n\n  b</pre>c', '  a\n\n  b\nc'],
    ['<ul><li>a<li>b</ul>', 'a\nb'],
    ['<table><tr><td>a<td><p>b</p><td>c<tr><td><td>e</table>', 'a\tb\tc\n\te'],
    ['a<script>b</script><style>c</style><noscript>d</noscript><template>e</template>f', 'af'],
    ['a<span hidden>b</span><i style="color: red; DISPLAY:none">c</i><svg><text>d</text></svg>', 'a'],
    ['&lt;b&gt; &eacute; a&nbsp;b', '<b> é a\u00a0b'],
    ['<!doctype html><title>t</title><body>b', 'b'],
    ['<select><option>a<option>b</select>', 'a\nb'],
    ['', ''],
    ['<p> </p>', ''],
  ]
  for (const [given, expected] of cases)
    test(given, () => assert.equal(readableText(parseMarkup(given)), expected))

  test('each element has its own part', () => {
    const found = describeElements(
      '<div>a <b>b </b><p hidden>c</p></div> d <pre>  e</pre>',
      selectorOf('b, p, div, pre'),
    )
    assert.deepEqual(
      found.map(element => [element.nodeName, textIn(element)]),
      [
        ['DIV', 'a b'],
        ['B', 'b'],
        ['P', 'c'],
        ['PRE', '  e'],
      ],
    )
  })
})

describe('Markdown', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<h1>A</h1><h6>B <i>c</i></h6>', '# A\n\n###### B *c*'],
    ['<p>a <b>b</b> <em> c </em>d<s>e</s>', 'a **b** *c* d~~e~~'],
    ['a<br>b', 'a  \nb'],
    ['<br>a<br><br>b<br>', 'a\n\nb'],
    ['<a href="/x y" title="t &quot;u&quot;">l</a> <a>no</a>', '[l](/x%20y "t \\"u\\"") no'],
    ['<img src="/a(b).png" alt="[x]"> <img alt="only">', '![\\[x\\]](/a%28b%29.png) only'],
    ['<code>a`b</code> <code>`</code>', '``a`b`` `` ` ``'],
    ['<pre><code class="language-ts">a\n  b\n</code></pre>', '```ts\na\n  b\n```'],
    ['<pre>```</pre>', '````\n```\n````'],
    ['<ul><li>a<li><p>b</p><p>c</p><ul><li>d</ul></ul>', '- a\n- b\n\n  c\n\n  - d'],
    ['<ol start="9"><li>a<li>b</ol>', '9. a\n10. b'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    [
      '<table><caption>T</caption><thead><tr><th>a<th>b</thead><tr><td>1|2<td><ul><li>x<li>y</ul></table>',
      'T\n\n| a | b |\n| --- | --- |\n| 1\\|2 | - x - y |',
    ],
    ['<table><tr><td>a<tr><td>b<td>c</table>', '| a |  |\n| --- | --- |\n| b | c |'],
    ['<hr><dl><dt>t</dt><dd>d</dd></dl>', '---\n\n**t**\n\nd'],
    ['*a* _b_ c_d [e] `f` &lt;g', '\\*a\\* \\_b\\_ c_d \\[e\\] \\`f\\` \\<g'],
    ['<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p>', '\\# a\n\n1\\. b\n\n\\- c\n\n\\> d'],
    ['<a href="/x"><div>a</div><div>b</div></a>', 'a\n\nb'],
    ['<div hidden>a</div><script>b</script>', ''],
  ]
  for (const [given, expected] of cases)
    test(given, () => assert.equal(toMarkdown(parseMarkup(given)), expected))
})

describe('addresses', () => {
  const same: readonly (readonly [string, string])[] = [
    ['HTTP://A.Example:80/b/../c/./d#e', 'http://a.example/c/d'],
    ['https://user:word@a.example:443', 'https://a.example/'],
    ['http://a.example/%7euser/%c3%a9?', 'http://a.example/~user/%C3%A9'],
    ['http://a.example/é?b=2&a=1', 'http://a.example/%C3%A9?b=2&a=1'],
    ['http://a.example/%2F/%252f', 'http://a.example/%2F/%252f'],
    ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ]
  for (const [given, expected] of same)
    test(given, () => assert.equal(canonicalAddress(given)?.href, expected))

  test('what is no page has none', () => {
    for (const text of [
      'mailto:a@b.example',
      'javascript:void 0',
      'data:text/html,x',
      'tel:1',
      'http://',
      '::',
    ])
      assert.equal(canonicalAddress(text), undefined, text)
  })

  test('the normal form of a normal form is itself', () => {
    const segment = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('%', '%2e%2E', '%7E', '..', '%zz', '%41', '%00', 'é', '\ud800', '//', ';', '\\'),
    )
    const address = fc
      .tuple(fc.array(segment, { maxLength: 5 }), fc.array(segment, { maxLength: 3 }))
      .map(([path, query]) => `http://a.example/${path.join('/')}?${query.join('&')}#x`)
    fc.assert(
      fc.property(fc.oneof(address, fc.string()), text => {
        const once = canonicalAddress(text, new URL('http://a.example/b/c'))
        if (!once) return
        assert.equal(once.hash, '')
        assert.equal(canonicalAddress(once.href)?.href, once.href)
      }),
      RUNS,
    )
  })
})

describe('wildcards', () => {
  test('as a regular expression has it', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '*', '/', '.'), maxLength: 8 })
    fc.assert(
      fc.property(short, short, fc.boolean(), (pattern, text, whole) => {
        const source = pattern
          .split('*')
          .map(piece => piece.replace(/[.]/g, '\\.'))
          .join('[^]*')
        assert.equal(
          fitsWildcard(pattern, text, whole),
          new RegExp(`^${source}${whole ? '$' : ''}`).test(text),
        )
      }),
      RUNS,
    )
  })

  test('for addresses: the path and query, or all of it', () => {
    const url = new URL('https://a.example/shop/7?page=2')
    const fits = (pattern: string) => fitsAddress(pattern, url)
    assert.deepEqual(['/shop/*', '/shop/7', '*page=2', 'https://a.example/*', '/7*'].map(fits), [
      true,
      false,
      true,
      true,
      false,
    ])
  })
})

describe('robots.txt', () => {
  const allows = (text: string, path: string, agent = 'forage') =>
    parseRobots(text, agent).allows(new URL(`http://a.example${path}`))

  const cases: readonly (readonly [string, string, string, boolean])[] = [
    ['nothing', '', '/x', true],
    ['a prefix', 'User-agent: *\nDisallow: /a', '/abc', false],
    ['an empty rule', 'User-agent: *\nDisallow:', '/x', true],
    ['the longest wins', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b/c', true],
    ['of two as long, allow', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['our own group alone', 'User-agent: *\nDisallow: /\n\nUser-agent: Forage/1.0\nDisallow: /b', '/a', true],
    ['our own group, forbidden', 'User-agent: *\nAllow: /\n\nUSER-AGENT: forage\nDisallow: /b', '/b', false],
    ['another crawler', 'User-agent: other\nDisallow: /', '/a', true],
    ['not by the beginning of a name', 'User-agent: foragelike\nDisallow: /', '/a', true],
    ['agents that share rules', 'User-agent: other\nUser-agent: forage\nDisallow: /a', '/a', false],
    [
      'a group in two parts',
      'User-agent: forage\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: forage\nDisallow: /b',
      '/b',
      false,
    ],
    ['a wildcard', 'User-agent: *\nDisallow: /*.pdf', '/d/x.pdf?y', false],
    ['an end', 'User-agent: *\nDisallow: /*.pdf$', '/d/x.pdf?y', true],
    ['an end that fits', 'User-agent: *\nDisallow: /*.pdf$', '/d/x.pdf', false],
    ['the query too', 'User-agent: *\nDisallow: /*?sort=', '/list?sort=up', false],
    ['escapes', 'User-agent: *\nDisallow: /%7ea/é', '/~a/%C3%A9', false],
    [
      'comments, carriage returns, a byte order mark',
      '\ufeffUser-agent: * # all\r\nDisallow: /a # this\r\n',
      '/a',
      false,
    ],
    ['the file itself', 'User-agent: *\nDisallow: /', '/robots.txt', true],
    ['rules before any group', 'Disallow: /\nUser-agent: *\nDisallow: /b', '/a', true],
    ['a sitemap between', 'User-agent: *\nSitemap: http://a.example/s\nDisallow: /a', '/a', false],
  ]
  for (const [title, text, path, expected] of cases)
    test(title, () => assert.equal(allows(text, path), expected))

  test('the delay of our group', () => {
    assert.equal(parseRobots('User-agent: *\nCrawl-delay: 2.5\nDisallow: /x', 'forage').crawlDelay, 2.5)
    assert.equal(parseRobots('User-agent: *\nCrawl-delay: soon', 'forage').crawlDelay, undefined)
  })

  test('whatever it is, it is read', () => {
    const line = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('User-agent', 'Disallow', 'Allow', 'Crawl-delay', 'Sitemap'), fc.string())
        .map(pair => pair.join(': ')),
      fc.constantFrom('User-agent: *', 'Disallow: /', 'Allow: /a*b$', 'Disallow: *', 'Disallow: /%'),
    )
    fc.assert(
      fc.property(fc.array(line), fc.webPath(), (lines, path) => {
        assert.equal(typeof allows(lines.join('\n'), path), 'boolean')
      }),
      RUNS,
    )
  })
})

describe('feeds and sitemaps', () => {
  test('dates', () => {
    assert.equal(isoDate('Sun, 26 Oct 2025 10:00:00 +0200'), '2025-10-26T08:00:00.000Z')
    assert.equal(isoDate('Sun, 26 Oct 2025 10:00:00 EST'), '2025-10-26T15:00:00.000Z')
    assert.equal(isoDate('Sun, 26 Oct 2025 10:00:00 CEST'), '2025-10-26T08:00:00.000Z')
    assert.equal(isoDate('26 Oct 2025 10:00'), '2025-10-26T10:00:00.000Z')
    assert.equal(isoDate('2025-10-26T10:00:00'), '2025-10-26T10:00:00.000Z')
    assert.equal(isoDate('2025-10-26'), '2025-10-26T00:00:00.000Z')
    assert.equal(isoDate('2025-10-26T10:00:00.5Z'), '2025-10-26T10:00:00.500Z')
    assert.equal(isoDate('Oct 26, 2025'), '2025-10-26T00:00:00.000Z')
    for (const text of ['some day', 'day 1', 'Issue 12', '']) assert.equal(isoDate(text), text)
    assert.equal(isoDate(undefined), undefined)
  })

  test('whatever it is, it is read or refused by name', () => {
    const piece = fc.constantFrom(
      ...'<rss> </rss> <channel> </channel> <item> </item> <feed> </feed> <entry> </entry> <title> </title> <content type="xhtml"> </content> <b> </b> <urlset> </urlset> <url> </url> <loc> </loc> {"items":[] } x &amp; http://a.example/'.split(
        ' ',
      ),
    )
    const text = fc.oneof(
      fc.array(piece).map(parts => parts.join('')),
      fc.string(),
      fc.json(),
    )
    const readOrRefused = (read: () => unknown) => {
      try {
        read()
      } catch (error) {
        assert.ok(error instanceof CommandFailure, String(error))
      }
    }
    fc.assert(
      fc.property(text, given => {
        readOrRefused(() => readFeed(given))
        readOrRefused(() => readSitemap(given))
      }),
      RUNS,
    )
  })
})

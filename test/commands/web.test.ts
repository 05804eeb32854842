import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { demoRouter } from '../../demo/routes.ts'
import type { Row } from '../../src/language/json.ts'
import { listen } from '../network/servers.ts'
import { NetworkHarness } from './network-harness.ts'

const harness = new NetworkHarness()
before(() => harness.open())
after(() => harness.close())

const run = (query: string) => harness.run(query)
const rowsOf = async (query: string): Promise<readonly Row[]> => (await run(query)).rows
const failure = (code: string, message: RegExp) => (error: unknown) => {
  const found = (error as { error?: { code: string; message: string } }).error
  assert.equal(found?.code, code, String(error))
  assert.match(found.message, message)
  return true
}

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

type Answer =
  | string
  | Buffer
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  | ((response: ServerResponse, asked: Asked) => void)

interface Site {
  readonly url: string
  readonly asked: Asked[]
  readonly paths: () => string[]
}

/** A site of these answers, by path and query; HTML unless said otherwise, 404 for the rest. `HOST` in a text is its address. */
async function siteOf(context: TestContext, answers: Readonly<Record<string, Answer>>): Promise<Site> {
  const asked: Asked[] = []
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const one = { path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() }
    asked.push(one)
    const answer = answers[request.url!] ?? {
      status: 404,
      headers: { 'content-type': 'text/plain' },
      body: 'no',
    }
    if (typeof answer === 'function') return answer(response, one)
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof answer === 'string' || Buffer.isBuffer(answer) ? { body: answer } : answer
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'text/html'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(typeof body === 'string' ? body.replaceAll('HOST', url) : body)
  }
  const port = await listen(
    context,
    createServer((request, response) => void handle(request, response)),
  )
  const url = `http://127.0.0.1:${port}`
  return { url, asked, paths: () => asked.map(({ path }) => path) }
}

const links = (...addresses: string[]): string =>
  addresses.map(address => `<a href="${address}">x</a>`).join(' ')

describe('crawl', () => {
  test('the demo shop: each page once', async context => {
    const router = demoRouter()
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      void router.handle(request, response)
    })
    const url = `http://127.0.0.1:${await listen(context, server)}`
    const { rows, warnings } = await run(`crawl ${url}/shop --pages 1000 --match "/shop*" --depth 5`)
    const pages = asked.filter(path => path !== '/robots.txt')
    assert.equal(new Set(pages).size, pages.length)
    assert.equal(asked.length - pages.length, 1, 'robots.txt is read once')
    assert.equal(rows.length, pages.length)
    const products = rows.filter(row => /\/shop\/product\/\d+$/.test(String(row.url)))
    assert.equal(products.length, 120)
    assert.deepEqual(warnings, [])
    assert.match(String(products[0]?.text), /Reviews/)
    assert.deepEqual(
      rows.map(row => Number(row.depth)),
      rows.map(row => Number(row.depth)).sort((a, b) => a - b),
    )
  })

  test('rows: what a page is known by, where it was found, what is in it', async context => {
    const site = await siteOf(context, {
      '/': `<title> The  first </title><body><p>Hello</p>${links('/a/../b', '/b#part', 'b', 'mailto:x@y.example', 'http://other.example/')}`,
      '/b': `<base href="/deep/"><a href="c">c</a>`,
      '/deep/c': { headers: { 'content-type': 'application/pdf' }, body: Buffer.from('%PDF') },
    })
    const rows = await rowsOf(`crawl ${site.url}`)
    assert.deepEqual(rows, [
      {
        url: `${site.url}/`,
        depth: 0,
        status: 200,
        title: 'The first',
        text: 'Hello\n\nx x x x x',
        html: rows[0]?.html,
        type: 'text/html',
      },
      {
        url: `${site.url}/b`,
        depth: 1,
        status: 200,
        text: 'c',
        html: '<base href="/deep/"><a href="c">c</a>',
        referrer: `${site.url}/`,
        type: 'text/html',
      },
      {
        url: `${site.url}/deep/c`,
        depth: 2,
        status: 200,
        referrer: `${site.url}/b`,
        type: 'application/pdf',
      },
    ])
    assert.deepEqual(site.paths(), ['/robots.txt', '/', '/b', '/deep/c'])
  })

  test('redirects lead to a page once, stay inside, and end', async context => {
    const to = (location: string) => ({ status: 302, headers: { location } })
    const site = await siteOf(context, {
      '/start': to('/home'),
      '/home': links('/old', '/older', '/away', '/loop', '/home'),
      '/old': to('/new'),
      '/older': to('/new#x'),
      '/new': 'new',
      '/away': to('http://other.example/'),
      '/loop': to('/loop2'),
      '/loop2': to('/loop'),
    })
    const rows = await rowsOf(`crawl ${site.url}/start || table url status depth`)
    assert.deepEqual(rows, [
      { url: `${site.url}/home`, status: 200, depth: 0 },
      { url: `${site.url}/new`, status: 200, depth: 1 },
      { url: `${site.url}/away`, status: 302, depth: 1 },
    ])
    assert.equal(site.paths().filter(path => path === '/new').length, 1)
    assert.deepEqual(await rowsOf(`crawl ${site.url}/loop || table url status`), [
      { url: `${site.url}/loop2`, status: 302 },
    ])
  })

  test('what cannot be fetched is listed; errors are no way on', async context => {
    const site = await siteOf(context, {
      '/': links('/missing', '/broken', '/large', '/fine'),
      '/missing': { status: 410, body: `<title>Gone</title>${links('/behind')}` },
      '/broken': response => void response.destroy(),
      '/large': 'x'.repeat(3000),
      '/fine': 'ok',
      '/behind': 'never',
    })
    const rows = await rowsOf(`crawl ${site.url} --maxBytes 2000 --retry 0 || table url status title _error`)
    assert.deepEqual(
      rows.map(row => [
        String(row.url).slice(site.url.length),
        row.status,
        row.title,
        (row._error as Row | undefined)?.code,
      ]),
      [
        ['/', 200, undefined, undefined],
        ['/missing', 410, 'Gone', undefined],
        ['/broken', undefined, undefined, 'connection_lost'],
        ['/large', undefined, undefined, 'too_large'],
        ['/fine', 200, undefined, undefined],
      ],
    )
    assert.ok(!site.paths().includes('/behind'))
  })

  test('what the site asks of crawlers', async context => {
    const site = await siteOf(context, {
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nDisallow: /no\nCrawl-delay: 7',
      },
      '/': `${links('/no/1', '/no/2', '/meta', '/header')}<a rel="external nofollow" href="/nofollow">x</a>`,
      '/meta': `<meta name="Robots" content="noindex, NOFOLLOW">${links('/behind')}`,
      '/header': { headers: { 'x-robots-tag': 'none' }, body: links('/behind') },
    })
    const polite = await run(`crawl ${site.url} || table url`)
    assert.deepEqual(
      polite.rows.map(row => String(row.url).slice(site.url.length)),
      ['/', '/meta', '/header'],
    )
    assert.deepEqual(polite.warnings.map(({ code }) => code).sort(), ['crawl_delay', 'crawl_robots'])
    assert.match(
      polite.warnings.find(({ code }) => code === 'crawl_robots')!.message,
      /forbids 2 .*--robots false/,
    )

    const rude = await rowsOf(`crawl ${site.url} --robots false || table url`)
    assert.deepEqual(
      rude.map(row => String(row.url).slice(site.url.length)),
      ['/', '/no/1', '/no/2', '/meta', '/header', '/nofollow', '/behind'],
    )
    assert.equal(site.paths().filter(path => path === '/robots.txt').length, 1)
    await assert.rejects(run(`crawl ${site.url}/no/1`), failure('robots_forbidden', /forbids .*\/no\/1/))
  })

  test('robots.txt is read once for all rows of a query, and a server that cannot give it forbids all', async context => {
    const site = await siteOf(context, { '/1': 'a', '/2': 'b' })
    await run(`range 1 2 n || crawl ${site.url}/$n$`)
    assert.deepEqual(site.paths().sort(), ['/1', '/2', '/robots.txt'])
    const down = await siteOf(context, { '/robots.txt': { status: 500 }, '/': 'x' })
    await assert.rejects(run(`crawl ${down.url} --retry 0`), failure('robots_forbidden', /cannot be read/))
  })

  test('limits are told of, with the flag that raises them', async context => {
    const pages = Array.from(
      { length: 8 },
      (_, index) => [`/${index}`, links(`/${index + 1}`, `/${index + 2}`)] as const,
    )
    const site = await siteOf(context, Object.fromEntries(pages))
    const few = await run(`crawl ${site.url}/0 --pages 3 || table url`)
    assert.equal(few.rows.length, 3)
    assert.match(few.warnings[0]!.message, /ended at 3 pages, when \d address.* --pages/)
    const near = await run(`crawl ${site.url}/0 --depth 1 || table url`)
    assert.deepEqual(
      near.rows.map(row => row.url),
      ['/0', '/1', '/2'].map(path => site.url + path),
    )
    assert.match(near.warnings[0]!.message, /^2 pages deeper than 1 .* --depth/)
    const globs = await run(`crawl ${site.url}/0 --match "/*" --exclude "*/2" --depth 2 || table url`)
    assert.deepEqual(
      globs.rows.map(row => row.url),
      ['/0', '/1', '/3'].map(path => site.url + path),
    )
  })

  test('a name and password in the address are for that site alone, and in no row', async context => {
    const site = await siteOf(context, { '/': links('/a'), '/a': 'x' })
    const rows = await rowsOf(`crawl ${site.url.replace('://', '://ada:pass%21@')}`)
    assert.equal(
      site.asked.at(-1)?.headers.authorization,
      `Basic ${Buffer.from('ada:pass!').toString('base64')}`,
    )
    assert.ok(!JSON.stringify(rows).includes('pass'))
  })
})

const xml = (body: string): Answer => ({ headers: { 'content-type': 'application/xml' }, body })

describe('sitemap', () => {
  test('an index, packed, nested, in text, with itself in it', async context => {
    const urlset = (...entries: string[]) =>
      `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>`
    const site = await siteOf(context, {
      '/index.xml': xml(
        '<s:sitemapindex xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:sitemap><s:loc>HOST/a.xml.gz</s:loc></s:sitemap><s:sitemap><s:loc> /index.xml </s:loc></s:sitemap><s:sitemap><s:loc>HOST/gone.xml</s:loc></s:sitemap><s:sitemap><s:loc>HOST/list.txt</s:loc></s:sitemap></s:sitemapindex>',
      ),
      '/a.xml.gz': gzipSync(
        urlset(
          '<url><loc>http://x.example/?a=1&amp;b=2</loc><lastmod>2025-01-02</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url>',
        ),
      ),
      '/list.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'http://x.example/1\r\nhttp://x.example/2\n',
      },
      '/robots.txt': {
        headers: { 'content-type': 'text/plain' },
        body: 'User-agent: *\nSitemap: HOST/list.txt\n',
      },
    })
    const rows = await rowsOf(`sitemap ${site.url}/index.xml`)
    assert.deepEqual(rows, [
      {
        loc: 'http://x.example/?a=1&b=2',
        lastmod: '2025-01-02',
        changefreq: 'daily',
        priority: 0.8,
        _sitemap: `${site.url}/a.xml.gz`,
      },
      {
        _error: { code: 'http_status', message: 'The answer has status 404: no' },
        _sitemap: `${site.url}/gone.xml`,
      },
      { loc: 'http://x.example/1', _sitemap: `${site.url}/list.txt` },
      { loc: 'http://x.example/2', _sitemap: `${site.url}/list.txt` },
    ])
    assert.equal((await rowsOf(`sitemap ${site.url}/robots.txt`)).length, 2)
    const few = await run(`sitemap ${site.url}/index.xml --files 2`)
    assert.equal(few.rows.length, 1)
    assert.match(few.warnings[0]!.message, /^2 sitemaps were not read: --files 2/)
  })

  test('what is none is refused by name', async context => {
    const site = await siteOf(context, {
      '/page': '<!doctype html><p>x',
      '/rss': xml('<rss/>'),
      '/bomb.gz': gzipSync(Buffer.alloc(101 * 1024 * 1024)),
      '/bad.gz': Buffer.from([0x1f, 0x8b, 1, 2, 3]),
    })
    await assert.rejects(run(`sitemap ${site.url}/missing`), failure('http_status', /404/))
    await assert.rejects(run(`sitemap ${site.url}/page`), failure('bad_xml', /no sitemap/))
    await assert.rejects(run(`sitemap ${site.url}/rss`), failure('no_sitemap', /root is rss/))
    await assert.rejects(run(`sitemap ${site.url}/bomb.gz`), failure('too_large', /100 MiB/))
    await assert.rejects(run(`sitemap ${site.url}/bad.gz`), failure('bad_gzip', /GZIP/))
  })
})

describe('feed', () => {
  const entriesOf = async (context: TestContext, body: Answer) => {
    const site = await siteOf(context, { '/feed': body })
    const rows = await rowsOf(`feed ${site.url}/feed || drop _feed`)
    return rows.map(row => JSON.parse(JSON.stringify(row).replaceAll(site.url, 'HOST')))
  }

  test('RSS 2.0 with other vocabularies, under prefixes of its own', async context => {
    const rows = await entriesOf(
      context,
      xml(`<rss version="2.0" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:body="http://purl.org/rss/1.0/modules/content/"><channel><title>T</title>
<item><guid isPermaLink="false">g1</guid><title>A &amp; B</title><link>/one</link><pubDate>Sun, 26 Oct 2025 10:00:00 +0200</pubDate><d:creator>Ada</d:creator>
<description><![CDATA[<b>short</b>]]></description><body:encoded>&lt;p&gt;long&lt;/p&gt;</body:encoded><category>x</category><category domain="d">y</category><enclosure url="/a.mp3" type="audio/mpeg" length="42"/></item>
<item><guid>http://x.example/2</guid><pubDate>no date</pubDate></item></channel></rss>`),
    )
    assert.deepEqual(rows, [
      {
        id: 'g1',
        title: 'A & B',
        link: 'HOST/one',
        published: '2025-10-26T08:00:00.000Z',
        author: 'Ada',
        summary: '<b>short</b>',
        content: '<p>long</p>',
        categories: ['x', 'y'],
        enclosure: { url: 'HOST/a.mp3', type: 'audio/mpeg', length: 42 },
      },
      { id: 'http://x.example/2', link: 'http://x.example/2', published: 'no date' },
    ])
  })

  test('RSS 0.91 with its DOCTYPE, in Latin-1', async context => {
    const document = `<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">\n<rss version="0.91"><channel><title>T</title><item><title>Caf\xe9</title><link>http://x.example/</link></item></channel></rss>`
    const rows = await entriesOf(context, {
      headers: { 'content-type': 'text/xml' },
      body: Buffer.from(document, 'latin1'),
    })
    assert.deepEqual(rows, [{ id: 'http://x.example/', title: 'Café', link: 'http://x.example/' }])
  })

  test('RSS 1.0', async context => {
    const rows = await entriesOf(
      context,
      xml(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="c"><title>T</title></channel>
<item rdf:about="http://x.example/1"><title>One</title><link>http://x.example/1</link><dc:date>2025-10-26T10:00+01:00</dc:date><dc:subject>s</dc:subject></item></rdf:RDF>`),
    )
    assert.deepEqual(rows, [
      {
        id: 'http://x.example/1',
        title: 'One',
        link: 'http://x.example/1',
        published: '2025-10-26T09:00:00.000Z',
        categories: ['s'],
      },
    ])
  })

  test('Atom, prefixed, with markup in its texts', async context => {
    const rows = await entriesOf(
      context,
      xml(`<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>T</a:title><a:entry><a:id>urn:1</a:id><a:title type="html">One &amp;lt;b&amp;gt; &lt;i&gt;two&lt;/i&gt;</a:title>
<a:link rel="enclosure" href="/e.ogg" type="audio/ogg"/><a:link rel="alternate" href="one"/><a:published>2025-10-26T10:00:00Z</a:published><a:updated>2025-10-27T10:00:00Z</a:updated>
<a:author><a:name>Ada</a:name></a:author><a:author><a:name>Grace</a:name></a:author><a:category term="t"/><a:summary>short</a:summary>
<a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">a <b>b</b> c</div></a:content></a:entry></a:feed>`),
    )
    assert.deepEqual(rows, [
      {
        id: 'urn:1',
        title: 'One <b> two',
        link: 'HOST/one',
        published: '2025-10-26T10:00:00.000Z',
        updated: '2025-10-27T10:00:00.000Z',
        author: 'Ada, Grace',
        summary: 'short',
        content: '<div xmlns="http://www.w3.org/1999/xhtml">a <b>b</b> c</div>',
        categories: ['t'],
        enclosure: { url: 'HOST/e.ogg', type: 'audio/ogg' },
      },
    ])
  })

  test('JSON Feed', async context => {
    const items = [
      {
        id: 7,
        url: '/seven',
        title: 'Seven',
        content_text: 'words',
        summary: 's',
        date_published: '2025-10-26T10:00:00+02:00',
        authors: [{ name: 'Ada' }],
        tags: ['t'],
        attachments: [{ url: '/a.mp3', mime_type: 'audio/mpeg', size_in_bytes: 9 }],
      },
    ]
    const rows = await entriesOf(
      context,
      JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'T', items }),
    )
    assert.deepEqual(rows, [
      {
        id: '7',
        title: 'Seven',
        link: 'HOST/seven',
        published: '2025-10-26T08:00:00.000Z',
        author: 'Ada',
        summary: 's',
        content: 'words',
        categories: ['t'],
        enclosure: { url: 'HOST/a.mp3', type: 'audio/mpeg', length: 9 },
      },
    ])
  })

  test('where it came from, by way of a page; what is no feed', async context => {
    const site = await siteOf(context, {
      '/page': '<!DOCTYPE html><link rel="Alternate" type="application/atom+xml" href="/atom">',
      '/atom': xml(
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="/"/><entry><id>1</id></entry></feed>',
      ),
      '/none': '<!doctype html><p>x',
      '/other': xml('<catalog/>'),
      '/words': 'just words',
      '/json': '{"a": 1}',
    })
    assert.deepEqual(await rowsOf(`feed ${site.url}/page`), [
      { id: '1', _feed: { title: 'T', link: `${site.url}/`, url: `${site.url}/atom` } },
    ])
    await assert.rejects(run(`feed ${site.url}/none`), failure('no_feed', /names no feed/))
    for (const path of ['other', 'words', 'json'])
      await assert.rejects(run(`feed ${site.url}/${path}`), failure('no_feed', /no RSS, Atom or JSON/))
    await assert.rejects(run(`feed ${site.url}/gone`), failure('http_status', /404/))
  })
})

describe('prompt', () => {
  const completion = (content: unknown, more: object = {}) =>
    JSON.stringify({
      model: 'm-1',
      choices: [{ message: { content }, finish_reason: 'stop', ...more }],
      usage: { prompt_tokens: 3, completion_tokens: 5 },
    })
  const endpoint = (context: TestContext, answer: Answer) =>
    siteOf(context, { '/v1/chat/completions': answer, '/v1/chat/completions?api=2': answer })

  test('what is asked', async context => {
    const site = await endpoint(context, completion('Hi'))
    const rows = await rowsOf(
      `seed '{"who": "Ada"}' || prompt "Greet $who$" --baseUrl ${site.url}/v1/?api=2 --model m --system Short. --temperature 0.5 --maxTokens 9 --bearer s3cret`,
    )
    assert.deepEqual(rows, [{ _prompt: { text: 'Hi', model: 'm-1', tokens: { input: 3, output: 5 } } }])
    const [asked] = site.asked
    assert.equal(asked?.headers.authorization, 'Bearer s3cret')
    assert.deepEqual(JSON.parse(asked!.body), {
      model: 'm',
      messages: [
        { role: 'system', content: 'Short.' },
        { role: 'user', content: 'Greet Ada' },
      ],
      temperature: 0.5,
      max_tokens: 9,
    })
  })

  test('JSON becomes columns, rows or a value', async context => {
    const columns = async (content: string, flags: string) => {
      const site = await endpoint(context, completion(content))
      const rows = await rowsOf(`prompt x --baseUrl ${site.url}/v1 ${flags} || drop _prompt`)
      return { rows, format: JSON.parse(site.asked[0]!.body).response_format }
    }
    assert.deepEqual(await columns('{"a": 9007199254740993, "b": [1]}', '--json'), {
      rows: [{ a: 9007199254740993n, b: [1] }],
      format: { type: 'json_object' },
    })
    assert.deepEqual((await columns('```json\n[{"a": 1}, 2]\n```', '--json')).rows, [{ a: 1 }, { value: 2 }])
    assert.deepEqual((await columns('{"a": 1}', `--schema '{type: "object"}'`)).format, {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' } },
    })
  })

  test('answers that are none', async context => {
    const fails = async (answer: Answer, code: string, message: RegExp, flags = '') => {
      const site = await endpoint(context, answer)
      await assert.rejects(
        run(`prompt x --baseUrl ${site.url}/v1 --retry 0 ${flags}`),
        failure(code, message),
      )
    }
    await fails(completion('not json'), 'prompt_not_json', /not json/, '--json')
    await fails(completion('{"a', { finish_reason: 'length' }), 'prompt_not_json', /cut off/, '--json')
    await fails(
      completion(null, { message: { content: null, refusal: 'I will not' } }),
      'prompt_refused',
      /I will not/,
    )
    await fails('<html>', 'prompt_no_answer', /no chat completion/)
    await fails(
      { status: 401, headers: { 'content-type': 'application/json' }, body: '{"error": "no key"}' },
      'http_status',
      /401.*no key/,
    )
  })

  test('an endpoint that stumbles is asked again; an answer that was cut is told of', async context => {
    let asked = 0
    const site = await endpoint(context, response => {
      asked++
      if (asked === 1) return void response.writeHead(502).end()
      response.end(completion('Hi', { finish_reason: 'length' }))
    })
    const { rows, warnings } = await run(`prompt x --baseUrl ${site.url}/v1`)
    assert.equal(asked, 2)
    assert.deepEqual(rows[0]?._prompt, { text: 'Hi', model: 'm-1', tokens: { input: 3, output: 5 } })
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['prompt_cut'],
    )
  })
})

describe('webhook', () => {
  const seed = (rows: readonly Row[]) => `seed '${JSON.stringify(rows)}'`
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => ({ n: index + 1 }))
  const received: Answer = { status: 202, body: '{}' }

  test('batches in order, each with a key of its own; the rows go on', async context => {
    const site = await siteOf(context, { '/hook': received })
    const rows = await rowsOf(
      `${seed(numbers(5))} || webhook ${site.url}/hook --batch 2 --headers '{"x-from": "me"}' --bearer abc`,
    )
    assert.deepEqual(rows, numbers(5))
    assert.deepEqual(
      site.asked.map(({ body }) => JSON.parse(body)),
      [[{ n: 1 }, { n: 2 }], [{ n: 3 }, { n: 4 }], [{ n: 5 }]],
    )
    const keys = site.asked.map(({ headers }) => headers['idempotency-key'])
    assert.equal(new Set(keys).size, 3)
    const [{ headers }] = site.asked as [Asked]
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-from'], 'me')
    assert.equal(headers.authorization, 'Bearer abc')
  })

  test('as NDJSON, or a row in each request; long integers whole', async context => {
    const site = await siteOf(context, { '/lines': received, '/rows': received })
    await run(
      `seed '[{id: 9007199254740993, t: {a: "x"}}, {id: 2}]' || webhook ${site.url}/lines --format ndjson || webhook ${site.url}/rows --format row`,
    )
    assert.deepEqual(
      site.asked.map(({ path, body, headers }) => [path, headers['content-type'], body]),
      [
        ['/lines', 'application/x-ndjson', '{"id":9007199254740993,"t":{"a":"x"}}\n{"id":2}\n'],
        ['/rows', 'application/json', '{"id":9007199254740993,"t":{"a":"x"}}'],
        ['/rows', 'application/json', '{"id":2}'],
      ],
    )
    const keys = site.asked.map(({ headers }) => headers['idempotency-key'])
    assert.equal(new Set(keys).size, 3, 'two stages of a query share no key')
  })

  test('failed rows are not sent unless asked for, and go on in any case', async context => {
    const site = await siteOf(context, { '/hook': received })
    const failed: Row[] = [{ n: 1 }, { n: 2, _error: { code: 'x', message: 'y' } }]
    assert.deepEqual(await rowsOf(`${seed(failed)} || webhook ${site.url}/hook`), failed)
    await run(`${seed(failed)} || webhook ${site.url}/hook --errors true`)
    assert.deepEqual(
      site.asked.map(({ body }) => JSON.parse(body)),
      [[{ n: 1 }], failed],
    )
  })

  test('no rows, no request', async context => {
    const site = await siteOf(context, { '/hook': received })
    assert.deepEqual(await rowsOf(`range 1 3 n || filter "n > 5" || webhook ${site.url}/hook`), [])
    assert.deepEqual(site.asked, [])
  })

  test('a receiver that stumbles gets the same again, under the same key', async context => {
    let asked = 0
    const site = await siteOf(context, {
      '/hook': response => void response.writeHead(++asked === 1 ? 503 : 200).end(),
    })
    await run(`${seed(numbers(1))} || webhook ${site.url}/hook`)
    const [first, second] = site.asked as [Asked, Asked]
    assert.equal(site.asked.length, 2)
    assert.equal(first.headers['idempotency-key'], second.headers['idempotency-key'])
    assert.equal(first.body, second.body)
  })

  test('what is refused fails the query, which says how far it came', async context => {
    let asked = 0
    const site = await siteOf(context, {
      '/hook': response =>
        void response.writeHead(++asked === 3 ? 422 : 200, { 'content-type': 'text/plain' }).end('not so'),
    })
    await assert.rejects(
      run(`${seed(numbers(6))} || webhook ${site.url}/hook --batch 2`),
      failure('webhook_failed', /rows 5 to 6 failed, 4 rows have been delivered before.*422.*not so/),
    )
    await assert.rejects(
      run(`${seed(numbers(1))} || webhook http://127.0.0.1:1/hook`),
      failure('webhook_failed', /row 1 failed, 0 rows/),
    )
  })
})

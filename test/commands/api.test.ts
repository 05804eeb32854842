import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { after, before, beforeEach, describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { startDemo } from '../../demo/server.ts'
import { zip } from '../../demo/zip.ts'
import type { Row } from '../../src/language/json.ts'
import { httpProxy, serveTls, socksProxy } from '../network/servers.ts'
import { read, serve } from './local-server.ts'
import { NetworkHarness, type Outcome } from './network-harness.ts'

const harness = new NetworkHarness()
const demo = await startDemo({ port: 0 })
before(() => harness.open())
after(async () => {
  await harness.close()
  await demo.close()
})
beforeEach(() => fetch(`${demo.url}/reset`, { method: 'POST' }))

/** Runs a query in which DEMO stands for the address of the demo site. */
const run = (query: string): Promise<Outcome> => harness.run(query.replaceAll('DEMO', demo.url))
const rows = async (query: string) => (await run(query)).rows
const first = async (query: string): Promise<Row> => (await rows(query))[0]!

/** A query whose only job fails: what the query then says. */
const failsWith = (query: string, code: string, message: RegExp) =>
  assert.rejects(run(query), (error: Error & { code?: string }) => {
    assert.match(error.message, message)
    assert.equal(codeOf(error), code, error.message)
    return true
  })
const codeOf = (error: unknown): string | undefined => {
  for (let at = error as { code?: string; cause?: unknown; error?: { code?: string } } | undefined; at; ) {
    const code = at.code ?? at.error?.code
    if (code !== undefined) return code
    at = at.cause as typeof at
  }
  return undefined
}

/** Answers every request with these bytes. */
const answering = (context: TestContext, type: string | undefined, body: string | Buffer, status = 200) =>
  serve(context, (_request, response) => {
    if (type !== undefined) response.setHeader('content-type', type)
    response.writeHead(status).end(body)
  })

describe('what is sent', () => {
  it('JSON with the types of the row, 64-bit integers exact', async () => {
    const { json, headers, body } = await first(
      `seed {id: 1152921504607847169, tags: ["a"]} || api post DEMO/api/echo --data '{"id": "$id$", "tags": "$tags$", "text": "n $id$"}'`,
    )
    assert.equal(body, '{"id":1152921504607847169,"tags":["a"],"text":"n 1152921504607847169"}')
    assert.deepEqual((json as Row).tags, ['a'])
    assert.equal((headers as Row)['content-type'], 'application/json')
  })

  it('the whole row, and text as text', async () => {
    assert.deepEqual((await first('seed {a: 1, b: "x"} || api post DEMO/api/echo --data $ROW$')).json, {
      a: 1,
      b: 'x',
    })
    const plain = await first('api put DEMO/api/echo --data "just text"')
    assert.equal(plain.body, 'just text')
    assert.equal((plain.headers as Row)['content-type'], 'text/plain; charset=utf-8')
  })

  it('a form, parameters and repeated names', async () => {
    const { form, query, headers } = await first(
      `api post DEMO/api/echo?x=1 --form '{"a": "ä&b", "list": [1, 2], "none": null, "deep": {"k": 1}}' --query '{"y": "2 3", "x": 4}'`,
    )
    assert.deepEqual(form, { a: 'ä&b', list: ['1', '2'], deep: '{"k":1}' })
    assert.deepEqual(query, { x: ['1', '4'], y: '2 3' })
    assert.equal((headers as Row)['content-type'], 'application/x-www-form-urlencoded')
  })

  it('fields and files in parts', async () => {
    const { form, files } = await first(
      `api post DEMO/api/echo --multipart '{"note": "hi", "one": {"filename": "a \\"b.txt", "type": "text/plain", "value": "text"}, "two": {"filename": "b.bin", "base64": "AAH/"}}'`,
    )
    assert.deepEqual(form, { note: 'hi' })
    const [one, two] = files as Row[]
    assert.deepEqual(
      [one!.name, one!.filename, one!.type, one!.text],
      ['one', 'a %22b.txt', 'text/plain', 'text'],
    )
    assert.deepEqual([two!.name, two!.type, two!.bytes], ['two', 'application/octet-stream', 3])
    const listed = await first(
      `api post DEMO/api/echo --multipart '[{"name": "f", "value": 1}, {"name": "f", "value": 2}]'`,
    )
    assert.deepEqual(listed.form, { f: ['1', '2'] })
  })

  it('headers, who it is, and credentials', async () => {
    const headersOf = async (flags: string) => (await first(`api get DEMO/api/echo ${flags}`)).headers as Row
    const headers = await headersOf(`--headers '{"X-One": "1", "X-None": null}' --useragent "Test 1"`)
    assert.deepEqual([headers['x-one'], headers['x-none'], headers['user-agent']], ['1', undefined, 'Test 1'])
    assert.equal((await headersOf('--bearer abc')).authorization, 'Bearer abc')
    assert.equal((await headersOf('--basic demo:forage')).authorization, 'Basic ZGVtbzpmb3JhZ2U=')
    assert.equal((await rows('api get DEMO/api/basic --basic demo:forage')).length, 1)
    await failsWith('api get DEMO/api/echo --bearer a --basic b:c', 'two_credentials', /not both/)
    await failsWith('api post DEMO/api/echo --data {a:1} --form {b:2}', 'two_bodies', /--data and --form/)
    await failsWith('api get DEMO/api/echo --query [1]', 'not_an_object', /--query takes an object/)
    await failsWith(
      'api post DEMO/api/echo --multipart \'[{"value": 1}]\'',
      'bad_multipart',
      /Part 0 .* has no name/,
    )
  })

  it('a key for what writes, another for each row, none for what reads', async () => {
    const keys = await rows('range 1 2 n || api post DEMO/api/echo || table headers.idempotency-key')
    const [one, two] = keys.map(row => (row.headers as Row)['idempotency-key'])
    assert.match(String(one), /\.1\.0\.0$/)
    assert.notEqual(one, two)
    assert.equal(((await first('api get DEMO/api/echo')).headers as Row)['idempotency-key'], undefined)
  })
})

describe('what comes back', () => {
  it('JSON: an array, an object, scalars, nothing', async context => {
    const of = async (body: string) => rows(`api get ${await answering(context, 'application/json', body)}`)
    assert.deepEqual(await of('[{"a": 1}, 2, "x", [3]]'), [
      { a: 1 },
      { value: 2 },
      { value: 'x' },
      { value: [3] },
    ])
    assert.deepEqual(await of('{"a": {"b": 9007199254740993}}'), [{ a: { b: 9007199254740993n } }])
    assert.deepEqual(await of('true'), [{ value: true }])
    assert.deepEqual(await of(''), [])
    assert.deepEqual(await of('[]'), [])
    assert.deepEqual(await rows('api delete DEMO/status/204'), [])
  })

  it('every kind of content by its type', async context => {
    const of = async (type: string | undefined, body: string | Buffer, path = '') =>
      rows(`api get ${await answering(context, type, body)}/${path}`)
    assert.deepEqual(await of('application/vnd.x+json; charset=utf-8', '{"a": 1}'), [{ a: 1 }])
    assert.deepEqual(await of('application/x-ndjson', '{"a":1}\r\n\n2\n'), [{ a: 1 }, { value: 2 }])
    assert.deepEqual(await of('text/csv', 'n;t\n1;x\n2;"y;z"\n'), [
      { n: 1, t: 'x' },
      { n: 2, t: 'y;z' },
    ])
    assert.deepEqual(await of('text/tab-separated-values', 'a\tb\n1\t\n'), [{ a: 1 }])
    assert.deepEqual(await of('text/html', '<p>x</p>'), [{ html: '<p>x</p>' }])
    assert.deepEqual(await of('text/plain', '{"a": 1}'), [{ text: '{"a": 1}' }])
    assert.deepEqual(await of('image/png', Buffer.from([1, 2])), [{ base64: 'AQI=' }])
    assert.deepEqual(await of('application/octet-stream', 'a,b\n1,2\n', 'x.csv'), [{ a: 1, b: 2 }])
    assert.deepEqual(await of(undefined, Buffer.from([1, 2])), [{ base64: 'AQI=' }])
    assert.deepEqual(await of('application/atom+xml', '<a k="v"><b>1</b><b x="y">2</b></a>'), [
      { a: { k: 'v', b: ['1', { x: 'y', textContent: '2' }] } },
    ])
  })

  it('as --serializer says', async context => {
    const url = await answering(context, 'text/plain', '{"a": 1}')
    assert.deepEqual(await rows(`api get ${url} --serializer json`), [{ a: 1 }])
    assert.deepEqual(await rows(`api get ${url} --serializer binary`), [{ base64: 'eyJhIjogMX0=' }])
    assert.deepEqual(await rows('api get DEMO/data/products.csv.gz --serializer binary || count'), [
      { count: 1 },
    ])
    assert.equal((await rows('api get DEMO/data/products.csv.gz --serializer text')).length, 1)
  })

  it('text in other charsets', async context => {
    const latin = Buffer.from('{"a": "é"}', 'latin1')
    assert.deepEqual(
      await rows(`api get ${await answering(context, 'application/json; charset="iso-8859-1"', latin)}`),
      [{ a: 'é' }],
    )
    const wide = Buffer.from('\ufeff{"a": "é"}', 'utf16le')
    assert.deepEqual(await rows(`api get ${await answering(context, 'application/json', wide)}`), [
      { a: 'é' },
    ])
    const xml = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')
    assert.deepEqual(await rows(`api get ${await answering(context, 'application/xml', xml)}`), [{ a: 'é' }])
    const unknown = await run(`api get ${await answering(context, 'text/plain; charset=x-none', 'x')}`)
    assert.deepEqual(unknown.rows, [{ text: 'x' }])
    assert.equal(unknown.warnings[0]?.code, 'unknown_charset')
  })

  it('XML with namespaces, CSV, NDJSON of the demo site are the same products', async () => {
    const products = await rows('api get DEMO/data/products.json || table id uid name')
    assert.equal(products.length, 120)
    assert.equal(typeof products[0]!.uid, 'bigint')
    for (const file of ['products.ndjson', 'products.csv'])
      assert.deepEqual(await rows(`api get DEMO/data/${file} || table id uid name`), products, file)
    const xml = await rows('api get DEMO/data/products.xml || normalize catalog.product || table uid name.0')
    assert.deepEqual(
      xml.map(({ uid, name }) => [uid, (name as string[])[0]]),
      products.map(({ uid, name }) => [String(uid), name]),
    )
  })

  it('archives, each file by its name', async () => {
    const zipped = await rows('api get DEMO/data/products.zip')
    assert.deepEqual(
      [...new Set(zipped.map(row => row._file))].map(file => [
        file,
        zipped.filter(row => row._file === file).length,
      ]),
      [
        ['products.csv', 120],
        ['categories.csv', 5],
      ],
    )
    assert.equal(zipped[0]!.name, 'Kestrel Mini')
    const gzipped = await rows('api get DEMO/data/products.csv.gz')
    assert.equal(gzipped.length, 120)
    assert.equal(gzipped[0]!._file, 'products.csv')
  })

  it('archives inside archives, and files that are packed twice over', async context => {
    const inner = zip({ 'deep/a.json': '[{"a": 1}, {"a": 2}]', 'b.txt': 'text' })
    const outer = zip({ 'inner.zip': inner, 'c.csv.gz': gzipSync('n\n7\n'), 'd.bin': Buffer.from([255]) })
    const url = await answering(context, undefined, outer)
    assert.deepEqual(await rows(`api get ${url}`), [
      { a: 1, _file: 'inner.zip/deep/a.json' },
      { a: 2, _file: 'inner.zip/deep/a.json' },
      { text: 'text', _file: 'inner.zip/b.txt' },
      { n: 7, _file: 'c.csv.gz/c.csv' },
      { base64: '/w==', _file: 'd.bin' },
    ])
    const twice = await serve(context, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/gzip', 'content-encoding': 'gzip' })
      response.end(gzipSync('n\n7\n'))
    })
    assert.deepEqual(await rows(`api get ${twice}/x.csv.gz`), [{ n: 7 }])
  })

  it('Parquet, with long integers and nested values', async context => {
    const given: Row[] = [
      { id: 9007199254740993n, name: 'a', tags: ['x', 'y'] },
      { id: 2, name: 'b', price: 1.5 },
    ]
    const { file } = await harness.tables.ingest(given, new AbortController().signal)
    const url = await answering(context, 'application/vnd.apache.parquet', readFileSync(file))
    assert.deepEqual(await rows(`api get ${url} || table id name price`), [
      { id: 9007199254740993n, name: 'a' },
      { id: 2, name: 'b', price: 1.5 },
    ])
    await failsWith(
      `api get ${await answering(context, undefined, readFileSync(file))} --maxBytes 60`,
      'too_large',
      /./,
    )
  })

  it('many rows', async context => {
    const lines = Array.from({ length: 200_000 }, (_, index) => `${index},x`)
    const url = await answering(context, 'text/csv', `n,t\n${lines.join('\n')}\n`)
    assert.deepEqual(await rows(`api get ${url} || stats "count() as n, max(n) as last"`), [
      { n: 200_000, last: 199_999 },
    ])
  })

  it('head and --meta tell how it went', async () => {
    const { _api, id } = await first('api get DEMO/api/item/1 --meta')
    const { status, url, headers, ms, attempts } = _api as Row
    assert.deepEqual([id, status, url, attempts], [1, 200, `${demo.url}/api/item/1`, 1])
    assert.equal((headers as Row)['content-type'], 'application/json; charset=utf-8')
    assert.equal(typeof ms, 'number')
    const head = await first('api head DEMO/api/item/1')
    assert.deepEqual([Object.keys(head), (head._api as Row).status], [['_api'], 200])
  })
})

describe('what fails', () => {
  it('a status outside --accept, with what the answer says', async () => {
    await failsWith('api get DEMO/api/products/999', 'http_status', /status 404: .*there is no product 999/)
    assert.deepEqual(await rows('api get DEMO/status/404 --accept "200-299, 404"'), [{ status: 404 }])
    await failsWith('api get DEMO/status/200 --accept 404', 'http_status', /status 200/)
    await failsWith('api get DEMO/status/200 --accept 20x', 'bad_accept', /not "20x"/)
    const kept = await rows('seed [{id: 1}, {id: 999}] || api get DEMO/api/products/$id$ || table id _error')
    assert.deepEqual([kept[0]!.id, kept[1]!.id], [1, 999])
    assert.equal((kept[1]!._error as Row).code, 'http_status')
  })

  it('what cannot be read', async context => {
    await failsWith('api get DEMO/bad.json', 'bad_json', /not valid JSON/)
    await failsWith('api get DEMO/bad.xml', 'bad_xml', /not valid XML/)
    const csv = await answering(context, 'text/csv', 'a,b\n"x,1\n')
    await failsWith(`api get ${csv}`, 'bad_csv', /never closed/)
    const lines = await answering(context, 'application/x-ndjson', '{"a":1}\n{"a":\n')
    await failsWith(`api get ${lines}`, 'bad_json', /on line 2/)
    const deep = await answering(context, 'application/json', `${'['.repeat(5000)}${']'.repeat(5000)}`)
    await failsWith(`api get ${deep}`, 'bad_json', /nested more than 500 deep/)
    const dtd = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    await failsWith(`api get ${await answering(context, 'application/xml', dtd)}`, 'bad_xml', /DOCTYPE/)
    const zip = await answering(context, 'application/zip', 'PK not a zip')
    await failsWith(`api get ${zip}`, 'bad_archive', /cannot be unpacked/)
    const parquet = await answering(context, 'application/vnd.apache.parquet', 'PAR1 nothing of it PAR1')
    await failsWith(`api get ${parquet}`, 'bad_parquet', /not a Parquet file/)
  })

  it('redirects: followed, told, without an end', async () => {
    assert.deepEqual(await rows('api get DEMO/redirect/3'), [{ redirected: true }])
    const told = await first('api get DEMO/redirect/3 --redirect false --accept 302 --meta')
    assert.equal(((told._api as Row).headers as Row).location, '/redirect/2')
    await failsWith('api get DEMO/loop', 'too_many_redirects', /more than 10/)
  })

  it('an answer that breaks off, after the retries; a flaky one is whole', async () => {
    await failsWith('api get DEMO/broken --retry 1', 'connection_lost', /broke/)
    assert.deepEqual(await rows('api get DEMO/flaky/a --meta || table attempt works _api.attempts'), [
      { attempt: 3, works: true, _api: { attempts: 3 } },
    ])
    await failsWith('api get DEMO/flaky/b --retry 1', 'http_status', /status 503/)
    const taken = await rows('api get DEMO/flaky/d --accept 200,503 --meta || table status _api.attempts')
    assert.deepEqual(taken, [{ status: 503, _api: { attempts: 1 } }])
    await failsWith('api post DEMO/flaky/c', 'http_status', /attempt 1 fails/)
  })

  it('a body that breaks off once is fetched again', async context => {
    let asked = 0
    const url = await serve(context, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (asked++ > 0) return void response.end('[{"a":1}]')
      response.write('[{"a"', () => response.destroy())
    })
    assert.deepEqual(await rows(`api get ${url}`), [{ a: 1 }])
    assert.equal(asked, 2)
  })

  it('an answer that comes too late, or is too large', async context => {
    await failsWith('api get DEMO/slow?ms=20000 --timeout 0.1 --retry 0', 'timeout', /0\.1 s/)
    const large = await answering(context, 'text/plain', 'x'.repeat(5000))
    await failsWith(`api get ${large} --maxBytes 4999`, 'too_large', /--maxBytes/)
    assert.equal((await rows(`api get ${large} --maxBytes 5000`)).length, 1)
  })

  it('no bomb: the ceiling counts unpacked bytes', async context => {
    await failsWith('api get DEMO/data/products.csv.gz --maxBytes 20000', 'too_large', /--maxBytes/)
    await failsWith('api get DEMO/data/products.zip --maxBytes 20000', 'too_large', /--maxBytes/)
    const zeros = Buffer.alloc(1_000_000)
    const nested = zip({ 'x.zip': zip({ 'a.txt': zeros, 'b.txt': zeros }), 'y.gz': gzipSync(zeros) })
    const url = await answering(context, 'application/zip', nested)
    await failsWith(`api get ${url} --maxBytes 2500000`, 'too_large', /--maxBytes/)
    // A file that claims to be small is measured by what comes out of it.
    const liar = zip({ 'a.txt': zeros })
    const size = Buffer.alloc(4)
    size.writeUInt32LE(zeros.length)
    for (let at = liar.indexOf(size); at >= 0; at = liar.indexOf(size)) liar.writeUInt32LE(10, at)
    await failsWith(
      `api get ${await answering(context, 'application/zip', liar)}`,
      'bad_archive',
      /cannot be unpacked/,
    )
  })

  it('a rate-limited address loses no row', async () => {
    const limited = await rows('range 1 12 n || api get DEMO/limited --enrich true || table n allowed')
    assert.deepEqual(
      limited,
      Array.from({ length: 12 }, (_, index) => ({ n: index + 1, allowed: true })),
    )
  })

  it('certificates that are not valid, unless told', async context => {
    const port = await serveTls(context, (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"safe": true}')
    })
    await failsWith(`api get https://127.0.0.1:${port}/`, 'tls_error', /./)
    assert.deepEqual(await rows(`api get https://127.0.0.1:${port}/ --verifySSL false`), [{ safe: true }])
  })

  it('proxies of every kind are gone through', async context => {
    const http = await httpProxy(context)
    const socks = await socksProxy(context)
    const pac = await answering(
      context,
      'application/x-ns-proxy-autoconfig',
      `function FindProxyForURL() { return "PROXY 127.0.0.1:${http.port}" }`,
    )
    const proxies = [
      `http://127.0.0.1:${http.port}`,
      `socks4://127.0.0.1:${socks.port}`,
      `socks5://127.0.0.1:${socks.port}`,
      `socks://127.0.0.1:${socks.port}`,
      `pac+${pac}/proxy.pac`,
    ]
    for (const proxy of proxies)
      assert.deepEqual(await rows(`api get DEMO/api/item/1 --proxy ${proxy} || table id`), [{ id: 1 }], proxy)
    assert.equal(http.asked.length, 2)
    // By version; socks is another name for socks5, so these two share a connection.
    assert.deepEqual(
      socks.asked.map(asked => asked[0]),
      ['4', '5'],
    )
  })
})

describe('pages', () => {
  const all = async (query: string) => {
    const { rows: found, warnings } = await run(`${query} || table id`)
    assert.deepEqual(
      found.map(({ id }) => id),
      Array.from({ length: 120 }, (_, index) => index + 1),
    )
    return warnings
  }

  it('by a pointer that is an address', async () => {
    assert.deepEqual(
      await all('api get DEMO/api/products --pagination.next next --pagination.max 0 || normalize items'),
      [],
    )
  })

  it('by a cursor in another address', async () => {
    const url = 'DEMO/api/cursor?size=50&after=$pagination.next$'
    await all(
      `api get DEMO/api/cursor?size=50 --pagination.next next --pagination.url ${url} || normalize items`,
    )
  })

  it('by a cursor in the data, which the first page is without', async context => {
    const bodies: unknown[] = []
    const url = await serve(context, async (request, response) => {
      const body = JSON.parse(await read(request)) as { after?: number }
      bodies.push(body)
      const at = body.after ?? 0
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ items: [at], cursor: at < 2 ? at + 1 : null }))
    })
    const data = '{"size": 1, "after": "$pagination.next$"}'
    const found = await rows(`api post ${url} --data '${data}' --pagination.next cursor || table items`)
    assert.deepEqual(found, [{ items: [0] }, { items: [1] }, { items: [2] }])
    assert.deepEqual(bodies, [{ size: 1 }, { size: 1, after: 1 }, { size: 1, after: 2 }])
  })

  it('by the Link header', async () => {
    await all('api get DEMO/api/linked?size=50 --pagination.link')
  })

  it('by page number and by offset, in the address', async () => {
    assert.deepEqual(await all('api get DEMO/api/linked?size=50 --pagination.page page'), [])
    assert.deepEqual(await all('api get DEMO/api/linked?limit=50 --pagination.offset offset'), [])
    const objects = 'api get DEMO/api/products?size=50 --pagination.page page || normalize items'
    assert.deepEqual(await all(objects), [])
    const late = await rows('api get DEMO/api/linked?size=50&page=3 --pagination.page page || table id')
    assert.deepEqual([late.length, late[0]!.id], [20, 101])
  })

  it('by page number in the data', async context => {
    const url = await serve(context, async (request, response) => {
      const { page } = JSON.parse(await read(request)) as { page: number }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(page < 3 ? [{ page }] : []))
    })
    assert.deepEqual(await rows(`api post ${url} --data {page:0} --pagination.page page`), [
      { page: 0 },
      { page: 1 },
      { page: 2 },
    ])
  })

  it('stops at 5 unless told, and says so', async () => {
    const { rows: found, warnings } = await run('api get DEMO/api/linked?size=10 --pagination.link')
    assert.equal(found.length, 50)
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['pagination_max'],
    )
    assert.match(warnings[0]!.message, /first 5 pages .* --pagination\.max/)
    const three = await run('api get DEMO/api/linked?size=40 --pagination.link --pagination.max 3')
    assert.deepEqual([three.rows.length, three.warnings], [120, []])
  })

  it('stops at a pointer that was there before, and at the same page again', async context => {
    let asked = 0
    const url = await serve(context, (_request, response) => {
      asked++
      response.setHeader('content-type', 'application/json')
      response.end('{"items": [1], "next": "/again"}')
    })
    assert.equal((await rows(`api get ${url} --pagination.next next --pagination.max 0`)).length, 2)
    assert.equal(asked, 2)
    const counted = await run(`api get ${url} --pagination.page page --pagination.max 0`)
    assert.deepEqual([counted.rows.length, counted.warnings[0]?.code], [1, 'pagination_repeated'])
  })

  it('a pointer that leads nowhere, or in two ways', async () => {
    await failsWith(
      'api get DEMO/api/cursor --pagination.next next',
      'pagination_pointer',
      /no address.*--pagination\.url/,
    )
    const both = 'api get DEMO/api/linked --pagination.link --pagination.page page'
    await failsWith(both, 'two_paginations', /in one way/)
  })

  it('another host gets no header, and no body', async context => {
    const seen: IncomingMessage[] = []
    const other = await serve(context, (request, response) => {
      seen.push(request)
      response.setHeader('content-type', 'application/json')
      response.end('{"page": 2}')
    })
    const url = await answering(context, 'application/json', JSON.stringify({ page: 1, next: `${other}/2` }))
    const get = await rows(
      `api get ${url} --bearer secret --headers {"x-key":"k"} --pagination.next next || table page`,
    )
    assert.deepEqual(get, [{ page: 1 }, { page: 2 }])
    assert.deepEqual([seen[0]!.headers.authorization, seen[0]!.headers['x-key']], [undefined, undefined])
    await failsWith(`api post ${url} --data {a:1} --pagination.next next`, 'foreign_page', /another host/)
    assert.equal(seen.length, 1)
  })
})

describe('while', () => {
  it('asks a job until it is done', async () => {
    const done = await rows(
      `api post DEMO/api/jobs --data {category:"laptops"} || api get DEMO/api/jobs/$id$ --while "status == 'pending'" --while.delay 0 --meta || table status _api.attempts`,
    )
    assert.deepEqual(done, [{ status: 'done', _api: { attempts: 1 } }])
  })

  it('knows the status, and the row that asked', async context => {
    let asked = 0
    const url = await serve(context, (_request, response) => {
      response.writeHead(++asked < 3 ? 202 : 200, { 'content-type': 'application/json' })
      response.end(asked < 3 ? '' : JSON.stringify({ asked }))
    })
    assert.deepEqual(await rows(`api get ${url} --while "_api.status == 202" --while.delay 0`), [
      { asked: 3 },
    ])
    const more = await rows(`seed {want: 5} || api get ${url} --while "asked < $want$" --while.delay 0`)
    assert.deepEqual(more, [{ asked: 5 }])
  })

  it('gives up after --while.max, and says so', async context => {
    let asked = 0
    const url = await serve(context, (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ n: ++asked, link: '/x' }))
    })
    const query = `api get ${url}/a --while "absurl(link, '${url}') != null" --while.delay 0 --while.max 2`
    const { rows: found, warnings } = await run(query)
    assert.deepEqual(found, [{ n: 3, link: '/x' }])
    assert.match(warnings[0]!.message, /--while\.max/)
  })
})

describe('cache', () => {
  it('keeps what get fetched and nothing that another method did', async () => {
    const entries = new Map<string, Parameters<NonNullable<typeof cache>['keep']>[1]>()
    const cache: Parameters<NetworkHarness['run']>[1] = {
      find: async key => entries.get(key) ?? null,
      keep: async (key, table) => void entries.set(key, table),
    }
    const runCached = (query: string) => harness.run(query.replaceAll('DEMO', demo.url), cache)
    await runCached('api get DEMO/api/item/1')
    assert.equal(entries.size, 1)
    for (const query of [
      'api post DEMO/api/echo',
      'seed {m: "get"} || api $m$ DEMO/api/item/1',
      "graphql DEMO/graphql 'mutation { setDay(day: 1) }'",
      'soap {productId: 1} --wsdl DEMO/soap?wsdl --method GetPrice',
    ])
      await runCached(query)
    assert.equal(entries.size, 1)
    await runCached("graphql DEMO/graphql '{ day }'")
    assert.equal(entries.size, 2)
  })
})

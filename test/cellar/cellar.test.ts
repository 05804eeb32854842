import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { forage } from '../support/service.ts'

const LIMIT = 300_000
const app = await forage({ settings: { FORAGE_UPLOAD_LIMIT: String(LIMIT) } })
const FILES = '/v1/sirp/cellar/files'

interface Upload {
  readonly name?: string
  readonly content: string | Uint8Array
  readonly filename?: string
  readonly type?: string
  readonly nameLast?: boolean
  readonly query?: string
}

async function upload(given: Upload) {
  const form = new FormData()
  const file = new Blob([given.content as string], { type: given.type ?? 'application/octet-stream' })
  if (given.name !== undefined && !given.nameLast) form.set('name', given.name)
  form.set('file', file, given.filename ?? 'data')
  if (given.name !== undefined && given.nameLast) form.set('name', given.name)
  const sent = new Request('http://forage.example', { method: 'POST', body: form })
  return app.call('POST', `${FILES}${given.query ?? ''}`, {
    body: new Uint8Array(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type')! },
  })
}

const put = (name: string, content?: string, query = '') =>
  app.call('POST', `${FILES}${query}`, {
    body: { name: { value: name }, ...(content !== undefined && { content }) },
  })

const rowsOf = async (name: string, query = '') => {
  const { json } = await app.call('GET', `${FILES}/${encodeURIComponent(name)}${query}`)
  return json.results.map((row: { content: unknown }) => row.content)
}

/** What lies in the folders where uploads and tables are. */
const leftovers = async () => [
  ...(await readdir(join(app.data, 'tables'))),
  ...(await readdir(join(app.data, 'temporary'), { recursive: true })).filter(name =>
    name.endsWith('.upload'),
  ),
]

async function leavesNothing(work: () => Promise<unknown>): Promise<void> {
  const before = await leftovers()
  const { json: files } = await app.call('GET', FILES)
  await work()
  assert.deepEqual(await leftovers(), before)
  assert.deepEqual((await app.call('GET', FILES)).json, files)
}

test('files of each format are recognised by what is in them', async () => {
  const cases = [
    ['a.json', '[{"id": 1, "tags": ["x"]}, {"id": 12345678901234567}]', 'json'],
    ['one.json', '{"id": 1,\n "deep": {"a": [1, {"b": "}\\"]"}]}}', 'json'],
    ['a.ndjson', '{"id": 1}\n{"id": "two"}\n\n{"x": null}', 'ndjson'],
    ['a.csv', '\ufeffid,name\r\n1,"a, ""b""\nc"\r\n2,', 'csv'],
    ['semi.csv', 'id;price\n1;2.50\n2;x\n', 'csv'],
  ] as const
  for (const [name, content, format] of cases) {
    const { status, json, headers } = await upload({ name, content, filename: name })
    assert.equal(status, 201, JSON.stringify(json))
    assert.equal(headers.get('location'), `${FILES}/${name}`)
    assert.deepEqual([json.name, json.format, json.bytes], [name, format, Buffer.byteLength(content)])
  }
  const { text } = await app.call('GET', `${FILES}/a.json`)
  assert.match(text, /12345678901234567/)
  assert.deepEqual(await rowsOf('one.json'), [{ id: 1, deep: { a: [1, { b: '}"]' }] } }])
  assert.deepEqual(await rowsOf('a.ndjson'), [{ id: 1 }, { id: 'two' }, {}])
  assert.deepEqual(await rowsOf('a.csv'), [{ id: 1, name: 'a, "b"\nc' }, { id: 2 }])
  assert.deepEqual(await rowsOf('semi.csv'), [
    { id: 1, price: '2.50' },
    { id: 2, price: 'x' },
  ])
})

test('a Parquet file comes back as it went out', async () => {
  const { json: query } = await app.query('seed [{id: 1, a: {b: [1, 2]}}, {id: 2, t: "x"}]')
  const exported = await fetch(`${app.url}/v1/sirp/queries/${query.id}/results?mode=parquet`, {
    headers: { authorization: 'svc test-key-0123456789-0123456789-0123456789' },
  })
  const content = new Uint8Array(await exported.arrayBuffer())
  const { status, json } = await upload({ name: 'p', content, filename: 'p.parquet' })
  assert.equal(status, 201, JSON.stringify(json))
  assert.deepEqual([json.format, json.rows], ['parquet', 2])
  const rows = await rowsOf('p')
  assert.deepEqual([rows[0].id, rows[1].t], [1, 'x'])
})

test('a file sent as JSON may be empty; a name that is there is taken unless it is to be replaced', async () => {
  const { json, status } = await put('empty')
  assert.deepEqual([status, json.rows, json.columns], [201, 0, []])
  assert.equal((await put('empty', '[{"a": 1}]')).json.code, 'name_taken')
  assert.equal((await upload({ name: 'empty', content: 'a\n1' })).status, 409)
  const { json: second } = await put('empty', '[{"a": 1}]', '?replace=true')
  assert.deepEqual([second.rows, second.createdAt], [1, json.createdAt])
  assert.equal((await app.call('POST', FILES, { body: {} })).json.errors[0].path, '$.name')
  assert.equal((await app.call('POST', FILES, { body: { name: 'x' } })).status, 400)
})

test('the name may come after the file, has a pattern and a length, and is only ever a name', async () => {
  assert.equal((await upload({ name: 'late', content: 'a\n1', nameLast: true })).status, 201)
  for (const name of ['..', '.', 'CON', 'x'.repeat(1000)]) {
    assert.equal((await upload({ name, content: 'a\n1' })).status, 201, name)
    assert.deepEqual(await rowsOf(name === '..' || name === '.' ? 'late' : name), [{ a: 1 }])
  }
  const { json } = await app.query('thaw ..')
  assert.deepEqual(json.results, [{ content: { a: 1 } }])
  await leavesNothing(async () => {
    for (const name of ['', 'a/b', '../x', 'a\nb', 'ä', 'x'.repeat(1001), 'a\\b']) {
      assert.equal((await upload({ name, content: 'a\n1' })).status, 400, JSON.stringify(name))
      assert.equal((await put(name, 'a\n1')).status, 400, JSON.stringify(name))
    }
    assert.equal((await upload({ content: 'a\n1' })).json.errors[0].path, '$.name')
  })
})

test('what is broken, mislabelled or no table leaves nothing behind', async () => {
  await leavesNothing(async () => {
    const cases: [string, Upload, number][] = [
      ['cut JSON', { content: '[{"a": 1}, {"a"' }, 400],
      ['bad JSON', { content: '[{"a": 1} {"a": 2}]' }, 400],
      ['more after the array', { content: '[1] 2' }, 400],
      ['deep JSON', { content: `${'['.repeat(600)}${']'.repeat(600)}` }, 400],
      ['open quote', { content: 'a,b\n1,"x' }, 400],
      ['text after a quote', { content: 'a\n"x"y' }, 400],
      ['JSON called CSV', { content: '[{"a": 1}]', filename: 'x.csv' }, 415],
      ['CSV called JSON', { content: 'a\n1', filename: 'x.json' }, 415],
      ['CSV sent as JSON', { content: 'a\n1', type: 'application/json' }, 415],
      ['an image', { content: Uint8Array.from([137, 80, 78, 71, 0, 1]), filename: 'x.csv' }, 415],
      ['not UTF-8', { content: Uint8Array.from([97, 10, 0xff, 0xfe]) }, 400],
      ['HTML', { content: '<!doctype html><p>', filename: 'x.csv' }, 415],
      ['half a Parquet file', { content: 'PAR1xxxxxxxxxxxxxxx', filename: 'x.parquet' }, 415],
      ['no Parquet inside', { content: 'PAR1xxxxxxxxxxxxxPAR1', filename: 'x.parquet' }, 400],
    ]
    for (const [what, given, expected] of cases) {
      const { status, json } = await upload({ name: 'broken', ...given })
      assert.equal(status, expected, `${what}: ${JSON.stringify(json)}`)
    }
    const noFile = new FormData()
    noFile.set('name', 'x')
    const sent = new Request('http://forage.example', { method: 'POST', body: noFile })
    const { json } = await app.call('POST', FILES, {
      body: new Uint8Array(await sent.arrayBuffer()),
      headers: { 'content-type': sent.headers.get('content-type')! },
    })
    assert.equal(json.errors[0].path, '$.file')
  })
})

test('a file of just the limit is taken, one byte more is not', async () => {
  const of = (bytes: number) => `a\n${'1\n'.repeat((bytes - 2) / 2)}`
  const { json } = await upload({ name: 'full', content: of(LIMIT) })
  assert.equal(json.bytes, LIMIT)
  await leavesNothing(async () => {
    const { status, json } = await upload({ name: 'fuller', content: `${of(LIMIT)}2` })
    assert.deepEqual([status, json.code], [413, 'too_large'])
  })
})

test('an upload that is cut off leaves nothing behind', async () => {
  await leavesNothing(async () => {
    const { port } = new URL(app.url)
    await new Promise<void>(resolve => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          [
            `POST ${FILES} HTTP/1.1`,
            'Host: 127.0.0.1',
            'Authorization: svc test-key-0123456789-0123456789-0123456789',
            'Content-Type: multipart/form-data; boundary=b',
            'Content-Length: 100000',
            '',
            '--b',
            'Content-Disposition: form-data; name="name"',
            '',
            'cut',
            '--b',
            'Content-Disposition: form-data; name="file"; filename="x.csv"',
            '',
            `a\r\n${'1\r\n'.repeat(5000)}`,
          ].join('\r\n'),
          () => socket.destroy(),
        )
      })
      socket.on('close', () => resolve())
      socket.on('error', () => {})
    })
    // Another request is answered after the server has seen the end of that one.
    for (let tries = 0; tries < 100 && (await leftovers()).some(name => name.endsWith('.upload')); tries++)
      await app.call('GET', FILES)
  })
})

test('rows come by page and sorted; exports stream, formulas made harmless on request', async () => {
  await put('sums', '[{"n": 2, "t": "=1+1"}, {"n": 10, "t": "-5"}, {"n": 1, "a": {"b": 3}}]')
  const { json } = await app.call('GET', `${FILES}/sums?sort=true&sortKey=n&sortOrder=desc&limit=1&mode=flat`)
  assert.deepEqual(json.results, [{ content: { n: 10, t: '-5' } }])
  assert.deepEqual([json.total, json.limit, json.offset], [3, 1, 0])
  const csv = await app.call('GET', `${FILES}/sums/export/csv`)
  assert.equal(csv.text, 'n,t,a.b\n2,=1+1,\n10,-5,\n1,,3\n')
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="sums.csv"')
  assert.match((await app.call('GET', `${FILES}/sums/export/csv?safe=true`)).text, /^2,'=1\+1,$/m)
  const ndjson = await app.call('GET', `${FILES}/sums/export/ndjson`)
  assert.equal(ndjson.text, '{"n":2,"t":"=1+1"}\n{"n":10,"t":"-5"}\n{"n":1,"a":{"b":3}}\n')
  assert.equal((await app.call('GET', `${FILES}/sums/export/xml`)).status, 400)
  assert.equal((await app.call('GET', `${FILES}/nothing/export/csv`)).status, 404)
  assert.equal((await app.call('GET', `${FILES}/nothing`)).status, 404)
})

test('a file is deleted once; results that stand on it stay', async () => {
  await put('gone', '[{"n": 1}]')
  const { json } = await app.query('thaw gone')
  assert.equal((await app.call('DELETE', `${FILES}/gone`)).status, 204)
  assert.equal((await app.call('DELETE', `${FILES}/gone`)).status, 404)
  assert.equal((await app.query('thaw gone')).json.error.code, 'no_cellar_file')
  assert.deepEqual((await app.call('GET', `/v1/sirp/queries/${json.id}/results`)).json.results, [
    { content: { n: 1 } },
  ])
})

test('freeze overwrites or appends, leaves out failed rows, and its rows go on', async () => {
  const { json } = await app.query(
    'seed [{n: 1}, {n: 2, _error: {code: "x"}}] || freeze log || freeze all --errors true || thaw log',
  )
  assert.deepEqual(json.results, [{ content: { n: 1 } }])
  assert.equal((await rowsOf('all')).length, 2)
  await app.query('seed [{n: "b"}] || freeze log --mode append')
  assert.deepEqual(await rowsOf('log'), [{ n: 1 }, { n: 'b' }])
  await app.query('seed [{m: 5}] || freeze log')
  assert.deepEqual(await rowsOf('log'), [{ m: 5 }])
  const listed = (await app.call('GET', `${FILES}?limit=1000`)).json.items
  const file = listed.find((item: { name: string }) => item.name === 'log')
  assert.deepEqual([file.format, file.rows, file.columns], ['parquet', 1, [{ name: 'm', type: 'number' }]])
  const refused = await app.query('seed [{n: 1}] || freeze "a/b"')
  assert.equal(refused.json.error.code, 'cellar_name')
})

test('appends at the same time all arrive', async () => {
  const all = Array.from({ length: 8 }, (_, n) => app.query(`seed [{n: ${n}}] || freeze crowd --mode append`))
  await Promise.all(all)
  assert.deepEqual(
    (await rowsOf('crowd')).map((row: { n: number }) => row.n).sort(),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
})

test('lookup adds the first match, join --cellar every one', async () => {
  await put('cities', '[{"id": 1, "city": "Oslo"}, {"id": 1, "city": "Bergen"}, {"id": 2, "city": "Rome"}]')
  const lookup = await app.query('seed [{id: 1}, {id: "2"}, {id: 3}] || lookup cities id')
  assert.deepEqual(
    lookup.json.results.map((row: { content: object }) => row.content),
    [{ id: 1, city: 'Oslo' }, { id: '2', city: 'Rome' }, { id: 3 }],
  )
  const joined = await app.query('seed [{id: 1}, {id: 3}] || join id --cellar cities')
  assert.deepEqual(
    joined.json.results.map((row: { content: object }) => row.content),
    [
      { id: 1, city: 'Oslo' },
      { id: 1, city: 'Bergen' },
    ],
  )
  assert.equal((await app.query('seed [{id: 1}] || join id')).json.error.code, 'join_stage')
})

test('a cached result stands on the version of the file that it was made of', async () => {
  await put('source', '[{"n": 1}]')
  const query = 'thaw source || eval m "n * 2"'
  assert.equal((await app.query(query)).json.fromCache, false)
  const again = await app.query(query)
  assert.equal(again.json.fromCache, true)
  await put('source', '[{"n": 4}]', '?replace=true')
  const fresh = await app.query(query)
  assert.deepEqual([fresh.json.fromCache, fresh.json.results], [false, [{ content: { n: 4, m: 8 } }]])
  const stage = await app.call('GET', `/v1/sirp/queries/${again.json.id}/stages/0/results`)
  assert.notEqual(stage.status, 500)
  const first = await app.call('GET', `/v1/sirp/queries/${fresh.json.id}/stages/0/results`)
  assert.deepEqual(first.json.results, [{ content: { n: 4 } }])
})

import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import Type from 'typebox'
import { registerOperation } from '../../src/http/route.ts'
import { startServer } from './support.ts'

const Numbers = Type.Object({ items: Type.Array(Type.Unknown()), total: Type.Integer() })
const get = (path: string) => ({ name: 'test', service: 'krull', method: 'GET', path, ours: true }) as const

const server = await startServer({
  failing: { krull: 'no browser was found' },
  routes: [
    app => {
      registerOperation(app, 'needsKrull', get('/test/krull'), {
        schema: { response: { 200: Numbers } },
        handler: () => ({ items: [], total: 0 }),
      })
    },
  ],
})
const { call, url, key } = server

/** By `node:http`, where the Host header can be any. */
const statusAs = (host: string) =>
  new Promise<number>((resolve, reject) => {
    httpRequest(`${url}/healthz`, { headers: { host } }, response => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on('error', reject)
      .end()
  })

test('a key is needed, and is taken as svc or Bearer in any case', async () => {
  const path = '/v1/sirp/services/status'
  const none = await call('GET', path, { key: null })
  assert.equal(none.status, 401)
  assert.equal(none.headers.get('www-authenticate'), 'svc')
  assert.equal(none.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(none.json.code, 'unauthorized')
  for (const scheme of ['svc', 'SVC', 'Bearer', 'bearer'])
    assert.equal(
      (await call('GET', path, { key: null, headers: { authorization: `${scheme} ${key}` } })).status,
      200,
    )
  const wrong = [
    `Basic ${key}`,
    key,
    'svc',
    'svc ',
    `svc ${key}x`,
    `svc ${key} x`,
    'svc x',
    `svc ${'x'.repeat(5000)}`,
  ]
  const answers = await Promise.all(
    wrong.map(authorization => call('GET', path, { key: null, headers: { authorization } })),
  )
  for (const answer of answers) {
    assert.equal(answer.status, 401)
    assert.equal(answer.json.detail, none.json.detail)
  }
})

test('a deleted key is void at once', async () => {
  const made = await call('POST', '/v1/secrets/apikeys')
  assert.equal((await call('GET', '/metrics', { key: made.json.key })).status, 200)
  await call('DELETE', `/v1/secrets/apikeys/${made.json.id}`)
  assert.equal((await call('GET', '/metrics', { key: made.json.key })).status, 401)
})

test('exactly the listed routes are open', async () => {
  for (const path of [
    '/',
    '/favicon.svg',
    '/healthz',
    '/readyz',
    '/docs',
    '/docs/errors',
    '/docs/scalar.js',
    '/v1/openapi.json',
  ])
    assert.equal((await call('GET', path, { key: null })).status, 200, path)
  for (const path of ['/metrics', '/v1/secrets/apikeys', '/nothing', '/v1/openapi.json/x'])
    assert.equal((await call('GET', path, { key: null })).status, 401, path)
})

test('whoever opens an address in a browser gets the web application, under a strict policy', async () => {
  const visit = (path: string) => call('GET', path, { key: null, headers: { accept: 'text/html,*/*' } })
  const pages = await Promise.all(['/', '/sign-in', '/queries/1', '/nothing'].map(visit))
  for (const { status, headers, text } of pages) {
    assert.equal(status, 200)
    assert.match(headers.get('content-type')!, /^text\/html/)
    const policy = headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='/)
    assert.doesNotMatch(policy, /unsafe/)
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
    assert.ok(text.includes(`content="${nonce}"`))
  }
  const policies = new Set(pages.map(({ headers }) => headers.get('content-security-policy')))
  assert.equal(policies.size, pages.length)
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(pages[0]!.text)![1]!
  const asset = await call('GET', script, { key: null })
  assert.equal(asset.status, 200)
  assert.match(asset.headers.get('cache-control')!, /immutable/)
  for (const path of ['/v1/nothing', '/assets/nothing.js', '/docs/nothing'])
    assert.equal((await visit(path)).status, 401, path)
})

test('the Host header must be one of our names', async () => {
  for (const host of [
    'localhost',
    'LOCALHOST:1968',
    '127.0.0.1:1',
    '[::1]:1968',
    'forage.example',
    'forage.example.:80',
  ])
    assert.equal(await statusAs(host), 200, host)
  for (const host of ['evil.example', 'localhost.evil.example', '10.1.2.3', 'forage.example.evil'])
    assert.equal(await statusAs(host), 403, host)
  const missing = await server.raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.match(missing, /^HTTP\/1.1 400 .*"code":"malformed_request"/s)
})

test('X-Request-Id is on every answer; a sane one is kept', async () => {
  const made = await call('GET', '/healthz')
  assert.match(made.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
  const kept = await call('GET', '/nothing', { headers: { 'x-request-id': 'trace-1.a:b' } })
  assert.equal(kept.headers.get('x-request-id'), 'trace-1.a:b')
  assert.equal(kept.json.requestId, 'trace-1.a:b')
  const odd = await call('GET', '/healthz', { headers: { 'x-request-id': 'a b"<script>' } })
  assert.match(odd.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
})

test('unknown routes are 404, known ones with another method 405 with Allow', async () => {
  const unknown = await call('GET', '/v1/nothing')
  assert.equal(unknown.status, 404)
  assert.equal(unknown.json.code, 'no_such_route')
  const method = await call('PUT', '/v1/secrets/apikeys')
  assert.equal(method.status, 405)
  assert.equal(method.headers.get('allow'), 'GET, HEAD, POST')
  assert.equal(method.json.code, 'method_not_allowed')
  const bad = await call('GET', '/v1/%zz')
  assert.equal(bad.status, 400)
  assert.equal(bad.json.code, 'malformed_request')
  assert.ok(bad.headers.get('x-request-id'))
})

test('query parameters are read as the schema says, and refused by name', async () => {
  const page = await call('GET', '/v1/secrets/apikeys?offset=0&limit=1')
  assert.equal(page.status, 200)
  assert.equal(page.json.items.length, 1)
  assert.deepEqual(Object.keys(page.json), ['items', 'total', 'offset', 'limit'])
  const usual = await call('GET', '/v1/secrets/apikeys')
  assert.equal(usual.json.offset, 0)
  assert.equal(usual.json.limit, 100)
  assert.equal((await call('GET', '/v1/secrets/apikeys?limit=1000')).status, 200)
  for (const [query, path] of [
    ['limit=1001', '$.limit'],
    ['limit=-1', '$.limit'],
    ['limit=1.7', '$.limit'],
    ['limit=', '$.limit'],
    ['limit=1&limit=2', '$.limit'],
    ['limit=0x10', '$.limit'],
    ['ofset=1', '$.ofset'],
  ]) {
    const answer = await call('GET', `/v1/secrets/apikeys?${query}`)
    assert.equal(answer.status, 400, query)
    assert.deepEqual([answer.json.errors[0].path, answer.json.errors[0].in], [path, 'query'])
  }
})

test('creating answers 201 with Location, deleting 204, deleting twice 404', async () => {
  const made = await call('POST', '/v1/secrets/apikeys', { body: { name: 'ci' } })
  assert.equal(made.status, 201)
  const location = made.headers.get('location')!
  assert.equal(location, `/v1/secrets/apikeys/${made.json.id}`)
  const read = await call('GET', location)
  assert.equal(read.json.name, 'ci')
  assert.equal('key' in read.json, false)
  assert.equal(
    (await call('POST', '/v1/secrets/apikeys/verify', { body: { key: made.json.key } })).json.valid,
    true,
  )
  const gone = await call('DELETE', location)
  assert.deepEqual([gone.status, gone.text], [204, ''])
  assert.equal((await call('DELETE', location)).status, 404)
  assert.equal((await call('GET', location)).json.code, 'not_found')
  assert.equal(
    (await call('POST', '/v1/secrets/apikeys/verify', { body: { key: made.json.key } })).json.valid,
    false,
  )
  assert.equal((await call('GET', '/v1/secrets/apikeys/not-a-uuid')).status, 400)
})

test('records carry an ETag; If-None-Match answers 304, If-Match guards', async () => {
  const { json } = await call('POST', '/v1/secrets/apikeys')
  const path = `/v1/secrets/apikeys/${json.id}`
  const etag = (await call('GET', path)).headers.get('etag')!
  assert.match(etag, /^"[\w-]{27}"$/)
  for (const tag of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
    const same = await call('GET', path, { headers: { 'if-none-match': tag } })
    assert.deepEqual([same.status, same.text], [304, ''], tag)
  }
  assert.equal((await call('GET', path, { headers: { 'if-none-match': '"x"' } })).status, 200)
  const changed = await call('DELETE', path, { headers: { 'if-match': '"x"' } })
  assert.deepEqual([changed.status, changed.json.code], [412, 'changed_meanwhile'])
  assert.equal((await call('DELETE', path, { headers: { 'if-match': etag } })).status, 204)
})

test('keys are in no log line', async () => {
  await call('POST', '/v1/secrets/apikeys/verify', { body: { key: 'forage_planted-key' } })
  await call('GET', '/v1/secrets/apikeys', { key: 'forage_planted-key' })
  assert.equal(server.logged.filter(line => line.includes(key) || line.includes('planted')).length, 0)
})

test('services: all ten, one, licenses, restart; a failed one says why', async () => {
  const all = await call('GET', '/v1/sirp/services/status')
  assert.equal(all.json.items.length, 10)
  const krull = await call('GET', '/v1/sirp/services/krull/status')
  assert.deepEqual([krull.json.status, krull.json.detail], ['failed', 'no browser was found'])
  assert.equal((await call('GET', '/v1/sirp/services/nobody/status')).status, 400)
  assert.equal((await call('GET', '/v1/sirp/services/license')).json.items.length, 10)
  for (const path of [
    '/v1/sirp/restart',
    '/v1/gonogo/restart',
    '/v1/screenshot/restart',
    '/v1/krull/restart',
  ])
    assert.equal((await call('POST', path)).status, 202, path)
  const restarted = await call('POST', '/v1/sirp/services/jobs/restart', { body: {} })
  assert.deepEqual([restarted.status, restarted.json], [202, { service: 'jobs', status: 'starting' }])
  assert.equal((await call('GET', '/v1/sirp/services/jobs/status')).json.restarts, 1)
})

test('an operation of a service that does not run is 503 with Retry-After', async () => {
  const answer = await call('GET', '/test/krull')
  assert.deepEqual([answer.status, answer.json.code], [503, 'service_unavailable'])
  assert.equal(answer.headers.get('retry-after'), '1')
})

test('metrics are Prometheus text by route', async () => {
  await call('GET', '/v1/sirp/services/sirp/status')
  const { text, headers } = await call('GET', '/metrics')
  assert.match(headers.get('content-type')!, /^text\/plain/)
  assert.match(
    text,
    /forage_http_requests_total\{method="GET",route="\/v1\/sirp\/services\/:service\/status",status="200"\} \d/,
  )
  assert.match(text, /process_cpu_seconds_total/)
})

test('ready only while sirp runs', async () => {
  const failing = await startServer({ failing: { sirp: 'broken' } })
  const answer = await failing.call('GET', '/readyz', { key: null })
  assert.deepEqual([answer.status, answer.json.code], [503, 'not_ready'])
  assert.equal((await failing.call('GET', '/healthz', { key: null })).status, 200)
})

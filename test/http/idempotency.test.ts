import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { ForageError } from '../../src/errors.ts'
import { registerOperation } from '../../src/http/route.ts'
import { jsonWithItems, streamJson } from '../../src/http/streams.ts'
import { fields } from '../../src/services/fields.ts'
import { startServer } from './support.ts'

const Run = fields({ run: Type.Integer() })
const Rows = fields({ rows: Type.Array(Type.String()), run: Type.Integer() })
const post = (path: string) => ({ name: 'test', service: 'sirp', method: 'POST', path, ours: true }) as const

let runs = 0
let gate = Promise.resolve()
const server = await startServer({
  routes: [
    app => {
      registerOperation(app, 'runs', post('/test/runs'), {
        schema: { body: fields({ fail: Type.Optional(Type.Boolean()) }), response: { 201: Run } },
        handler: async (request, reply) => {
          const run = ++runs
          await gate
          if (request.body.fail) throw new ForageError('name_taken', 'taken')
          return reply
            .code(201)
            .headers({ location: `/test/runs/${run}`, etag: `"${run}"` })
            .send({ run })
        },
      })
      registerOperation(app, 'streamedRuns', post('/test/streams'), {
        schema: { querystring: fields({ rows: Type.Integer() }), response: { 200: Rows } },
        handler: (request, reply) => {
          const texts = Array.from({ length: request.query.rows }, () => JSON.stringify('x'.repeat(1000)))
          reply.header('location', '/test/there')
          return streamJson(reply, jsonWithItems('rows', texts, { run: ++runs }))
        },
      })
    },
  ],
})
const withKey = (key: string) => ({ 'idempotency-key': key })

test('the same request under the same key is done once and answered as the first time', async () => {
  const before = runs
  const first = await server.call('POST', '/test/runs', { body: {}, headers: withKey('a') })
  const second = await server.call('POST', '/test/runs', { body: {}, headers: withKey('a') })
  assert.equal(runs, before + 1)
  assert.deepEqual([second.status, second.text], [201, first.text])
  for (const name of ['location', 'etag', 'content-type'])
    assert.equal(second.headers.get(name), first.headers.get(name))
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
  await server.call('POST', '/test/runs', { body: {}, headers: withKey('another') })
  assert.equal(runs, before + 2)
})

test('with another body or address it is 409', async () => {
  await server.call('POST', '/test/runs', { body: {}, headers: withKey('b') })
  const body = await server.call('POST', '/test/runs', { body: { fail: false }, headers: withKey('b') })
  assert.deepEqual([body.status, body.json.code], [409, 'idempotency_conflict'])
  const route = await server.call('POST', '/v1/sirp/restart', { body: {}, headers: withKey('b') })
  assert.deepEqual([route.status, route.json.code], [409, 'idempotency_conflict'])
})

test('while the first still runs it is 409 with Retry-After, then the answer', async () => {
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  const before = runs
  const first = server.call('POST', '/test/runs', { body: {}, headers: withKey('c') })
  while (runs === before) await new Promise(resolve => setImmediate(resolve))
  const early = await server.call('POST', '/test/runs', { body: {}, headers: withKey('c') })
  assert.deepEqual([early.status, early.json.code], [409, 'idempotency_in_progress'])
  assert.equal(early.headers.get('retry-after'), '1')
  opened.resolve()
  const { text } = await first
  assert.equal((await server.call('POST', '/test/runs', { body: {}, headers: withKey('c') })).text, text)
  assert.equal(runs, before + 1)
})

test('a failure, and a request that was not valid, leave the key free', async () => {
  const before = runs
  const failing = { body: { fail: true }, headers: withKey('d') }
  assert.equal((await server.call('POST', '/test/runs', failing)).status, 409)
  assert.equal(
    (await server.call('POST', '/test/runs', { body: { x: 1 }, headers: withKey('d') })).status,
    400,
  )
  assert.equal((await server.call('POST', '/test/runs', { body: {}, headers: withKey('d') })).status, 201)
  assert.equal(runs, before + 2)
})

test('keys of two callers have nothing to do with each other', async () => {
  const other = await server.keys.create('other')
  const mine = await server.call('POST', '/test/runs', { body: {}, headers: withKey('e') })
  const theirs = await server.call('POST', '/test/runs', { body: {}, headers: withKey('e'), key: other.key })
  assert.notEqual(theirs.json.run, mine.json.run)
})

test('an API key that is shown once is not shown again, and not kept', async () => {
  const first = await server.call('POST', '/v1/secrets/apikeys', {
    body: { name: 'x' },
    headers: withKey('f'),
  })
  const second = await server.call('POST', '/v1/secrets/apikeys', {
    body: { name: 'x' },
    headers: withKey('f'),
  })
  const { key, ...rest } = first.json
  assert.match(key, /^forage_/)
  assert.equal(second.status, 201)
  assert.deepEqual(second.json, rest)
  const kept = await server.catalog.db.selectFrom('idempotency').select('body').execute()
  assert.equal(kept.filter(row => row.body?.includes(key)).length, 0)
})

test('a deletion is repeated as 204', async () => {
  const { json } = await server.call('POST', '/v1/secrets/apikeys')
  const path = `/v1/secrets/apikeys/${json.id}`
  assert.equal((await server.call('DELETE', path, { headers: withKey('g') })).status, 204)
  assert.equal((await server.call('DELETE', path, { headers: withKey('g') })).status, 204)
  assert.equal((await server.call('DELETE', path)).status, 404)
})

test('a streamed answer is repeated, one that is too large to keep says where to look', async () => {
  const small = await server.call('POST', '/test/streams?rows=100', { headers: withKey('h') })
  const again = await server.call('POST', '/test/streams?rows=100', { headers: withKey('h') })
  assert.equal(again.text, small.text)
  const before = runs
  await server.call('POST', '/test/streams?rows=5000', { headers: withKey('i') })
  const large = await server.call('POST', '/test/streams?rows=5000', { headers: withKey('i') })
  assert.deepEqual([large.status, large.json.code], [409, 'idempotency_not_kept'])
  assert.match(large.json.detail, /\/test\/there/)
  assert.equal(runs, before + 1)
})

test('a key must be sane, and counts for nothing on a reading request', async () => {
  const odd = await server.call('POST', '/test/runs', { body: {}, headers: withKey('x'.repeat(256)) })
  assert.deepEqual([odd.status, odd.json.errors[0].in], [400, 'header'])
  for (const path of ['/v1/secrets/apikeys', '/v1/sirp/services/status'])
    assert.equal((await server.call('GET', path, { headers: withKey('j') })).status, 200)
})

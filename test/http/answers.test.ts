import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Type from 'typebox'
import { ForageError } from '../../src/errors.ts'
import { registerOperation } from '../../src/http/route.ts'
import { jsonWithItems, sendTexts, streamJson } from '../../src/http/streams.ts'
import { fields } from '../../src/services/fields.ts'
import { startServer } from './support.ts'

const Numbers = Type.Object({ items: Type.Array(Type.Unknown()), total: Type.Integer() })
const get = (path: string) => ({ name: 'test', service: 'sirp', method: 'GET', path, ours: true }) as const

const server = await startServer({
  routes: [
    app => {
      registerOperation(app, 'fails', get('/test/fails'), {
        schema: { response: { 200: Numbers } },
        handler: () => {
          throw new Error('the password is hunter2')
        },
      })
      registerOperation(app, 'full', get('/test/full'), {
        schema: { response: { 200: Numbers } },
        handler: () => {
          throw Object.assign(new Error('write'), { code: 'ENOSPC' })
        },
      })
      registerOperation(app, 'streams', get('/test/streams/{rows}'), {
        schema: {
          params: fields({ rows: Type.Integer() }),
          querystring: fields({ breakAt: Type.Integer({ default: -1 }) }),
          response: { 200: Numbers },
        },
        handler: (request, reply) =>
          streamJson(
            reply,
            jsonWithItems('items', rows(request.params.rows, request.query.breakAt), { total: 7 }),
          ),
      })
      registerOperation(app, 'events', get('/test/events'), {
        schema: { response: { 200: Type.Unknown() } },
        handler: (_request, reply) =>
          sendTexts(reply, 'text/event-stream', [`data: "${'x'.repeat(5000)}"\n\n`]),
      })
    },
  ],
})
const { call, url, key } = server

async function* rows(count: number, breakAt: number): AsyncGenerator<string> {
  for (let row = 0; row < count; row++) {
    if (row === breakAt) throw new ForageError('expired', 'The rows are gone.')
    yield `{"id": ${row}, "big": 12345678901234567890}`
  }
}

test('what goes wrong inside is 500 without a word of it; the log has it under the request id', async () => {
  const answer = await call('GET', '/test/fails')
  assert.deepEqual([answer.status, answer.json.code], [500, 'internal_error'])
  assert.doesNotMatch(answer.text, /hunter2|\.ts|at /)
  const line = server.logged.find(text => text.includes('hunter2'))
  assert.equal(JSON.parse(line!).requestId, answer.json.requestId)
  const full = await call('GET', '/test/full')
  assert.deepEqual([full.status, full.json.code], [507, 'disk_full'])
})

test('answers are compressed when asked for, streams too, events never', async () => {
  const bytes = async (path: string, encoding: string) => {
    const { promise, resolve } = Promise.withResolvers<{ encoding: string | undefined; body: Buffer }>()
    const headers = { authorization: `svc ${key}`, 'accept-encoding': encoding }
    httpRequest(url + path, { headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
      )
    }).end()
    return promise
  }
  const list = await bytes('/v1/sirp/services/status', 'gzip')
  assert.equal(list.encoding, 'gzip')
  assert.equal(JSON.parse(gunzipSync(list.body).toString()).items.length, 10)
  const stream = await bytes('/test/streams/2000', 'br')
  assert.equal(stream.encoding, 'br')
  assert.equal(JSON.parse(brotliDecompressSync(stream.body).toString()).items.length, 2000)
  assert.equal((await bytes('/test/streams/2000', 'identity')).encoding, undefined)
  assert.equal((await bytes('/test/events', 'gzip')).encoding, undefined)
})

test('prebuilt JSON passes through unparsed; a failure is a problem before the first byte, a broken end after it', async () => {
  const answer = await call('GET', '/test/streams/2')
  assert.equal(
    answer.text,
    '{"items":[{"id": 0, "big": 12345678901234567890},{"id": 1, "big": 12345678901234567890}],"total":7}',
  )
  assert.equal((await call('GET', '/test/streams/0')).text, '{"items":[],"total":7}')
  const early = await call('GET', '/test/streams/5?breakAt=0')
  assert.deepEqual([early.status, early.json.code], [410, 'expired'])
  await assert.rejects(call('GET', '/test/streams/100000?breakAt=50000'))
})

test('answers cannot be sniffed, framed or cached, and the reference page loads only from here', async () => {
  const { headers } = await call('GET', '/v1/sirp/services/status')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.match(headers.get('content-security-policy')!, /default-src 'none'.*frame-ancestors 'none'/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('access-control-allow-origin'), null)
  const page = await call('GET', '/docs', { key: null })
  assert.match(page.headers.get('content-security-policy')!, /script-src 'self';/)
  assert.doesNotMatch(page.text, /https?:/)
  assert.match((await call('GET', '/docs/scalar.js', { key: null })).text, /api-reference/)
})

test('while it stops, what runs is finished and what comes then is 503', async () => {
  const gate = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const stopping = await startServer({
    routes: [
      app =>
        registerOperation(app, 'waits', get('/test/waits'), {
          schema: { response: { 200: Numbers } },
          handler: async () => {
            started.resolve()
            await gate.promise
            return { items: [], total: 0 }
          },
        }),
    ],
  })
  const asked = `GET /test/waits HTTP/1.1\r\nHost: localhost\r\nAuthorization: svc ${stopping.key}\r\n\r\n`
  const socket = connect(stopping.port, '127.0.0.1', () => socket.write(asked))
  let received = ''
  socket.setEncoding('utf8').on('data', text => {
    received += text
  })
  await started.promise
  const closed = stopping.app.close()
  stopping.app.server.on('request', () => gate.resolve())
  socket.write(asked)
  await Promise.all([closed, once(socket, 'close')])
  assert.match(received, /^HTTP\/1.1 200 .*HTTP\/1.1 503 .*"code":"not_ready"/s)
})

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import Type from 'typebox'
import { ForageError } from '../../src/errors.ts'
import { bodyLimitOf } from '../../src/http/body-limits.ts'
import { parseJsonBody } from '../../src/http/json-body.ts'
import { registerOperation } from '../../src/http/route.ts'
import { fields } from '../../src/services/fields.ts'
import { startServer } from './support.ts'

const CHARACTERS = 1_048_576
const Expression = Type.String({ minLength: 1, maxLength: CHARACTERS })
const Session = fields({
  url: Type.String({ pattern: '^https?://' }),
  expression: Type.Union([Expression, Type.Array(Expression, { maxItems: 100 })]),
  retry: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
  ready: Type.Optional(Type.Enum(['idle', 'net2'])),
  wait: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  headers: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  args: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
})
const Length = fields({ length: Type.Integer() })
const lengthOf = (text: string) => ({ length: [...text].length })
const operation = (method: 'GET' | 'POST', path: string) =>
  ({ name: 'test', service: 'sirp', method, path, ours: true }) as const

let handled = 0
const server = await startServer({
  routes: [
    app => {
      registerOperation(app, 'session', operation('POST', '/test/session'), {
        schema: { body: Session, response: { 200: Length } },
        handler: request => {
          handled++
          return lengthOf([request.body.expression].flat().join(''))
        },
      })
      registerOperation(app, 'small', operation('POST', '/test/small'), {
        schema: {
          body: fields({ text: Type.Optional(Type.String({ maxLength: 10 })) }),
          response: { 200: Length },
        },
        handler: request => lengthOf(request.body.text ?? ''),
      })
      registerOperation(app, 'named', operation('GET', '/test/named/{name}'), {
        schema: {
          params: fields({ name: Type.String({ minLength: 1, maxLength: 1000 }) }),
          querystring: fields({ selector: Type.Optional(Expression) }),
          response: { 200: Length },
        },
        handler: request => lengthOf(request.query.selector ?? request.params.name),
      })
    },
  ],
})
const { call, raw, key } = server
const url = 'https://a.example'
const post = (body: string, extra = '') =>
  `POST /test/session HTTP/1.1\r\nHost: localhost\r\nAuthorization: svc ${key}\r\nContent-Type: application/json\r\n${extra}\r\n${body}`

test('every bad field is listed by its path, and nothing is converted or dropped', async () => {
  const body = {
    url: 'ftp://x',
    expression: [''],
    retry: '1',
    ready: 'soon',
    wait: true,
    hedaers: {},
    'a b': 1,
    args: {},
  }
  const { status, json } = await call('POST', '/test/session', { body })
  assert.deepEqual([status, json.code], [400, 'invalid_request'])
  assert.deepEqual(
    json.errors.map(({ path, message }: { path: string; message: string }) => `${path} ${message}`).sort(),
    [
      '$.args must be an array',
      '$.expression[0] must have at least 1 character',
      '$.hedaers is not known here; did you mean "headers"?',
      '$.ready must be one of idle, net2',
      '$.retry must be an integer',
      '$.url must match ^https?://',
      '$.wait must be a string or an integer',
      '$["a b"] is not known here; known are url, expression, retry, ready, wait, headers, args',
    ],
  )
  const empty = await call('POST', '/test/session', { body: {} })
  assert.deepEqual(
    empty.json.errors.map((error: { path: string }) => error.path),
    ['$.url', '$.expression'],
  )
  for (const wrong of [null, [], 'text', 3]) {
    const answer = await call('POST', '/test/session', { body: JSON.stringify(wrong) })
    assert.deepEqual(
      [answer.status, answer.json.errors],
      [400, [{ path: '$', message: 'must be an object', in: 'body' }]],
    )
  }
})

test('a value is never repeated in an error: it may be a secret', async () => {
  const { text } = await call('POST', '/v1/secrets/apikeys/verify', { body: { key: { hidden: 'hunter2' } } })
  assert.doesNotMatch(text, /hunter2/)
})

test('bad JSON is 400 with line, column and offset', async () => {
  for (const [body, line, column, offset] of [
    ['{"url": "x",}', 1, 13, 12],
    ['{\n  "url": x\n}', 2, 10, 11],
    ['{"ä": "😀" "b"}', 1, 12, 11],
    ['[1, 2', 1, 6, 5],
    ['{"a": "b\nc"}', 1, 9, 8],
    ['{"a": "\\x"}', 1, 8, 7],
    ['{} {}', 1, 4, 3],
    ['{"a": 01}', 1, 7, 6],
    ['{"a": "never closed}', 1, 7, 6],
    ['\ufeff{}', 1, 1, 0],
  ] as const) {
    const { status, json } = await call('POST', '/test/session', { body })
    assert.deepEqual([status, json.code], [400, 'invalid_json'], body)
    const { line: l, column: c, offset: o } = json.errors[0]
    assert.deepEqual([l, c, o], [line, column, offset], `${body}: ${json.detail}`)
  }
  const latin = await call('POST', '/test/session', { body: Buffer.from('{"a": "\xe9"}', 'latin1') })
  assert.deepEqual([latin.status, latin.json.errors[0].offset], [400, 7])
})

test('a body that nests too deeply, or plants a prototype, is refused', async () => {
  const deep = await call('POST', '/test/session', { body: `{"args":${'['.repeat(100_000)}` })
  assert.match(deep.json.detail, /deeper than 500/)
  const fits = `{"url":"${url}","expression":"1","args":${'['.repeat(499)}${']'.repeat(499)}}`
  assert.equal((await call('POST', '/test/session', { body: fits })).status, 200)
  for (const name of ['__proto__', '\\u005f_proto__']) {
    const body = `{"url":"${url}","expression":"1","headers":{"a":[{"${name}":{"admin":true}}]}}`
    const answer = await call('POST', '/test/session', { body })
    assert.deepEqual([answer.status, answer.json.errors[0].path], [400, '$.headers.a[0].__proto__'])
  }
})

test('an empty body is fine where nothing is required, and any other is checked', async () => {
  assert.equal((await call('POST', '/test/small')).status, 200)
  assert.equal((await call('POST', '/test/small', { body: '' })).status, 200)
  assert.equal((await call('POST', '/test/session')).status, 400)
  const restart = await call('POST', '/v1/sirp/restart', { body: { now: true } })
  assert.deepEqual([restart.status, restart.json.errors[0].path], [400, '$.now'])
})

test('anything but JSON in UTF-8 is 415', async () => {
  for (const type of [
    'text/plain',
    'application/xml',
    'application/jsonp',
    'application/json; charset=latin1',
    'nonsense',
  ]) {
    const answer = await call('POST', '/test/small', { body: '{}', headers: { 'content-type': type } })
    assert.deepEqual([answer.status, answer.json.code], [415, 'wrong_media_type'], type)
  }
  for (const type of ['application/json', 'Application/JSON; charset="UTF-8"'])
    assert.equal(
      (await call('POST', '/test/small', { body: '{}', headers: { 'content-type': type } })).status,
      200,
      type,
    )
  const untyped = await raw(
    `POST /test/small HTTP/1.1\r\nHost: localhost\r\nAuthorization: svc ${key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
  )
  assert.match(untyped, /^HTTP\/1.1 415 .*wrong_media_type/s)
})

test('a compressed body is taken, a bomb is 413, nonsense is 400, an unknown encoding 415', async () => {
  const send = (body: Buffer, encoding: string) =>
    call('POST', '/test/small', { body, headers: { 'content-encoding': encoding } })
  assert.equal((await send(gzipSync('{"text":"abc"}'), 'gzip')).json.length, 3)
  assert.equal((await send(gzipSync(Buffer.alloc(50 * 1024 * 1024, 32)), 'gzip')).status, 413)
  assert.equal((await send(Buffer.from('not gzip'), 'gzip')).status, 400)
  assert.equal((await send(Buffer.from('{}'), 'zip')).status, 415)
})

test('every legal size fits: the longest expression in any spelling', async () => {
  const spellings = { plain: 'x', bytes: '😀', escapes: '\\ud83d\\ude00' }
  for (const [name, character] of Object.entries(spellings)) {
    const body = `{"url":"${url}","expression":"${character.repeat(CHARACTERS)}"}`
    const answer = await call('POST', '/test/session', { body })
    assert.deepEqual([answer.status, answer.json], [200, { length: CHARACTERS }], name)
  }
  const tooLong = await call('POST', '/test/session', {
    body: { url, expression: 'x'.repeat(CHARACTERS + 1) },
  })
  assert.deepEqual([tooLong.status, tooLong.json.errors[0].path], [400, '$.expression'])
})

test('limits follow from the schema: a session of a hundred expressions fits, in escapes too', () => {
  const usual = 8 * 1024 * 1024
  assert.ok(bodyLimitOf(Session, usual) > 100 * CHARACTERS * 12)
  assert.equal(bodyLimitOf(fields({ name: Type.String({ maxLength: 10 }) }), usual), usual)
  assert.equal(bodyLimitOf(undefined, usual), usual)
})

test('a body beyond the longest JavaScript text is read piece by piece to the same value', () => {
  const value = { a: [1, -2.5e3, true, false, null, 'ü "q" \\ 😀'], b: {}, c: [], 'd\n': [{ e: '' }] }
  for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)])
    assert.deepEqual(parseJsonBody(Buffer.from(text), 10), value)
  assert.throws(() => parseJsonBody(Buffer.from('{"abcdefghijk": tru}'), 10), ForageError)
})

test('an oversized body is 413, announced or not, and the client gets to read it', async () => {
  const limit = 1024 * 1024
  const announced = await call('POST', '/test/small', { body: 'x'.repeat(limit + 1) })
  assert.deepEqual([announced.status, announced.json.code], [413, 'too_large'])
  assert.match(announced.json.detail, /1048576 bytes/)
  const chunk = `${limit.toString(16)}\r\n${'x'.repeat(limit)}\r\n`
  const streamed = await raw(
    `POST /test/small HTTP/1.1\r\nHost: localhost\r\nAuthorization: svc ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
  )
  assert.match(streamed, /^HTTP\/1.1 413 .*too_large/s)
})

test('without a key the body is not even looked at', async () => {
  const answer = await call('POST', '/test/session', { body: '{bad', key: null })
  assert.equal(answer.status, 401)
})

test('a truncated body is answered 400, or dropped with the connection, and never handled', async () => {
  const before = handled
  const half = '{"url":"https://a.example","expression":"1"}'.slice(0, 20)
  const answered = await raw(post(half, 'Content-Length: 44\r\n'), { end: true })
  assert.match(answered, /^HTTP\/1.1 400 .*"code":"malformed_request"/s)
  await new Promise<void>(resolve => {
    const socket = connect(server.port, '127.0.0.1', () => {
      socket.write(post(half, 'Content-Length: 44\r\n'), () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  assert.equal((await call('GET', '/healthz')).status, 200)
  assert.equal(handled, before)
})

test('garbage is a problem too, and spoils nothing that was asked before it', async () => {
  assert.match(
    await raw('\x16\x03\x01\x02\x00nonsense\r\n\r\n'),
    /^HTTP\/1.1 400 .*malformed_request.*requestId/s,
  )
  const get = `GET /v1/sirp/services/sirp/status HTTP/1.1\r\nHost: localhost\r\nAuthorization: svc ${key}\r\n\r\n`
  const answers = await raw(`${get}${get}GARBAGE\r\n\r\n`)
  assert.deepEqual(
    [...answers.matchAll(/HTTP\/1.1 (\d+)/g)].map(match => match[1]),
    ['200', '200', '400'],
  )
  const expectation = await raw(
    'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: cake\r\nConnection: close\r\n\r\n',
  )
  assert.match(expectation, /^HTTP\/1.1 417 .*unsupported_expectation/s)
})

test('long names and long query strings arrive whole; longer than legal is refused', async () => {
  const name = encodeURIComponent('😀'.repeat(1000))
  assert.deepEqual((await call('GET', `/test/named/${name}`)).json, { length: 1000 })
  assert.equal((await call('GET', `/test/named/${'x'.repeat(1001)}`)).status, 400)
  const monstrous = await call('GET', `/test/named/${'x'.repeat(13_000)}`)
  assert.deepEqual([monstrous.status, monstrous.json.code], [414, 'address_too_long'])
  assert.equal((await call('GET', '/test/named/a%2F..%2Fb')).json.length, 6)
  const selector = '%F0%9F%98%80'.repeat(CHARACTERS)
  const asked = await raw(
    `GET /test/named/x?selector=${selector} HTTP/1.1\r\nHost: localhost\r\nAuthorization: svc ${key}\r\nConnection: close\r\n\r\n`,
  )
  assert.match(asked, /^HTTP\/1.1 200 .*"length":1048576/s)
  const overflow = await raw(`GET /?${'x'.repeat(17 * 1024 * 1024)} HTTP/1.1\r\n\r\n`).catch(
    error => error.code,
  )
  assert.match(overflow, /^HTTP\/1.1 431 .*headers_too_large|EPIPE|ECONNRESET/s)
})

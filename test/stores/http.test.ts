import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forage } from '../support/service.ts'
import { receiver, rowsIn } from './receiver.ts'

const server = await forage()
const stores = '/v1/secrets/stores'

async function makeStore(name: string, configuration: object, more: object = {}): Promise<void> {
  const body = { type: 'http', config: { store: { name }, configuration, ...more } }
  const answer = await server.call('POST', stores, { body })
  assert.equal(answer.status, 201, answer.text)
}

test('rows arrive in batches, in order, with a key that tells each batch, in every format', async () => {
  for (const format of ['ndjson', 'json', 'row']) {
    const target = await receiver()
    await makeStore(`to-${format}`, { url: `${target.url}/{name}`, format, batch: 4 })
    const { json } = await server.query(`range 1 10 n || freeze "a b" --store to-${format}`)
    assert.equal(json.status, 'completed', JSON.stringify(json.error))
    assert.equal(json.results.length, 10, 'the rows go on')
    assert.deepEqual(
      target.rows(),
      Array.from({ length: 10 }, (_, index) => ({ n: index + 1 })),
    )
    assert.equal(target.requests.length, format === 'row' ? 10 : 3)
    assert.ok(target.requests.every(request => request.path === '/a%20b'))
    const keys = target.requests.map(request => request.headers['idempotency-key'])
    assert.equal(new Set(keys).size, keys.length)
    assert.ok(keys.every(key => String(key).startsWith(`${json.id}.1.`)))
  }
})

test('a long integer and a missing value leave as they are', async () => {
  const target = await receiver()
  await makeStore('exact', { url: target.url })
  await server.query('seed [{id: 9007199254740993, a: {b: [1]}}, {id: 2}] || freeze --store exact')
  assert.equal(target.requests[0]!.body, '{"id":9007199254740993,"a":{"b":[1]}}\n{"id":2}\n')
})

test('only what can succeed later is tried again, and of a batch only the rows that failed', async () => {
  const target = await receiver()
  await makeStore('partly', { url: target.url, batch: 5, refusals: 1 })
  let failures = 0
  target.answer = (request, response) => {
    const rows = rowsIn(request.body) as { n: number }[]
    if (failures++ === 0) return void response.writeHead(503, { 'retry-after': '0' }).end()
    const reasonFor = (n: number) => {
      if (n === 2) return { message: 'two is odd enough' }
      return n === 3 && failures < 4 ? { retryable: true } : undefined
    }
    const rejected = rows.flatMap(({ n }, index) => {
      const reason = reasonFor(n)
      return reason ? [{ index, ...reason }] : []
    })
    response.writeHead(207, { 'content-type': 'application/json' }).end(JSON.stringify({ rejected }))
  }
  const { json } = await server.query('range 1 5 n || freeze --store partly')
  assert.equal(json.status, 'completed', JSON.stringify(json.error))
  assert.deepEqual(
    target.requests.map(request => (rowsIn(request.body) as { n: number }[]).map(({ n }) => n)),
    [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5], [3], [3]],
  )
  assert.equal(target.requests[0]!.headers['idempotency-key'], target.requests[1]!.headers['idempotency-key'])
  assert.notEqual(
    target.requests[1]!.headers['idempotency-key'],
    target.requests[2]!.headers['idempotency-key'],
  )
  assert.equal(json.failedRows, 1)
  assert.match(json.warnings.join(), /partly dead letters/)
  const letters = await server.call('GET', '/v1/sirp/cellar/files/partly%20dead%20letters')
  assert.equal(letters.status, 200, letters.text)
  const [letter] = letters.json.results
  assert.deepEqual([letter.content.row, letter.content.error], [{ n: 2 }, 'two is odd enough'])
  const { json: store } = await server.call('GET', `${stores}/partly`)
  assert.deepEqual([store.deliveries, store.rows, store.refused], [1, 4, 1])
})

test('a batch that is too large is split; a row that is too large alone is refused', async () => {
  const target = await receiver()
  await makeStore('small', { url: target.url, batch: 8, refusals: 1 })
  target.answer = (request, response) => {
    const rows = rowsIn(request.body) as { n: number }[]
    response.writeHead(rows.length > 2 || rows.some(({ n }) => n === 5) ? 413 : 204).end()
  }
  const { json } = await server.query('range 1 8 n || freeze --store small')
  assert.equal(json.status, 'completed', JSON.stringify(json.error))
  assert.equal(json.failedRows, 1)
  assert.deepEqual(
    (target.rows() as { n: number }[]).map(({ n }) => n),
    [1, 2, 3, 4, 6, 7, 8],
  )
})

test('a store that refuses nearly everything stops the delivery, and says so', async () => {
  const target = await receiver()
  await makeStore('picky', { url: target.url, batch: 50, refusals: 0.1 })
  target.answer = (_request, response) => void response.writeHead(422).end('no')
  const { json } = await server.query('range 1 1000 n || freeze --store picky')
  assert.equal(json.status, 'failed')
  assert.equal(json.error.code, 'delivery_refused')
  assert.equal(target.requests.length, 2, 'after a hundred rows it is clear')
  const { json: store } = await server.call('GET', `${stores}/picky`)
  assert.match(store.lastError.message, /refused 100 of 100/)
})

test('wrong credentials fail at once; the secret is in no answer', async () => {
  const target = await receiver()
  const credentials = { bearer: 'right-secret-token', headers: { 'x-key': 'right-secret-header' } }
  await makeStore('guarded', { url: target.url }, { credentials })
  target.answer = ({ headers }, response) => {
    const isRight =
      headers.authorization === 'Bearer right-secret-token' && headers['x-key'] === 'right-secret-header'
    response.writeHead(isRight ? 204 : 401).end()
  }
  assert.equal((await server.query('range 1 1 n || freeze --store guarded')).json.status, 'completed')
  assert.deepEqual((await server.call('POST', `${stores}/guarded/test`)).json.ok, true)

  const { json: shown, text } = await server.call('GET', `${stores}/guarded`)
  assert.doesNotMatch(text, /right-secret/)
  const config = { ...shown.config, credentials: { ...shown.config.credentials, bearer: 'wrong' } }
  const updated = await server.call('PUT', `${stores}/guarded`, { body: { type: 'http', config } })
  assert.equal(updated.status, 200, updated.text)
  const { json } = await server.query('range 1 1 n || freeze --store guarded')
  assert.equal(json.status, 'failed')
  assert.match(json.error.message, /401/)
  assert.equal((await server.call('POST', `${stores}/guarded/test`)).json.code, 'unauthorized')
  assert.equal(target.requests.at(-1)!.headers['x-key'], 'right-secret-header', 'the mask kept it')
})

test('addresses that may not be reached are not', async () => {
  await makeStore('metadata', { url: 'http://169.254.169.254/latest', patience: 0 })
  const { json } = await server.query('range 1 1 n || freeze --store metadata')
  assert.equal(json.error.code, 'blocked_address')
})

test('thaw gets an address, whatever the format, again when it breaks off, and says what is wrong', async () => {
  const target = await receiver()
  await makeStore('source', { url: `${target.url}/{name}` })
  const bodies: Readonly<Record<string, string>> = {
    '/array': '[{"n":9007199254740993,"o":{"p":[1]}},\n {"n":2}]',
    '/lines': '{"n":9007199254740993,"o":{"p":[1]}}\n{"n":2}\n',
    '/csv': 'n,t\n1,"a, b"\n2,\n',
  }
  let tries = 0
  target.answer = ({ path }, response) => {
    if (path === '/none') return void response.writeHead(204).end()
    if (path === '/busy' && tries++ === 0) return void response.writeHead(503, { 'retry-after': '0' }).end()
    if (path === '/torn' && tries++ === 0) {
      response.writeHead(200).write('{"n":1}\n{"n":')
      return void response.socket?.end()
    }
    const body = bodies[path] ?? (path === '/gone' ? undefined : '{"n":1}\n{"n":2}\n')
    response.writeHead(body === undefined ? 404 : 200).end(body)
  }
  const thawed = async (name: string) => {
    const { text, json } = await server.query(`thaw ${name} --store source`)
    return json.status === 'completed' ? /"results":(.*?),"id"/.exec(text)![1] : json.error.code
  }
  const nested = '[{"content":{"n":9007199254740993,"o":{"p":[1]}}},{"content":{"n":2}}]'
  assert.equal(await thawed('array'), nested)
  assert.equal(await thawed('lines'), nested)
  assert.equal(await thawed('csv'), '[{"content":{"n":1,"t":"a, b"}},{"content":{"n":2}}]')
  assert.equal(await thawed('none'), '[]')
  assert.equal(await thawed('gone'), 'not_found')
  for (const name of ['busy', 'torn']) {
    tries = 0
    assert.equal(await thawed(name), '[{"content":{"n":1}},{"content":{"n":2}}]', name)
    assert.equal(tries, 2)
  }
  assert.equal((await server.query('thaw --store source')).json.error.code, 'no_target')
})

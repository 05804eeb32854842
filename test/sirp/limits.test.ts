import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { forage, type RunningForage } from '../support/service.ts'
import { Gate, json, target } from '../support/target.ts'
import { temporaryFolder } from '../support/temporary.ts'

const dispatch = '/v1/sirp/query/runner/dispatch'
const start = async (server: RunningForage, query: string, more: object = {}): Promise<string> => {
  const { status, json, text } = await server.call('POST', dispatch, {
    body: { query, ...more },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(status, 202, text)
  return json.id
}
const get = async (server: RunningForage, path: string) =>
  (await server.call('GET', `/v1/sirp/queries/${path}`)).json
const done = async (server: RunningForage, id: string) => {
  await server.call('GET', `/v1/sirp/queries/${id}/events`)
  return get(server, id)
}
const statusesOf = (server: RunningForage, ids: readonly string[]) =>
  Promise.all(ids.map(async id => (await get(server, id)).status))

/** Answers only what the gate lets through. */
async function held() {
  const gate = new Gate()
  const slow = await target(async (request, response) => {
    await gate.passed
    json(response, { path: request.url })
  })
  return { gate, slow }
}

test('so many queries run at once; the others wait in order, and can be cancelled there', async () => {
  const server = await forage({ settings: { FORAGE_QUERIES: '2' } })
  const gates = await Promise.all([held(), held(), held(), held(), held()])
  const ids: string[] = []
  // At the same moment, so that they compete for the places; then one after the other, for the order.
  ids.push(...(await Promise.all([0, 1].map(n => start(server, `api get ${gates[n]!.slow.url}/${n}`)))))
  for (const n of [2, 3, 4]) ids.push(await start(server, `api get ${gates[n]!.slow.url}/${n}`))
  await Promise.all([gates[0]!.slow.opened(1), gates[1]!.slow.opened(1)])
  assert.deepEqual(await statusesOf(server, ids), ['running', 'running', 'queued', 'queued', 'queued'])
  assert.equal((await server.call('GET', '/v1/sirp/queries?status=queued')).json.total, 3)
  const cancelled = await server.call('POST', `/v1/sirp/queries/${ids[2]}/cancel`)
  assert.deepEqual([cancelled.status, cancelled.json.status], [202, 'cancelled'])
  gates[0]!.gate.open()
  await gates[3]!.slow.opened(1)
  assert.deepEqual(await statusesOf(server, ids.slice(2)), ['cancelled', 'running', 'queued'])
  for (const { gate } of gates) gate.open()
  for (const id of ids) await done(server, id)
  assert.deepEqual(await statusesOf(server, ids), [
    'completed',
    'completed',
    'cancelled',
    'completed',
    'completed',
  ])
  assert.equal(gates[2]!.slow.requests.length, 0)
})

test('queries that come at the same moment are never more than there are places', async () => {
  const server = await forage({ settings: { FORAGE_QUERIES: '1' } })
  const { gate, slow } = await held()
  const ids = await Promise.all([0, 1, 2, 3].map(n => start(server, `api get ${slow.url}/${n}`)))
  await slow.opened(1)
  assert.deepEqual((await statusesOf(server, ids)).sort(), ['queued', 'queued', 'queued', 'running'])
  gate.open()
  for (const id of ids) assert.equal((await done(server, id)).status, 'completed')
  assert.equal(slow.mostOpen, 1)
})

test('a query that runs longer than its minutes is stopped, also while its jobs are in the queue', async () => {
  const server = await forage({ overrides: { minutes: 0.005 } })
  const { slow } = await held()
  const queries = [
    'range 1 400000000 n || eval h "sha256(text(n))" || stats "max(h) as x"',
    `range 1 500 n || api get ${slow.url}/$n$`,
  ]
  for (const query of queries) {
    const { json: answer } = await server.query(query)
    assert.deepEqual([answer.status, answer.error.code], ['failed', 'timeout'])
    assert.match(answer.error.message, /ran longer than/)
    assert.match(answer.error.hint, /minutes/)
  }
  assert.equal((await server.call('GET', '/v1/jobs')).json.total, 0)
  const long = await start(server, 'range 1 3 n', { minutes: 100_000_000 })
  assert.equal((await done(server, long)).status, 'completed')
})

test('a client that leaves does not stop the query', async () => {
  const server = await forage()
  const { gate, slow } = await held()
  const { port, hostname } = new URL(server.url)
  const client = connect(Number(port), hostname)
  const body = JSON.stringify({ query: `api get ${slow.url}/left` })
  client.write(
    `POST ${dispatch}/wait HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: svc ${server.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await slow.opened(1)
  client.destroy()
  await once(client, 'close')
  const { items } = (await server.call('GET', '/v1/sirp/queries?text=left')).json
  assert.equal(items[0].status, 'running')
  gate.open()
  assert.equal((await done(server, items[0].id)).status, 'completed')
})

test('services that restart in the middle of a query lose nothing of it, and ask for nothing twice', async () => {
  const server = await forage()
  const items = await target(async (request, response) => {
    await sleep(3)
    json(response, { n: Number(request.url!.slice(1)) })
  })
  const id = await start(server, `range 1 600 n || api get ${items.url}/$n$ --concurrency 8`)
  for (const service of ['workers', 'jobs', 'sirp', 'workers']) {
    const before = items.requests.length
    while (items.requests.length < before + 40) await sleep(1)
    const { status } = await server.call('POST', `/v1/sirp/services/${service}/restart`)
    assert.equal(status, 202)
    await runs(server, service)
  }
  const record = await done(server, id)
  assert.deepEqual([record.status, record.rows, record.failedRows], ['completed', 600, 0])
  const { results } = await get(server, `${id}/results?limit=1000`)
  assert.deepEqual(
    results.map((row: { content: { n: number } }) => row.content.n),
    Array.from({ length: 600 }, (_, n) => n + 1),
  )
  // sirp stops what is in flight, and only that is asked for again.
  assert.ok(items.requests.length <= 608, `${items.requests.length} requests for 600 rows`)
})

test('workers restart although a job waits long for its domain', async () => {
  const server = await forage()
  const { slow, gate } = await held()
  gate.open()
  const { port } = new URL(slow.url)
  const made = await server.call('POST', '/v1/gonogo/policies', {
    body: { name: 'slow', domain: 'waits.localhost', policy: { perMinute: 1 } },
  })
  assert.equal(made.status, 201)
  const id = await start(server, `range 1 3 n || api get http://waits.localhost:${port}/$n$`)
  while ((await get(server, `${id}/status`)).waiting.length === 0) await sleep(5)
  await server.call('POST', '/v1/sirp/services/workers/restart')
  await runs(server, 'workers')
  await server.call('PUT', `/v1/gonogo/policies/${made.json.id}`, {
    body: { name: 'slow', domain: 'waits.localhost', policy: { perSecond: 100 } },
  })
  assert.equal((await done(server, id)).rows, 3)
  assert.equal(slow.requests.length, 3)
})

test('results live as long as their ttl, then the query is expired and its files are gone', async () => {
  const server = await forage({ settings: { FORAGE_CACHE_TTL: '0' } })
  const { json: answer } = await server.query('range 1 10 n || guid', { ttl: 1 })
  assert.equal(answer.ttl, 1)
  const files = await tables(server)
  assert.ok(files.length > 0)
  while (Date.now() < Date.parse(answer.expiresAt)) await sleep(20)
  const gone = await server.call('GET', `/v1/sirp/queries/${answer.id}/results`)
  assert.deepEqual([gone.status, gone.json.code], [410, 'expired'])
  const record = await get(server, answer.id)
  assert.deepEqual([record.status, record.rows], ['expired', 10])
  assert.equal((await server.call('GET', `/v1/sirp/queries/${answer.id}/summary`)).status, 410)
  assert.deepEqual(await tables(server), [])
})

test('results that are to live longer than any calendar are there', async () => {
  const server = await forage()
  const { json: answer } = await server.query('range 1 10 n', { ttl: Number.MAX_SAFE_INTEGER })
  assert.deepEqual([answer.status, answer.expiresAt], ['completed', '9999-12-31T00:00:00.000Z'])
  assert.equal((await get(server, `${answer.id}/results`)).total, 10)
})

test('deleting a query spares the files that another one uses', async () => {
  const server = await forage()
  const shop = await target((_request, response) => json(response, [{ a: 1 }, { a: 2 }]))
  const query = `api get ${shop.url}/`
  const first = await server.query(query)
  const second = await server.query(query)
  assert.equal(second.json.fromCache, true)
  const other = await server.query('range 1 3 n --cache false || guid')
  const before = await tables(server)
  await server.call('DELETE', `/v1/sirp/queries/${other.json.id}`)
  assert.ok((await tables(server)).length < before.length)
  await server.call('DELETE', `/v1/sirp/queries/${first.json.id}`)
  assert.equal((await get(server, `${second.json.id}/results`)).total, 2)
})

test('a command over the rows of another query leaves them where they are', async () => {
  const server = await forage()
  const prev = await server.query('range 1 4 n')
  const command = { command: 'filter', args: [['n > 2']], prev: prev.json.id }
  for (let time = 0; time < 2; time++) {
    const { json: answer } = await server.call('POST', '/v1/sirp/command/dispatch', { body: command })
    assert.equal(answer.total, 2)
  }
  assert.equal((await get(server, `${prev.json.id}/results`)).total, 4)
})

test('files that nobody knows are cleared at the start, those of others are not', async () => {
  const data = join(temporaryFolder(), 'data')
  const first = await forage({ data })
  const { json: answer } = await first.query('range 1 5 n')
  const folder = join(data, 'tables')
  const kept = await readdir(folder)
  await first.stop()
  await writeFile(join(folder, 'half-written.parquet'), 'PAR1')
  await writeFile(join(folder, 'nobody.ndjson'), '{}')
  const second = await forage({ data })
  assert.deepEqual(await readdir(folder), kept)
  assert.equal((await get(second, `${answer.id}/results`)).total, 5)
})

test('a thousand columns work; past the ceiling there is an error that says so', async () => {
  const server = await forage()
  const wide = (columns: number) =>
    Object.fromEntries(Array.from({ length: columns }, (_, n) => [`column ${n}`, n]))
  const shop = await target((request, response) => json(response, wide(Number(request.url!.slice(1)))))
  const fetched = await server.query(
    `range 1 3 n || api get ${shop.url}/1000 || eval sum '\`column 0\` + \`column 999\`' || sort "column 5"`,
  )
  assert.equal(fetched.json.status, 'completed', JSON.stringify(fetched.json.error))
  assert.equal(fetched.json.columns.length, 1001)
  assert.equal(fetched.json.results[0].content.sum, 999)
  const tooWide = [
    `api get ${shop.url}/2001`,
    `seed ${JSON.stringify(wide(2001))}`,
    `seed ${JSON.stringify(wide(2000))} || eval one "1"`,
  ]
  for (const query of tooWide) {
    const { json: failed } = await server.query(query)
    assert.deepEqual([failed.status, failed.error.code], ['failed', 'too_many_columns'])
    assert.match(failed.error.message, /2000 columns/)
    assert.match(failed.error.hint, /ceiling/)
  }
})

test('a stage that is larger than the memory for tables spills to disk', async () => {
  const server = await forage({ settings: { FORAGE_MEMORY_MB: '256' } })
  const id = await start(
    server,
    'range 1 2000000 n || eval h "sha256(text(n))" || sort h --labelStage sorted || head 2',
  )
  let spilled = false
  while ((await get(server, `${id}/status`)).status === 'running') {
    const files = await readdir(join(server.data, 'temporary'), { recursive: true })
    spilled ||= files.some(file => file.endsWith('.tmp'))
    await sleep(5)
  }
  const { status, error } = await get(server, id)
  assert.deepEqual([status, error, spilled], ['completed', null, true])
  const { results } = await get(server, `${id}/results`)
  const [first, second] = results.map((row: { content: { h: string } }) => row.content.h)
  assert.ok(first < second && first.startsWith('00000'), first)
})

async function runs(server: RunningForage, service: string): Promise<void> {
  for (;;) {
    const { json } = await server.call('GET', `/v1/sirp/services/${service}/status`)
    assert.notEqual(json.status, 'failed', json.detail)
    if (json.status === 'running') return
    await sleep(5)
  }
}

const tables = (server: RunningForage): Promise<string[]> => readdir(join(server.data, 'tables'))

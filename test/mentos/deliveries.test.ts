import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Database } from '../../src/engine/tables/database.ts'
import { ingest } from '../../src/engine/tables/ingest.ts'
import { fromFile, ROW_GROUP } from '../../src/engine/tables/stage-file.ts'
import type { Tables } from '../../src/engine/tables/tables.ts'
import { parseJson } from '../../src/language/json.ts'
import { DeliveryBook } from '../../src/services/mentos/delivery-book.ts'
import { outgoing } from '../../src/services/mentos/outgoing.ts'
import { eachInTurn } from '../../src/services/mentos/read-ahead.ts'
import { Sender } from '../../src/services/mentos/sender.ts'
import { Throttle } from '../../src/services/mentos/throttle.ts'
import type { Sql } from '../../src/sql/sql.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { asObject, Batch, OutgoingRow } from '../../src/stores/shared/batch.ts'
import { type RowWriter, StoreError, type WriteOutcome } from '../../src/stores/store.ts'
import { receiver, rowsIn } from '../stores/receiver.ts'
import { CrashingForage } from '../support/crashing.ts'
import { forage, type RunningForage } from '../support/service.ts'

const stores = '/v1/secrets/stores'
const server = await forage()

async function makeStore(
  on: RunningForage,
  name: string,
  configuration: object,
  more: object = {},
): Promise<void> {
  const body = { type: 'http', config: { store: { name }, configuration, ...more } }
  const answer = await on.call('POST', stores, { body })
  assert.equal(answer.status, 201, answer.text)
}

test('stores are made, listed, changed and deleted; the manifest tells what was delivered', async () => {
  const target = await receiver()
  await makeStore(server, 'a store.1', { url: target.url, throughput: 1000 })
  const taken = await server.call('POST', stores, {
    body: { type: 'http', config: { store: { name: 'a store.1' }, configuration: { url: target.url } } },
  })
  assert.equal(taken.status, 409)
  const path = `${stores}/${encodeURIComponent('a store.1')}`
  const got = await server.call('GET', path)
  const stale = { headers: { 'if-match': got.headers.get('etag')! } }
  assert.equal((await server.query('range 1 5 n || freeze --store "a store.1"')).json.status, 'completed')
  const { json: delivered } = await server.call('GET', path)
  assert.deepEqual([delivered.deliveries, delivered.rows, delivered.bytes], [1, 5, 35])
  assert.ok(delivered.lastSuccessAt)
  const body = { type: 'http', config: { ...got.json.config, configuration: { url: `${target.url}/b` } } }
  assert.equal((await server.call('PUT', path, { body, ...stale })).status, 412)
  assert.equal((await server.call('PUT', path, { body })).json.config.configuration.url, `${target.url}/b`)
  const listed = await server.call('GET', stores)
  assert.ok(listed.json.items.some((item: { name: string }) => item.name === 'a store.1'))
  const manifest = await server.call('GET', `/v1/sirp/cellar/manifests/${encodeURIComponent('a store.1')}`)
  assert.deepEqual([manifest.json.store, manifest.json.type, manifest.json.rows], ['a store.1', 'http', 5])
  assert.equal((await server.call('DELETE', path)).status, 204)
  assert.equal((await server.call('DELETE', path)).status, 404)
  const gone = await server.query('range 1 1 n || freeze --store "a store.1"')
  assert.deepEqual([gone.status, gone.json.errors[0].offset], [422, 30], gone.text)
})

test('what a store is given is checked: fields, kinds, masks that stand for nothing, processors', async () => {
  const attempt = async (type: string, config: object) =>
    (await server.call('POST', stores, { body: { type, config: { store: { name: 'x' }, ...config } } })).json
  const url = 'http://127.0.0.1:1/'
  assert.match((await attempt('http', { configuration: { url, colour: 'red' } })).detail, /colour/)
  assert.match((await attempt('http', { configuration: {} })).detail, /url/)
  assert.equal((await attempt('carrier-pigeon', { configuration: { url } })).status, 400)
  const masked = await attempt('http', { configuration: { url }, credentials: { bearer: '********' } })
  assert.equal(masked.errors[0].path, '$.config.credentials.bearer')
  for (const processors of [['drp x'], ['api get http://127.0.0.1:1/'], ['freeze elsewhere']])
    assert.match((await attempt('http', { configuration: { url }, processors })).detail, /processors/)
  const schemas = await server.call('GET', '/v1/secrets/store-schemas')
  const http = schemas.json.items.find((item: { type: string }) => item.type === 'http')
  assert.ok(http.secrets.includes('config.credentials.bearer'))
  const sql = schemas.json.items.find((item: { type: string }) => item.type === 'sql')
  assert.deepEqual(sql.secrets, ['config.credentials.password', 'config.credentials.tls.key'])
})

test('processors change the rows that leave, not those that go on', async () => {
  const target = await receiver()
  const processors = ['drop secret', 'filter "n > 1" || rename n number']
  await makeStore(server, 'processed', { url: target.url }, { processors })
  const { json } = await server.query(
    'seed [{n: 1, secret: 1}, {n: 2, secret: 2}] || freeze --store processed',
  )
  assert.equal(json.results.length, 2)
  assert.deepEqual(target.rows(), [{ number: 2 }])
})

test('changes leave under their own ids; several rows of one, and what only looks like one, do not', async () => {
  const target = await receiver()
  await makeStore(server, 'changes', { url: target.url, format: 'row' })
  const delivered = async (query: string) => {
    const before = target.requests.length
    assert.equal((await server.query(`${query} || freeze --store changes`)).json.status, 'completed')
    const sent = target.requests.slice(before)
    return sent.map(({ headers, body }) => [headers['idempotency-key'], JSON.parse(body)] as const)
  }
  const rows = 'seed [{id: 1, items: [1, 2]}, {id: 2, items: [3]}]'
  for (const [key, row] of await delivered(`${rows} || diff whole --key id`)) assert.equal(key, row._diff.id)
  const parts = await delivered(`${rows} || diff parts --key id || normalize items`)
  const foreign = await delivered(
    String.raw`seed [{n: 1, _diff: {id: "a\u001eb"}}, {n: 2, _diff: {id: 7}}, {n: 3, _diff: {id: 7}}]`,
  )
  assert.deepEqual(
    [parts.map(([, row]) => row.items), foreign.map(([, row]) => row.n)],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  )
  assert.equal(new Set([...parts, ...foreign].map(([key]) => key)).size, 6)
})

test('rows that failed stay behind unless asked for', async () => {
  const target = await receiver()
  await makeStore(server, 'errors', { url: target.url })
  const rows = 'seed [{n: 1}, {n: 2, _error: {code: "timeout"}}]'
  await server.query(`${rows} || freeze --store errors`)
  assert.deepEqual(target.rows(), [{ n: 1 }])
  await server.query(`${rows} || freeze --store errors --errors true`)
  assert.equal(target.rows().length, 3)
})

test('streams take rows without a query', async () => {
  const target = await receiver()
  await makeStore(server, 'stream-store', { url: target.url })
  const streams = '/v1/mentos/streams'
  const body = { name: 'clicks', streamConfig: { store: 'stream-store', format: 'json', batch: 2 } }
  assert.equal((await server.call('POST', streams, { body })).status, 201)
  assert.equal((await server.call('POST', streams, { body })).status, 409)
  const nowhere = { name: 'y', streamConfig: { store: 'nowhere' } }
  assert.equal((await server.call('POST', streams, { body: nowhere })).status, 404)
  const rows = [{ n: 1 }, { n: 2 }, { n: 3 }]
  const written = await server.call('POST', `${streams}/write`, {
    body: { name: 'clicks', config: { rows } },
  })
  assert.deepEqual(written.json, { store: 'stream-store', rows: 3, bytes: 21, refused: 0 })
  assert.deepEqual(
    target.requests.map(request => request.body),
    ['[{"n":1},{"n":2}]', '[{"n":3}]'],
  )
  const direct = { config: { store: 'stream-store', rows: [{ n: 4 }] } }
  assert.equal((await server.call('POST', `${streams}/write`, { body: direct })).status, 200)
  assert.deepEqual(target.rows().at(-1), { n: 4 })
  assert.equal((await server.call('POST', `${streams}/write`, { body: { config: { rows } } })).status, 400)
  const both = { name: 'clicks', config: { store: 'stream-store', rows } }
  assert.match((await server.call('POST', `${streams}/write`, { body: both })).json.detail, /config\.store/)
  target.answer = (_request, response) => void response.writeHead(404).end()
  const failed = await server.call('POST', `${streams}/write`, { body: direct })
  assert.deepEqual([failed.status, failed.json.code], [422, 'delivery_failed'])
  assert.equal((await server.call('GET', streams)).json.total, 1)
  assert.equal((await server.call('DELETE', `${streams}/clicks`)).status, 204)
  assert.equal((await server.call('DELETE', `${streams}/clicks`)).status, 404)
})

test('a delivery that a stop interrupted goes on with the batch that was not acknowledged', async () => {
  const data = mkdtempSync(join(tmpdir(), 'forage-resume-'))
  after(() => rmSync(data, { recursive: true, force: true }))
  const first = await forage({ data })
  const target = await receiver()
  await makeStore(first, 'resumed', { url: target.url, batch: 10 })
  const held = Promise.withResolvers<void>()
  target.answer = (_request, response) => {
    // The fourth request is never answered.
    if (target.requests.length < 4) response.writeHead(204).end()
    else held.resolve()
  }
  const { json } = await first.call('POST', '/v1/sirp/query/runner/dispatch', {
    body: { query: 'range 1 100 n || freeze --store resumed' },
    headers: { prefer: 'respond-async' },
  })
  await held.promise
  const status = await first.call('GET', `/v1/sirp/queries/${json.id}/status`)
  assert.ok(status.json.progress > 0.5 && status.json.progress < 1, 'the delivery shows in the progress')
  await first.stop()

  target.answer = (_request, response) => void response.writeHead(204).end()
  const before = target.requests.length
  const second = await forage({ data })
  let record = (await second.call('GET', `/v1/sirp/queries/${json.id}`)).json
  while (record.status !== 'completed') {
    assert.notEqual(record.status, 'failed', JSON.stringify(record.error))
    record = (await second.call('GET', `/v1/sirp/queries/${json.id}`)).json
  }
  const numbers = (target.rows() as { n: number }[]).map(({ n }) => n)
  assert.deepEqual(
    numbers,
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
  const [unanswered, again] = [target.requests[before - 1]!, target.requests[before]!]
  assert.deepEqual(rowsIn(again.body), rowsIn(unanswered.body))
  assert.equal(again.headers['idempotency-key'], unanswered.headers['idempotency-key'])
})

test('kill -9 in the middle of a scheduled delivery: one run, and no row is lost or taken twice by its id', async () => {
  const data = mkdtempSync(join(tmpdir(), 'forage-killed-'))
  after(() => rmSync(data, { recursive: true, force: true }))
  const killed = new CrashingForage(data)
  await killed.start()
  const target = await receiver()
  const config = { store: { name: 'killed' }, configuration: { url: target.url, batch: 10 } }
  await killed.call('POST', stores, { body: { type: 'http', config } })
  const { json: schedule } = await killed.call('POST', '/v1/sirp/scheduled', {
    body: { query: 'range 1 60 n || freeze --store killed' },
  })
  const held = Promise.withResolvers<void>()
  target.answer = (_request, response) => {
    if (target.requests.length < 4) response.writeHead(204).end()
    else held.resolve()
  }
  const { json: run } = await killed.call('POST', `/v1/sirp/scheduled/${schedule.id}/run`)
  await held.promise
  await killed.end('SIGKILL')

  target.answer = (_request, response) => void response.writeHead(204).end()
  await killed.start()
  const record = await killed.ended(run.queryId)
  const keys = target.requests.map(request => request.headers['idempotency-key'])
  assert.equal(keys[4], keys[3], 'it goes on with the batch that was not acknowledged')
  assert.equal(keys.length, 7)
  assert.deepEqual(
    [record.status, record.scheduledId],
    ['completed', schedule.id],
    JSON.stringify(record.error),
  )
  // A receiver that looks at the key takes each batch once; a batch that is sent again has the key that it had.
  const taken = new Map(target.requests.map(request => [request.headers['idempotency-key'], request.body]))
  const numbers = [...taken.values()].flatMap(body => (rowsIn(body) as { n: number }[]).map(({ n }) => n))
  assert.deepEqual(
    numbers,
    Array.from({ length: 60 }, (_, index) => index + 1),
  )
  const runs = async () => (await killed.call('GET', `/v1/sirp/scheduled/${schedule.id}/runs`)).json.items
  while ((await runs())[0].status === 'running') await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(
    (await runs()).map((item: { queryId: string; status: string }) => [item.queryId, item.status]),
    [[run.queryId, 'completed']],
  )
})

test('a delivery that a crash lets arrive again is counted once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forage-counted-'))
  const catalog = openSqliteCatalog({ path: join(folder, 'catalog.db') })
  const book = new DeliveryBook(catalog)
  await book.begin('one', 'store', undefined, 3)
  let counted = 0
  const count = async () => void counted++
  const fail = async () => {
    throw new Error('not written down')
  }
  await assert.rejects(book.countOnce('one', fail), /not written down/)
  await book.countOnce('one', count)
  await book.countOnce('one', count)
  assert.equal(counted, 1)
  await catalog.close()
  rmSync(folder, { recursive: true })
})

test('rows leave in order from any one on, whatever their size, as objects or as values', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forage-outgoing-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const database = await Database.open({
    temporary: join(folder, 'temporary'),
    folders: [folder],
    memoryMb: 512,
  })
  after(() => database.close())
  // Long ones among short ones, and characters that could be taken for the end of a row.
  const rowAt = (n: number) => ({
    n,
    ...(n % 4 !== 0 && { long: n % 7 === 0 ? -(2n ** 63n) : 2n ** 53n + BigInt(n) }),
    text: n % 1500 === 7 ? `${n} `.repeat(100_000) : `a\n"b"\u001e\u001f${n}`,
    ...(n % 3 === 0 && { nested: { n: [n, '\u001e'] } }),
    ...(n % 5 === 0 && { flag: n % 2 === 0 }),
  })
  const count = 6200
  const rows = Array.from({ length: count }, (_, n) => rowAt(n))
  const table = await ingest(database, rows, join(folder, 'a.parquet'))
  const tables = {
    database,
    relation: (of: typeof table) => fromFile(of.file, of.columns),
    rows: (query: Sql) => database.rows(query),
  } as unknown as Tables
  for (const from of [0, 1, 2047, 2048, 5000, count - 1, count])
    for (const form of ['object', 'values'] as const) {
      const options = { from, form, deliveryId: 'q.1', signal }
      let number = from
      for await (const some of outgoing(tables, table, options))
        for (const item of some) {
          const { text, bytes, id, number: own } = item
          const object = form === 'object' ? item : asObject(item, table.columns)
          assert.deepEqual(parseJson(object.text), rowAt(number), `${form} from ${from}`)
          assert.deepEqual([bytes, id, own], [Buffer.byteLength(text), `q.1.${number}`, number])
          number++
        }
      assert.equal(number, count)
    }
  // Short ones, which make long pages, and a last one that is read by itself.
  const short = await ingest(database, rowsUpTo(2 * ROW_GROUP + 3), join(folder, 'short.parquet'))
  for (const from of [0, ROW_GROUP - 1, 2 * ROW_GROUP + 2]) {
    const found: string[] = []
    for await (const some of outgoing(tables, short, { from, form: 'values', deliveryId: 'q', signal }))
      found.push(...some.map(({ text, number }) => `${number}:${text}`))
    const expected = rowsUpTo(2 * ROW_GROUP + 3).slice(from)
    assert.deepEqual(
      found,
      expected.map(({ n }) => `${n}:[${n}]`),
    )
  }
})

const rowsUpTo = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))

test('the next is made while the present one is under way, and nothing more after a failure', async () => {
  const told: string[] = []
  async function* items() {
    try {
      for (const n of [1, 2, 3]) {
        told.push(`made ${n}`)
        yield n
      }
    } finally {
      told.push('left')
    }
  }
  const begin = async (n: number) => {
    told.push(`begun ${n}`)
    await new Promise(setImmediate)
    if (n === 2) throw new Error('no')
    told.push(`done ${n}`)
  }
  await assert.rejects(eachInTurn(items(), begin), { message: 'no' })
  assert.deepEqual(told, ['made 1', 'begun 1', 'made 2', 'done 1', 'begun 2', 'made 3', 'left'])
})

test('the id of a batch tells its rows from any others, and is the same when they are sent again', () => {
  const row = (number: number, ownId?: string) => new OutgoingRow('{}', number, 'q.1', ownId)
  const idOf = (...items: OutgoingRow[]) => new Batch(items).id
  const rows = [0, 1, 2, 3].map(number => row(number))
  const whole = new Batch(rows)
  assert.equal(whole.id, idOf(...[0, 1, 2, 3].map(number => row(number))))
  const own = [row(0, 'a'), row(1, 'b')]
  const ids = [
    ...[whole, ...whole.halves(), whole.pick([1])].map(({ id }) => id),
    ...[
      [0, 2],
      [0, 3],
      [0, 1, 3],
      [0, 2, 2, 3],
    ].map(places => whole.pick(places).id),
    ...[idOf(...own), idOf(own[0]!, row(1, 'c')), idOf(own[0]!, row(1))],
  ]
  assert.equal(new Set(ids).size, ids.length, ids.join('\n'))
})

/** A clock that stands still but for sleeping. */
function testClock(random = 1) {
  const slept: number[] = []
  let now = 0
  return {
    slept,
    now: () => now,
    random: () => random,
    sleep: async (ms: number) => {
      slept.push(ms)
      now += ms
    },
  }
}

const { signal } = new AbortController()
const batch = new Batch([0, 1, 2].map(number => new OutgoingRow(`{"n":${number}}`, number, 'q')))

const writer = (outcomes: readonly (WriteOutcome | StoreError)[]): RowWriter & { written: number[] } => {
  const written: number[] = []
  return {
    kind: 'rows',
    ceiling: { rows: 10, bytes: 1000 },
    written,
    write: async given => {
      const outcome = outcomes[Math.min(written.length, outcomes.length - 1)]!
      written.push(given.size)
      if (outcome instanceof StoreError) throw outcome
      return outcome
    },
    finish: async () => {},
    close: async () => {},
  }
}

const passing = (retryAfterMs?: number) => new StoreError('busy', 'busy', { retryable: true, retryAfterMs })
const senderOn = (clock: ReturnType<typeof testClock>, patienceMs = 900_000) =>
  new Sender({ clock, signal, patienceMs, turn: () => undefined })

test('waits double up to 30 s, with full jitter, and never less than the store asks for', async () => {
  const clock = testClock()
  const failing = writer([...Array.from({ length: 8 }, () => passing()), passing(45_000), { rejected: [] }])
  assert.deepEqual(await senderOn(clock).send(failing, batch), [])
  assert.deepEqual(clock.slept, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 45_000])
  const lucky = testClock(0.1)
  await senderOn(lucky).send(writer([passing(), passing(), { rejected: [] }]), batch)
  assert.deepEqual(lucky.slept, [50, 100])
})

test('patience ends: a store that stays away fails the delivery, a row that stays refused is refused', async () => {
  await assert.rejects(senderOn(testClock(), 3000).send(writer([passing()]), batch), { code: 'busy' })
  await assert.rejects(senderOn(testClock()).send(writer([new StoreError('no', 'no')]), batch), {
    code: 'no',
  })
  const stubborn = writer([
    { rejected: [{ index: 1, code: 'later', retryable: true, message: 'not now' }] },
    { rejected: [{ index: 0, code: 'later', retryable: true, message: 'not now' }] },
  ])
  const refused = await senderOn(testClock(), 3000).send(stubborn, batch)
  assert.deepEqual(
    refused.map(({ item, message }) => [item.number, message]),
    [[1, 'not now']],
  )
  assert.deepEqual(stubborn.written.slice(0, 3), [3, 1, 1])
})

test('a store is held to its rows a second, all deliveries together', async () => {
  const clock = testClock()
  const throttle = new Throttle(clock)
  await throttle.take('s', 100, 50, signal)
  await throttle.take('s', 100, 50, signal)
  await throttle.take('other', 100, 50, signal)
  assert.deepEqual(clock.slept, [2000])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { forage } from '../support/service.ts'
import { Gate, json, type Target, target } from '../support/target.ts'

type Content = Record<string, unknown>
const contents = (answer: { json: { results: { content: Content }[] } }) =>
  answer.json.results.map(row => row.content)

const server = await forage()
const start = async (query: string, more: object = {}): Promise<string> => {
  const { status, json } = await server.call('POST', '/v1/sirp/query/runner/dispatch', {
    body: { query, ...more },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(status, 202)
  return json.id
}
const get = async (path: string) => (await server.call('GET', `/v1/sirp/queries/${path}`)).json
const done = async (id: string) => {
  await server.call('GET', `/v1/sirp/queries/${id}/events`)
  return get(id)
}
const stage = async (id: string, index: number) => get(`${id}/stages/${index}`)

/** Asks until it is so; the test's own time limit ends what never becomes so. */
async function until<T>(ask: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (isSo(value)) return value
    await sleep(10)
  }
}

const number = (request: { url?: string | undefined }) => Number(/\d+$/.exec(request.url!)![0])
const items = () => target((request, response) => json(response, { id: number(request) }))
/** Every third one is not there; all others are. */
const holes = () =>
  target((request, response) => {
    const n = number(request)
    if (n % 3 === 0) json(response, { sorry: n }, 404)
    else json(response, { id: n, name: `item ${n}` })
  })

test('each row of the input makes its rows, in the order of the input', async () => {
  const lists = await target(async (request, response) => {
    const n = number(request)
    await sleep((7 - n) * 5)
    json(
      response,
      Array.from({ length: n % 3 }, (_, k) => ({ n, k })),
    )
  })
  const answer = await server.query(`range 1 6 n || api get ${lists.url}/$n$`)
  assert.deepEqual(contents(answer), [
    { n: 1, k: 0 },
    { n: 2, k: 0 },
    { n: 2, k: 1 },
    { n: 4, k: 0 },
    { n: 5, k: 0 },
    { n: 5, k: 1 },
  ])
  const { jobs, failedRows } = await stage(answer.json.id, 1)
  assert.deepEqual([jobs.total, jobs.done, jobs.failed, failedRows], [6, 6, 0, 0])
})

test('--concurrency is never exceeded, and is made use of', async () => {
  const gate = new Gate()
  const slow = await target(async (request, response) => {
    await gate.passed
    json(response, { id: number(request) })
  })
  const id = await start(`range 1 40 n || api get ${slow.url}/$n$ --concurrency 3`)
  await slow.opened(3)
  assert.equal((await stage(id, 1)).jobs.done, 0)
  gate.open()
  assert.equal((await done(id)).rows, 40)
  assert.equal(slow.mostOpen, 3)
})

test('what is queued and running can be seen while it runs', async () => {
  const gate = new Gate()
  const slow = await target(async (_request, response) => {
    await gate.passed
    json(response, { ok: true })
  })
  const id = await start(`range 1 9 n || api get ${slow.url}/$n$ --concurrency 4`)
  await slow.opened(4)
  const jobs = await server.call('GET', '/v1/jobs?limit=5')
  assert.equal(jobs.json.total, 9)
  assert.deepEqual(
    jobs.json.items.map((job: Content) => [job.queryId, job.row, job.command, job.status]),
    [0, 1, 2, 3, 4].map(row => [id, row, 'api', row < 4 ? 'running' : 'queued']),
  )
  const workers = await server.call('GET', '/v1/workers')
  assert.deepEqual(
    workers.json.items.map((worker: Content) => [worker.running, worker.limit]),
    [[4, 128]],
  )
  const status = await get(`${id}/status`)
  assert.deepEqual([status.status, status.stage, status.stages], ['running', 1, 2])
  gate.open()
  await done(id)
  assert.equal((await server.call('GET', '/v1/jobs')).json.total, 0)
})

test('two queries share the workers, however long one of them is', async () => {
  const few = await forage({ settings: { FORAGE_WORKERS: '2' } })
  const order: string[] = []
  const shared = await target(async (request, response) => {
    order.push(request.url!.split('/')[1]!)
    await sleep(2)
    json(response, { ok: true })
  })
  const long = few.query(`range 1 300 n || api get ${shared.url}/long/$n$`)
  await until(
    async () => order.length,
    length => length > 5,
  )
  await few.query(`range 1 10 n || api get ${shared.url}/short/$n$`)
  const between = order.slice(order.indexOf('short'), order.lastIndexOf('short'))
  assert.ok(between.length <= 25, `10 jobs of the short one took ${between.length} turns`)
  assert.equal((await long).json.rows, 300)
})

test('rows that wait for a limited domain do not hold up those of another, and the status says so', async () => {
  const both = await items()
  const port = new URL(both.url).port
  const slow = `http://slow.localhost:${port}`
  await policy('slow.localhost', { perMinute: 1 })
  const rows = [
    ...Array.from({ length: 30 }, (_, n) => ({ url: `${slow}/${n}` })),
    ...Array.from({ length: 20 }, (_, n) => ({ url: `${both.url}/${100 + n}` })),
  ]
  // Written out, since only an address that its author wrote may be a local one.
  const id = await start(`seed ${JSON.stringify(rows)} || api get $url$ --concurrency 2`)
  await until(
    () => stage(id, 1),
    ({ jobs }) => jobs?.done >= 21,
  )
  const status = await get(`${id}/status`)
  assert.deepEqual(
    status.waiting.map((entry: Content) => entry.domain),
    ['slow.localhost'],
  )
  assert.ok(status.waiting[0].untilMs > Date.now())
  assert.ok(status.progress > 0.5 && status.progress < 1)
  const waiting = await server.call('GET', '/v1/jobs')
  assert.ok(waiting.json.items.every((job: Content) => job.domain === 'slow.localhost'))
  assert.equal(waiting.json.total, 29)
  // Cancelled while every job that is left waits for its turn.
  assert.equal((await server.call('POST', `/v1/sirp/queries/${id}/cancel`)).status, 202)
  assert.equal((await done(id)).status, 'cancelled')
  assert.equal((await server.call('GET', '/v1/jobs')).json.total, 0)
  assert.equal(both.requests.length, 21)
})

test('in no window of a run is the limit of a policy passed', async () => {
  const limited = await items()
  const { port } = new URL(limited.url)
  await policy('polite.localhost', { perSecond: 4 })
  const url = `http://polite.localhost:${port}`
  const [first, second] = await Promise.all([
    server.query(`range 1 7 n || api get ${url}/$n$`),
    server.query(`range 11 15 n || api get ${url}/$n$`),
  ])
  assert.deepEqual([first.json.rows, second.json.rows], [7, 5])
  assertWithin(limited, 1000, 4)
})

test('a domain whose limit is 0 fails the rows that ask for it, not the query', async () => {
  const both = await items()
  const { port } = new URL(both.url)
  await policy('never.localhost', { perMinute: 0 })
  const rows = [{ url: `http://never.localhost:${port}/1` }, { url: `${both.url}/2` }]
  const { json } = await server.query(`seed ${JSON.stringify(rows)} || api get $url$`)
  assert.deepEqual([json.status, json.rows, json.failedRows], ['completed', 2, 1])
  assert.match(json.results[0].content._error.message, /allows no dispatches/)
  assert.equal(both.requests.length, 1)
})

test('429 and Retry-After hold everybody back, and lose no row', async () => {
  let heldUntil = 0
  let tooEarly = 0
  const strict = await target((request, response) => {
    const now = performance.now()
    if (now < heldUntil - 15) tooEarly++
    if (number(request) === 5 && heldUntil === 0) {
      heldUntil = now + 1000
      json(response, { wait: true }, 429, { 'retry-after': '1' })
    } else json(response, { id: number(request) })
  })
  const { json: answer } = await server.query(
    `range 1 30 n || api get ${strict.url}/$n$ --concurrency 1 --retry 0`,
  )
  assert.deepEqual([answer.status, answer.rows, answer.failedRows], ['completed', 30, 0])
  assert.deepEqual(
    answer.results.map((row: { content: Content }) => row.content.id),
    Array.from({ length: 30 }, (_, n) => n + 1),
  )
  assert.deepEqual([strict.requests.length, tooEarly], [31, 0])
  const limited = await server.query(`range 1 12 n || api get ${server.demo}/limited?n=$n$`)
  assert.deepEqual([limited.json.rows, limited.json.failedRows], [12, 0])
})

test('--onError keep: a row that failed stays with its reason, in its place, and is counted everywhere', async () => {
  const shop = await holes()
  const query = `range 1 5 n || api get ${shop.url}/$n$`
  const { json: answer } = await server.query(query, { summary: true })
  assert.deepEqual([answer.status, answer.rows, answer.failedRows], ['completed', 5, 1])
  const failed = answer.results[2].content
  assert.equal(failed.n, 3)
  assert.match(failed._error.code, /./)
  assert.match(failed._error.message, /404/)
  assert.equal((await get(answer.id)).failedRows, 1)
  assert.equal((await get(`${answer.id}/status`)).failedRows, 1)
  const { failedRows, jobs } = await stage(answer.id, 1)
  assert.deepEqual([failedRows, jobs.total, jobs.done, jobs.failed], [1, 5, 5, 1])
  const failures = await get(`${answer.id}/commands?status=failed`)
  assert.deepEqual([failures.total, failures.items[0].row, failures.items[0].stage], [1, 2, 1])
  assert.equal((await get(`${answer.id}/stages/1/commands?status=completed&limit=1`)).total, 4)
  assert.equal((await get(`${answer.id}/stages/0/commands?status=failed`)).total, 0)
  const summary = await get(`${answer.id}/summary`)
  assert.deepEqual(
    summary.stages.map((part: Content) => part.failedRows),
    [0, 1],
  )
  const before = shop.requests.length
  const again = await server.query(query)
  assert.equal(again.json.fromCache, false, 'a stage with failed rows is not cached')
  assert.equal(shop.requests.length, before + 5)
})

test('--onError skip leaves the row out and counts it; fail ends the query with the row', async () => {
  const shop = await holes()
  const skipped = await server.query(`range 1 5 n || api get ${shop.url}/$n$ --onError skip || table id`)
  assert.deepEqual(contents(skipped), [{ id: 1 }, { id: 2 }, { id: 4 }, { id: 5 }])
  assert.equal(skipped.json.failedRows, 1)
  const { json: failed } = await server.query(
    `range 1 50 n || api get ${shop.url}/$n$ --onError fail --concurrency 1`,
  )
  assert.equal(failed.status, 'failed')
  assert.match(failed.error.message, /Row 2 .*404/)
  assert.deepEqual(failed.error.sample, [{ n: 3 }])
  assert.equal(failed.error.stage, 1)
  assert.ok(shop.requests.length < 20, 'nothing is sent once the query has failed')
})

test('rows with _error go through later expanding stages untouched, and are counted once', async () => {
  const shop = await holes()
  const { json: answer } = await server.query(
    `range 1 5 n || api get ${shop.url}/$n$ --enrich true || api get ${shop.url}/again/$n$ --enrich true`,
  )
  assert.deepEqual([answer.rows, answer.failedRows], [5, 1])
  assert.equal(shop.requests.filter(({ path }) => path.startsWith('/again')).length, 4)
  const second = await stage(answer.id, 2)
  assert.deepEqual([second.jobs.total, second.jobs.done, second.jobs.failed], [4, 4, 0])
  const row = answer.results[2].content
  assert.deepEqual([row.n, Object.keys(row).sort()], [3, ['_error', 'n']])
})

test('--enrich carries the columns of the row that made it; a clash is kept under _parent', async () => {
  const shop = await target((_request, response) => json(response, { id: 9, price: 1.5 }))
  const answer = await server.query(`seed [{id: 1, city: "Oslo"}] || api get ${shop.url}/1 --enrich true`)
  assert.deepEqual(contents(answer), [{ id: 9, city: 'Oslo', price: 1.5, _parent: { id: 1 } }])
})

test('a stage whose every job failed fails the query, with the most frequent error and an example', async () => {
  const shop = await target((request, response) => json(response, {}, number(request) === 2 ? 410 : 404))
  const { json: answer } = await server.query(`range 1 4 n || api get ${shop.url}/$n$`)
  assert.equal(answer.status, 'failed')
  assert.match(answer.error.message, /All 4 jobs of this stage failed, 3 of them so: .*404/)
  assert.deepEqual(answer.error.sample, [{ n: 1 }])
  assert.deepEqual([answer.error.stage, answer.failedRows], [1, 4])
  const only = await server.query(`api get ${shop.url}/404`)
  assert.equal(only.json.status, 'failed')
  // Rows that had failed before are no jobs of this stage: all of its own have failed.
  const mixed = await holes()
  const later = await server.query(
    `range 1 4 n || api get ${mixed.url}/$n$ --enrich true || api get ${shop.url}/$n$`,
  )
  assert.equal(later.json.status, 'failed')
  assert.match(later.json.error.message, /All 3 jobs/)
})

test('a misspelt column fails before anything is sent', async () => {
  const shop = await items()
  const { json: answer } = await server.query(`seed [{city: "Oslo"}] || api get ${shop.url}/$cty$`)
  assert.deepEqual([answer.status, answer.error.code], ['failed', 'unknown_column'])
  assert.match(`${answer.error.message} ${answer.error.hint}`, /city/)
  assert.equal(shop.requests.length, 0)
})

test('a row that lacks the column fails alone', async () => {
  const shop = await items()
  const { json: answer } = await server.query(`seed [{a: 1, n: 1}, {a: 2}] || api get ${shop.url}/$n$`)
  assert.deepEqual([answer.rows, answer.failedRows, shop.requests.length], [2, 1, 1])
  assert.equal(answer.results[1].content.a, 2)
  const skipped = await server.query(`seed [{a: 1, n: 1}, {a: 2}] || api get ${shop.url}/$n$ --onError skip`)
  assert.deepEqual([skipped.json.rows, skipped.json.failedRows], [1, 1])
})

test('a stage without input rows does nothing and succeeds', async () => {
  const shop = await items()
  const { json: answer } = await server.query(
    `range 1 3 n || filter "n > 5" || api get ${shop.url}/$nothing$ || api get ${shop.url}/$id$`,
  )
  assert.deepEqual([answer.status, answer.rows, shop.requests.length], ['completed', 0, 0])
})

test('a limit that bit is a warning that names it, once', async () => {
  const pages = await target((request, response) => {
    const url = new URL(request.url!, 'http://a')
    const page = Number(url.searchParams.get('page') ?? 0)
    json(response, { page, next: `${pages.url}${url.pathname}?page=${page + 1}` })
  })
  const { json: answer } = await server.query(
    `range 1 3 n || api get ${pages.url}/$n$ --pagination.next next --pagination.max 2`,
  )
  assert.equal(answer.rows, 6)
  assert.equal(answer.warnings.length, 1)
  assert.match(answer.warnings[0], /pagination\.max/)
  assert.deepEqual((await stage(answer.id, 1)).warnings, answer.warnings)
})

test('cancels within a request', async () => {
  const silent = await target(() => {})
  const id = await start(`range 1 5 n || api get ${silent.url}/$n$`)
  await silent.opened(5)
  await server.call('POST', `/v1/sirp/queries/${id}/cancel`)
  const record = await done(id)
  assert.deepEqual([record.status, record.error], ['cancelled', null])
  await until(
    async () => silent.open,
    open => open === 0,
  )
  assert.equal((await get(`${id}/stages/0/results`)).total, 5)
})

async function policy(domain: string, limits: object): Promise<void> {
  const { status, text } = await server.call('POST', '/v1/gonogo/policies', {
    body: { name: domain, domain, policy: limits },
  })
  assert.equal(status, 201, text)
}

/** Any window that ends with a request holds no more than the limit; the clocks of both sides differ by a hair. */
/** A dispatch is booked before it is on its way, and a busy machine delays some more than others. */
const ON_THE_WAY_MS = 200

function assertWithin({ requests }: Target, windowMs: number, limit: number): void {
  for (const { at } of requests) {
    const inside = requests.filter(other => other.at <= at && other.at > at - windowMs + ON_THE_WAY_MS)
    assert.ok(inside.length <= limit, `${inside.length} requests within ${windowMs} ms, not ${limit}`)
  }
}

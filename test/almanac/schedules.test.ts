import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startDemo } from '../../demo/server.ts'
import { type Assembly, assemble } from '../../src/assembly.ts'
import { createLog } from '../../src/log.ts'
import { RunBook } from '../../src/services/almanac/run-book.ts'
import { loadSettings } from '../../src/settings.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { receiver } from '../stores/receiver.ts'
import { ManualClock } from './manual-clock.ts'

const START = '2026-03-01T00:00:00.000Z'
const QUICK = 'range 1 1 n'

interface World extends Assembly {
  readonly data: string
  stop(): Promise<void>
}

/** All of Forage but its HTTP server, going by a clock of ours. */
async function world(clock: ManualClock, folder?: string): Promise<World> {
  const data = folder ?? (await mkdtemp(join(tmpdir(), 'forage-almanac-')))
  if (folder === undefined) after(() => rm(data, { recursive: true, force: true }))
  await using parts = new AsyncDisposableStack()
  const { settings } = loadSettings({ FORAGE_DATA: data })
  const logged: string[] = []
  const log = createLog({ level: 'error', destination: { write: line => void logged.push(line) } })
  const assembly = await assemble(parts, settings, log, { takesUp: true, clock })
  await assembly.supervisor.start(['almanac'])
  parts.defer(() => assembly.supervisor.stop(5000))
  const running = parts.move()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= running.disposeAsync()
    return stopped
  }
  after(async () => {
    await stop()
    assert.deepEqual(logged, [])
  })
  return { ...assembly, data, stop }
}

const page = { offset: 0, limit: 100 }

/** The runs of a schedule, the first one first. */
const runsOf = async ({ almanac }: World, id: string) => (await almanac.runs(id, page)).items.toReversed()

test('runs every so many minutes from when it was enabled, and drift never adds up', async () => {
  const clock = new ManualClock(START)
  const forage = await world(clock)
  const { schedules } = forage.almanac
  const { id, nextRun } = await schedules.create({ query: QUICK, minutes: 10 })
  assert.equal(nextRun, '2026-03-01T00:10:00.000Z')
  // Each look comes late, by more each time.
  for (const late of [0, 1, 2, 3, 4]) {
    const due = Date.parse((await schedules.get(id)).nextRun!)
    clock.jumpTo(due + late * 60_000)
    await forage.almanac.idle()
  }
  const runs = await runsOf(forage, id)
  assert.deepEqual(
    runs.map(run => run.dueAt),
    ['10', '20', '30', '40', '50'].map(minute => `2026-03-01T00:${minute}:00.000Z`),
  )
  assert.deepEqual(
    runs.map(run => run.status),
    runs.map(() => 'completed'),
  )
  const { scheduledId } = await forage.sirp.processor.queries.record(runs[0]!.queryId)
  assert.equal(scheduledId, id)
  assert.equal((await schedules.get(id)).runs, 5)
})

test('disabled it does not run; enabled again it counts from then', async () => {
  const clock = new ManualClock(START)
  const forage = await world(clock)
  const { schedules } = forage.almanac
  const { id } = await schedules.create({ query: QUICK, minutes: 10 })
  assert.equal((await schedules.disable(id)).nextRun, null)
  clock.advance(60)
  await forage.almanac.idle()
  assert.deepEqual(await runsOf(forage, id), [])
  clock.advance(3)
  assert.equal((await schedules.enable(id)).nextRun, '2026-03-01T01:13:00.000Z')
  assert.equal(
    (await schedules.update(id, { query: QUICK, ttl: 60 }, () => {})).nextRun,
    '2026-03-01T01:13:00.000Z',
  )
  assert.equal(
    (await schedules.update(id, { query: QUICK, minutes: 5 }, () => {})).nextRun,
    '2026-03-01T01:08:00.000Z',
  )
})

test('goes by a cron expression in a time zone, over the change of the clocks', async () => {
  const clock = new ManualClock('2026-03-27T00:00:00.000Z')
  const forage = await world(clock)
  const cron = { query: QUICK, cron: '30 6 * * *', timeZone: 'Europe/Zurich' }
  const { id } = await forage.almanac.schedules.create(cron)
  for (let day = 0; day < 4; day++) {
    clock.jumpTo(Date.parse((await forage.almanac.schedules.get(id)).nextRun!))
    await forage.almanac.idle()
  }
  assert.deepEqual(
    (await runsOf(forage, id)).map(run => run.dueAt.slice(5, 16)),
    ['03-27T05:30', '03-28T05:30', '03-29T04:30', '03-30T04:30'],
  )
  const refusals = [
    { cron: 'every day' },
    { cron: '0 0 * * *', minutes: 5 },
    { cron: '0 0 * * *', timeZone: 'Mars/Olympus' },
    { minutes: 5, timeZone: 'Europe/Zurich' },
  ]
  for (const refused of refusals)
    await assert.rejects(forage.almanac.schedules.create({ query: QUICK, ...refused }), {
      code: 'invalid_request',
    })
})

test('a run that is due while another runs is skipped and counted, or one waits', async () => {
  for (const overlap of ['skip', 'queue'] as const) {
    const site = await heldSite()
    const clock = new ManualClock(START)
    const forage = await world(clock)
    const query = `api get ${site.url} --timeout 60`
    const { id } = await forage.almanac.schedules.create({ query, minutes: 1, overlap })
    for (const runs of [1, 2, 3]) {
      clock.advance(1)
      await booked(forage, id, runs)
    }
    await assert.rejects(forage.almanac.run(id), { code: 'wrong_state' })
    site.release()
    await forage.almanac.idle()
    const statuses = (await runsOf(forage, id)).map(run => run.status).sort()
    const { skipped, runs } = await forage.almanac.schedules.get(id)
    if (overlap === 'skip')
      assert.deepEqual([statuses, skipped, runs], [['completed', 'skipped', 'skipped', 'skipped'], 3, 1])
    else assert.deepEqual([statuses, skipped, runs], [['completed', 'completed', 'skipped', 'skipped'], 2, 2])
  }
})

interface Site {
  readonly url: string
  readonly requests: () => number
  release(): void
}

/** Answers `[{"a":1}]`: once it is released, when it is held. */
async function site(held: Promise<void>): Promise<Omit<Site, 'release'>> {
  let requests = 0
  const server = createServer(async (_request, response) => {
    requests++
    await held
    response.writeHead(200, { 'content-type': 'application/json' }).end('[{"a":1}]')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

async function heldSite(): Promise<Site> {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { ...(await site(promise)), release: resolve }
}

async function booked(forage: World, id: string, runs: number): Promise<void> {
  while ((await forage.almanac.runs(id, page)).total < runs)
    await new Promise(resolve => setImmediate(resolve))
}

test('failures in a row are counted, and disable it when asked', async () => {
  const clock = new ManualClock(START)
  const forage = await world(clock)
  const failing = 'range 1 1 n || filter "missing > 1"'
  const { id } = await forage.almanac.schedules.create({ query: failing, minutes: 1, disableAfter: 3 })
  for (let minute = 0; minute < 5; minute++) {
    await forage.almanac.idle()
    clock.advance(1)
  }
  await forage.almanac.idle()
  const schedule = await forage.almanac.schedules.get(id)
  assert.deepEqual(
    [schedule.enabled, schedule.failures, schedule.runs, schedule.nextRun],
    [false, 3, 3, null],
  )
  assert.equal(schedule.lastRun?.status, 'failed')
  assert.match((await runsOf(forage, id))[0]!.error ?? '', /missing/)
  const enabled = await forage.almanac.schedules.enable(id)
  assert.deepEqual([enabled.enabled, enabled.failures], [true, 0])
})

test('after a stop, what was missed is made up once', async () => {
  const clock = new ManualClock(START)
  const first = await world(clock)
  const { id } = await first.almanac.schedules.create({ query: QUICK, minutes: 10 })
  await first.stop()
  clock.advance(95)
  const second = await world(clock, first.data)
  await second.almanac.idle()
  const runs = await runsOf(second, id)
  assert.deepEqual(
    runs.map(run => [run.cause, run.status, run.dueAt]),
    [['missed', 'completed', '2026-03-01T00:10:00.000Z']],
  )
  assert.equal((await second.almanac.schedules.get(id)).nextRun, '2026-03-01T01:40:00.000Z')
})

test('a run that was booked before a crash is dispatched once, with the id that it was booked with', async () => {
  const clock = new ManualClock(START)
  const first = await world(clock)
  const lost = await first.almanac.schedules.create({ query: QUICK, minutes: 10 })
  const done = await first.almanac.schedules.create({ query: QUICK, minutes: 10 })
  await first.stop()

  // What a process leaves that dies right after the booking, and one that dies after the dispatch.
  const catalog = openSqliteCatalog({ path: first.folder.catalogFile })
  const book = new RunBook(catalog, clock)
  const bookings = await Promise.all([lost, done].map(({ id }) => book.bookByHand(id)))
  await catalog.close()
  const [lostRun, doneRun] = bookings.map(booking => booking!.run.query_id)
  const between = await world(clock, first.data)
  await between.almanac.idle()
  await between.stop()
  const reopened = openSqliteCatalog({ path: first.folder.catalogFile })
  await reopened.db
    .updateTable('schedule_runs')
    .set({ status: 'booked', finished_at: null })
    .where('query_id', '=', doneRun!)
    .execute()
  await reopened.close()

  const second = await world(clock, first.data)
  await second.almanac.idle()
  const { items } = await second.sirp.processor.queries.list({}, { offset: 0, limit: 100 })
  assert.deepEqual(items.map(item => item.id).sort(), [lostRun, doneRun].sort(), 'each query is there once')
  for (const { id } of [lost, done])
    assert.deepEqual(
      (await runsOf(second, id)).map(run => run.status),
      ['completed'],
    )
})

test('what a run fetches it fetches anew, unless a stage says otherwise', async () => {
  const clock = new ManualClock(START)
  const forage = await world(clock)
  for (const [flags, expected] of [
    ['', 3],
    ['--cache true', 1],
  ] as const) {
    const { url, requests } = await site(Promise.resolve())
    const query = `api get ${url} ${flags} || table a`
    const { id } = await forage.almanac.schedules.create({ query, minutes: 1 })
    for (let run = 0; run < 3; run++) {
      await forage.almanac.idle()
      clock.advance(1)
    }
    await forage.almanac.idle()
    await forage.almanac.schedules.disable(id)
    assert.deepEqual(
      (await runsOf(forage, id)).map(run => run.status),
      ['completed', 'completed', 'completed'],
    )
    assert.equal(requests(), expected, flags)
  }
})

test('diff and a store on a schedule: each new row arrives once over a week with failures in between', async () => {
  const clock = new ManualClock(START)
  const forage = await world(clock)
  let day = 0
  const shop = createServer((_request, response) => {
    const rows = Array.from({ length: 3 + 2 * day }, (_, n) => ({ n }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows))
  })
  await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve))
  after(() => shop.close())
  const target = await receiver()
  const arrived = new Map<string, number>()
  let repeated = 0
  target.answer = ({ headers, body }, response) => {
    // Every other day the receiver breaks after the first row that it has not seen.
    const key = String(headers['idempotency-key'])
    const isNew = !arrived.has(key)
    if (isNew && day % 2 === 1 && broken) return void response.writeHead(404).end()
    if (isNew) broken = true
    else repeated++
    arrived.set(key, (JSON.parse(body) as { n: number }).n)
    response.writeHead(204).end()
  }
  let broken = false
  await forage.mentos.stores.create({
    type: 'http',
    config: { store: { name: 'news' }, configuration: { url: target.url, format: 'row' } },
  })
  const { port } = shop.address() as { port: number }
  const query = `api get http://127.0.0.1:${port}/ || diff week-of-news --key n || freeze --store news`
  const { id } = await forage.almanac.schedules.create({ query, minutes: 1440 })
  for (day = 0; day < 7; day++) {
    broken = false
    await forage.almanac.idle()
    clock.advance(1440)
    await forage.almanac.idle()
  }
  assert.deepEqual(
    (await runsOf(forage, id)).map(run => run.status),
    ['completed', 'failed', 'completed', 'failed', 'completed', 'failed', 'completed'],
  )
  assert.deepEqual(
    [...arrived.values()].sort((a, b) => a - b),
    Array.from({ length: 15 }, (_, n) => n),
  )
  assert.equal(repeated, 3, 'what a broken day had delivered is sent again under the same id')
})

interface Priced {
  readonly id: number
  readonly price: number
}

test('the demo shop, watched for a week: the store receives each change of a price once', async () => {
  const clock = new ManualClock(START)
  const forage = await world(clock)
  const shop = await startDemo({ port: 0 })
  after(() => shop.close())
  const setDay = (day: number) =>
    fetch(`${shop.url}/day`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ day }),
    })
  const target = await receiver()
  const received = new Map<string, Priced>()
  let [repeated, mayTake] = [0, Number.POSITIVE_INFINITY]
  target.answer = ({ headers, body }, response) => {
    const key = String(headers['idempotency-key'])
    if (received.has(key)) repeated++
    // Some days the store breaks when it has taken a few new rows, on one before it has taken any.
    else if (mayTake-- <= 0) return void response.writeHead(404).end()
    else received.set(key, JSON.parse(body) as Priced)
    response.writeHead(204).end()
  }
  await forage.mentos.stores.create({
    type: 'http',
    config: { store: { name: 'prices' }, configuration: { url: target.url, format: 'row' } },
  })
  const query = `api get "${shop.url}/api/linked?size=100" --pagination.link --pagination.max 0 || table id price || diff shop-prices --key id || freeze --store prices`
  const { id } = await forage.almanac.schedules.create({ query, minutes: 1440 })
  const taken = [Infinity, Infinity, 5, Infinity, 0, 3, Infinity, Infinity]
  for (const [day, most] of taken.entries()) {
    await setDay(day)
    mayTake = most
    clock.advance(1440)
    await forage.almanac.idle()
  }
  assert.deepEqual(
    (await runsOf(forage, id)).map(run => run.status),
    taken.map(most => (most === Infinity ? 'completed' : 'failed')),
  )
  const known = new Map<number, number>()
  for (const { id: product, price } of received.values()) {
    assert.notEqual(known.get(product), price, `product ${product} was told twice of ${price}`)
    known.set(product, price)
  }
  const pages = [1, 2, 3, 4, 5].map(async page => {
    const answer = await fetch(`${shop.url}/api/linked?size=100&page=${page}`)
    return (await answer.json()) as Priced[]
  })
  const now = (await Promise.all(pages)).flat()
  assert.deepEqual(known, new Map(now.map(({ id: product, price }) => [product, price])), 'none is missed')
  assert.ok(received.size > now.length + 50, 'prices changed')
  assert.ok(repeated > 0, 'what a broken day had delivered is sent again under the same id')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Execute, Job, JobOutcome, JobQueue, Turn } from '../../src/engine/jobs.ts'

const job = (queryId: string, index: number, concurrency = 2, stage = 1): Job => ({
  id: `${queryId}.${stage}.${index}`,
  queryId,
  stageId: `${queryId}.${stage}`,
  stage,
  index,
  command: 'api',
  input: { n: index },
  concurrency,
})

const outcome = ({ id, input }: Job): JobOutcome => ({
  rows: [input],
  record: {
    status: 'completed',
    error: null,
    text: JSON.stringify({ id }),
  },
})

/** A worker whose jobs end when the test says so. */
class Workshop {
  readonly begun: string[] = []
  readonly #ends = new Map<string, PromiseWithResolvers<void>>()
  /** Jobs that wait for a domain first, and what opens it. */
  readonly pauses = new Map<string, Promise<unknown>>()
  mostAtOnce = 0
  atOnce = 0

  readonly execute: Execute = async (given, place, signal) => {
    this.begun.push(given.id)
    this.#enter()
    try {
      await this.#pause(given, place)
      await Promise.race([this.#end(given.id).promise, aborted(signal)])
      return outcome(given)
    } finally {
      this.atOnce--
    }
  }

  finish(id: string): void {
    this.#end(id).resolve()
  }

  fail(id: string, error: Error): void {
    this.#end(id).reject(error)
  }

  async #pause({ id }: Job, place: Turn): Promise<void> {
    const opened = this.pauses.get(id)
    if (!opened) return
    this.atOnce--
    try {
      await place.pause('slow.test', () => opened)
    } finally {
      this.#enter()
    }
  }

  #enter(): void {
    this.atOnce++
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce)
  }

  #end(id: string): PromiseWithResolvers<void> {
    const end = this.#ends.get(id) ?? Promise.withResolvers<void>()
    this.#ends.set(id, end)
    return end
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Until everything that can go on has. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn()
}

const never = new AbortController().signal

const run = (queue: JobQueue, given: Job, signal: AbortSignal): Promise<JobOutcome> =>
  new Promise((resolve, reject) => {
    queue.run(given, signal, {
      ended: (ended, made) => (ended === given ? resolve(made) : reject(new Error('another job'))),
      failed: (_, reason) => reject(reason),
    })
  })

/** What every queue must do, whatever keeps its jobs. */
export function jobQueueSuite(kind: string, create: () => JobQueue | Promise<JobQueue>): void {
  test(`${kind}: gives each job's outcome to whoever asked for it`, async () => {
    const queue = await create()
    await using _worker = queue.serve(async given => outcome(given), 4)
    const ran = await Promise.all(Array.from({ length: 50 }, (_, n) => run(queue, job('a', n), never)))
    assert.deepEqual(
      ran.map(({ rows }) => rows),
      Array.from({ length: 50 }, (_, n) => [{ n }]),
    )
    assert.deepEqual(queue.counts, { queued: 0, running: 0, waiting: 0 })
  })

  test(`${kind}: a job waits for a worker, and the list says so`, async () => {
    const queue = await create()
    const ran = run(queue, job('a', 7), never)
    const { items, total } = queue.list({ offset: 0, limit: 10 })
    assert.equal(total, 1)
    const { since, ...view } = items[0]!
    assert.deepEqual(view, {
      id: 'a.1.7',
      queryId: 'a',
      stage: 1,
      row: 7,
      command: 'api',
      status: 'queued',
      domain: null,
    })
    assert.ok(Date.parse(since) > 0)
    await using _worker = queue.serve(async given => outcome(given), 1)
    assert.deepEqual((await ran).rows, [{ n: 7 }])
    assert.equal(queue.list({ offset: 0, limit: 10 }).total, 0)
  })

  test(`${kind}: passes on what execute threw, and goes on`, async () => {
    const queue = await create()
    const shop = new Workshop()
    await using _worker = queue.serve(shop.execute, 1)
    const failing = run(queue, job('a', 0), never)
    const next = run(queue, job('a', 1), never)
    shop.fail('a.1.0', new Error('broken'))
    shop.finish('a.1.1')
    await assert.rejects(failing, /broken/)
    assert.deepEqual((await next).rows, [{ n: 1 }])
  })

  test(`${kind}: a stage never has more at once than it may, nor a worker more than its places`, async () => {
    const queue = await create()
    const narrow = new Workshop()
    await using _worker = queue.serve(narrow.execute, 5)
    const jobs = ['a', 'b', 'c'].flatMap(query => Array.from({ length: 6 }, (_, n) => job(query, n, 2)))
    const all = Promise.all(jobs.map(given => run(queue, given, never)))
    await settle()
    assert.equal(narrow.atOnce, 5)
    const running = queue.list({ offset: 0, limit: 100 }).items.filter(({ status }) => status === 'running')
    for (const query of ['a', 'b', 'c'])
      assert.ok(running.filter(({ queryId }) => queryId === query).length <= 2, `${query} has too many`)
    for (const { id } of jobs) narrow.finish(id)
    await all
    assert.equal(narrow.mostAtOnce, 5)
  })

  test(`${kind}: stages take turns, so a long query does not keep a short one waiting`, async () => {
    const queue = await create()
    const shop = new Workshop()
    await using _worker = queue.serve(shop.execute, 2)
    const long = Array.from({ length: 100 }, (_, n) => job('long', n, 50))
    const short = Array.from({ length: 3 }, (_, n) => job('short', n, 50))
    const all = Promise.all([...long, ...short].map(given => run(queue, given, never)))
    for (const { id } of [...long, ...short]) shop.finish(id)
    await all
    const lastShort = shop.begun.indexOf('short.1.2')
    assert.ok(lastShort < 10, `the short query was done after ${lastShort} jobs`)
  })

  test(`${kind}: a job that waits for a domain lets others have its place, and gets one again`, async () => {
    const queue = await create()
    const shop = new Workshop()
    const domain = Promise.withResolvers<void>()
    shop.pauses.set('a.1.0', domain.promise)
    await using _worker = queue.serve(shop.execute, 1)
    const slow = run(queue, job('a', 0, 1), never)
    const quick = run(queue, job('a', 1, 1), never)
    const last = run(queue, job('a', 2, 1), never)
    await settle()
    assert.deepEqual(queue.counts, { queued: 1, running: 1, waiting: 1 })
    const { items } = queue.list({ offset: 0, limit: 1 })
    assert.deepEqual([items[0]!.status, items[0]!.domain], ['waiting', 'slow.test'])
    domain.resolve()
    await settle()
    assert.equal(shop.atOnce, 1, 'it must not go on before there is a place')
    shop.finish('a.1.1')
    await quick
    await settle()
    assert.deepEqual(shop.begun, ['a.1.0', 'a.1.1'], 'one that comes back is before new ones')
    shop.finish('a.1.0')
    shop.finish('a.1.2')
    await Promise.all([slow, last])
    assert.equal(shop.mostAtOnce, 1)
  })

  test(`${kind}: an aborted job ends at once, queued, running, waiting or coming back`, async () => {
    const queue = await create()
    const shop = new Workshop()
    const opened = Promise.withResolvers<void>()
    shop.pauses.set('b.1.0', opened.promise)
    await using _worker = queue.serve(shop.execute, 1)
    const controller = new AbortController()
    const comingBack = run(queue, job('b', 0), controller.signal)
    // Holds the only place until the end, whatever happens to the others.
    const stubborn = run(queue, job('a', 0), never)
    const queued = run(queue, job('b', 1), controller.signal)
    await settle()
    opened.resolve()
    await settle()
    controller.abort(new Error('given up'))
    await assert.rejects(queued, /given up/)
    await assert.rejects(comingBack, /given up/)
    await assert.rejects(run(queue, job('b', 2), controller.signal), /given up/)
    assert.deepEqual(queue.counts, { queued: 0, running: 1, waiting: 0 })
    shop.finish('a.1.0')
    await stubborn
    const running = new AbortController()
    const begun = run(queue, job('c', 0), running.signal)
    await settle()
    running.abort(new Error('enough'))
    await assert.rejects(begun, /enough/)
    assert.deepEqual(shop.begun, ['b.1.0', 'a.1.0', 'c.1.0'])
  })

  test(`${kind}: aborting one stage leaves the others alone`, async () => {
    const queue = await create()
    const controller = new AbortController()
    const gone = Promise.allSettled([0, 1, 2].map(n => run(queue, job('a', n), controller.signal)))
    const kept = [0, 1, 2].map(n => run(queue, job('b', n), never))
    controller.abort(new Error('given up'))
    assert.ok((await gone).every(({ status }) => status === 'rejected'))
    await using _worker = queue.serve(async given => outcome(given), 1)
    assert.equal((await Promise.all(kept)).length, 3)
  })

  test(`${kind}: a worker that leaves finishes what runs; the rest goes on with the next one`, async () => {
    const queue = await create()
    const first = new Workshop()
    const domain = Promise.withResolvers<void>()
    first.pauses.set('a.1.0', domain.promise)
    const serving = queue.serve(first.execute, 2)
    const jobs = [0, 1, 2].map(n => run(queue, job('a', n, 1), never))
    await settle()
    assert.deepEqual(first.begun, ['a.1.0', 'a.1.1'])
    let left = false
    const leaving = serving[Symbol.asyncDispose]()
    void leaving.then(() => {
      left = true
    })
    await settle()
    assert.equal(left, false, 'one of its jobs still runs')
    first.finish('a.1.1')
    await leaving
    domain.resolve()
    await settle()
    const second = new Workshop()
    await using _worker = queue.serve(second.execute, 2)
    first.finish('a.1.0')
    second.finish('a.1.2')
    await Promise.all(jobs)
    assert.deepEqual([first.begun, second.begun], [['a.1.0', 'a.1.1'], ['a.1.2']])
  })

  test(`${kind}: the list is paged, oldest first`, async () => {
    const queue = await create()
    const controller = new AbortController()
    const all = Promise.allSettled([0, 1, 2, 3].map(n => run(queue, job('a', n), controller.signal)))
    const page = queue.list({ offset: 1, limit: 2 })
    assert.deepEqual([page.items.map(({ row }) => row), page.total], [[1, 2], 4])
    controller.abort()
    await all
  })
}

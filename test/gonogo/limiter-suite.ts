import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limiter } from '../../src/services/gonogo/limiter.ts'
import { type Limits, windowMs, windowNames } from '../../src/services/gonogo/limits.ts'
import fc from '../support/fast-check.ts'

/** A clock that moves only when told; timers run in order on the way. */
export class ManualClock {
  #now = 1_750_000_000_000
  #timers: { at: number; callback: () => void }[] = []

  now = () => this.#now

  after = (ms: number, callback: () => void) => {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer)
    }
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter(timer => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
      await new Promise(resolve => setImmediate(resolve))
    }
    this.#now = end
  }

  get timers(): number {
    return this.#timers.length
  }
}

export interface Setup {
  readonly limiter: Limiter
  readonly clock: ManualClock
  /** Sets the policies, by domain. */
  setPolicies(policies: Readonly<Record<string, Limits>>): void | Promise<void>
}

/** Whether every window that ends with the last of these times is within its limit. */
function isWithin(limits: Limits, times: readonly number[]): boolean {
  const end = times.at(-1)!
  return windowNames.every(name => {
    const limit = limits[name]
    return limit === undefined || times.filter(at => at > end - windowMs[name]).length <= limit
  })
}

/** What every limiter must do, whatever keeps its books. */
export function limiterSuite(kind: string, setup: () => Setup | Promise<Setup>): void {
  test(`${kind}: windows slide, and all of them hold`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ 'a.test': { perSecond: 2, perTenSeconds: 3 } })
    const book = () => limiter.tryBook('a.test')
    assert.equal((await book()).go, true)
    await clock.advance(400)
    assert.deepEqual([(await book()).go, (await book()).retryAfterMs], [true, 600])
    await clock.advance(599)
    assert.deepEqual((await book()).retryAfterMs, 1)
    await clock.advance(1)
    assert.equal((await book()).go, true, 'the first one is exactly a second back')
    await clock.advance(5000)
    assert.equal((await book()).retryAfterMs, 4000, 'three within ten seconds')
    await clock.advance(4000)
    assert.equal((await book()).go, true)
  })

  test(`${kind}: nothing given is 1, 10, 60; 0 is never; a missing window is no limit`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    const verdict = await limiter.tryBook('x.test')
    assert.deepEqual(verdict.policy, {
      id: null,
      name: null,
      domain: '*',
      policy: { perSecond: 1, perTenSeconds: 10, perMinute: 60 },
    })
    assert.equal((await limiter.tryBook('x.test')).retryAfterMs, 1000)
    for (let count = 1; count < 10; count++) {
      await clock.advance(1000)
      assert.equal((await limiter.tryBook('x.test')).go, true)
    }
    await setPolicies({ 'never.test': { perMinute: 0 }, 'free.test': {} })
    assert.deepEqual(
      [(await limiter.tryBook('never.test')).go, (await limiter.tryBook('never.test')).retryAfterMs],
      [false, null],
    )
    await assert.rejects(limiter.acquire('never.test'), { code: 'forbidden' })
    for (let count = 0; count < 100; count++) assert.equal((await limiter.tryBook('free.test')).go, true)
    for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.8.8.8', '::1'])
      for (let count = 0; count < 5; count++) assert.equal((await limiter.tryBook(host)).go, true, host)
  })

  test(`${kind}: each host has its own windows, and each spelling of it the same`, async () => {
    const { limiter, setPolicies } = await setup()
    await setPolicies({ '*.b.test': { perSecond: 1 } })
    assert.equal((await limiter.tryBook('one.b.test')).go, true)
    assert.equal((await limiter.tryBook('two.b.test')).go, true)
    for (const spelling of ['one.b.test', 'ONE.b.test', 'one.b.test.', 'one.b.test:8080'])
      assert.equal((await limiter.tryBook(spelling)).go, false, spelling)
    assert.equal((await limiter.tryBook('bücher.test')).go, true)
    assert.equal((await limiter.tryBook('xn--bcher-kva.test')).go, false)
  })

  test(`${kind}: the same id books once within 60 s`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ '*': { perMinute: 2 } })
    const book = async (id?: string, host = 'a.test') => (await limiter.tryBook(host, id)).go
    assert.deepEqual([await book('i'), await book('i'), await book('i')], [true, true, true])
    assert.equal(await book('j'), true, 'i was booked once')
    assert.deepEqual([await book('k'), await book('i'), await book()], [false, true, false])
    assert.equal(await book('i', 'b.test'), true)
    await clock.advance(60_000)
    assert.deepEqual(
      [await book('k'), await book('i'), await book('i'), await book()],
      [true, true, true, false],
    )
  })

  test(`${kind}: who waits is served in order, and holds no other host up`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ 'slow.test': { perSecond: 1 } })
    const order: string[] = []
    const waits = ['a', 'b', 'c', 'd'].map(name =>
      limiter.acquire('slow.test', undefined, name < 'c' ? 'first' : 'second').then(() => order.push(name)),
    )
    await limiter.acquire('quick.test')
    await clock.advance(0)
    assert.deepEqual(order, ['a'])
    const untilMs = clock.now() + 1000
    assert.deepEqual(limiter.waiting(), [{ domain: 'slow.test', untilMs, jobs: 3 }])
    assert.deepEqual(limiter.waiting('first'), [{ domain: 'slow.test', untilMs, jobs: 1 }])
    assert.deepEqual(limiter.waiting('nobody'), [])
    await clock.advance(1000)
    assert.deepEqual(order, ['a', 'b'])
    await clock.advance(2000)
    await Promise.all(waits)
    assert.deepEqual(order, ['a', 'b', 'c', 'd'])
    assert.deepEqual(limiter.waiting(), [])
    assert.equal(clock.timers, 0)
  })

  test(`${kind}: who leaves loses the place and books nothing`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ '*': { perSecond: 1 } })
    await limiter.acquire('a.test')
    const leaving = new AbortController()
    const gone = limiter.acquire('a.test', leaving.signal)
    const next = limiter.acquire('a.test')
    leaving.abort(new Error('left'))
    await assert.rejects(gone, /left/)
    await assert.rejects(limiter.acquire('a.test', leaving.signal), /left/)
    assert.equal(limiter.waiting()[0]?.jobs, 1)
    await clock.advance(1000)
    await next
    await clock.advance(1000)
    assert.equal((await limiter.tryBook('a.test')).go, true)
  })

  test(`${kind}: when the last one who waited has left, no clock runs on`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ '*': { perMinute: 1 } })
    await limiter.acquire('a.test')
    const leaving = new AbortController()
    const gone = [limiter.acquire('a.test', leaving.signal), limiter.acquire('a.test', leaving.signal)]
    assert.equal(clock.timers, 1)
    leaving.abort(new Error('left'))
    for (const wait of gone) await assert.rejects(wait, /left/)
    assert.equal(clock.timers, 0)
    assert.deepEqual(limiter.waiting(), [])
  })

  test(`${kind}: a host that is held back is so for everybody, limited or not`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ 'a.test': {} })
    for (const host of ['a.test', 'localhost']) {
      await limiter.holdBack(host, clock.now() + 5000)
      await limiter.holdBack(host, clock.now() + 10)
      assert.equal((await limiter.tryBook(host)).retryAfterMs, 5000)
      let served = 0
      const waits = [limiter.acquire(host), limiter.acquire(host)].map(wait => wait.then(() => served++))
      await clock.advance(4000)
      await limiter.holdBack(host, clock.now() + 3000)
      await clock.advance(2000)
      assert.equal(served, 0)
      assert.equal((await limiter.tryBook('b.test')).go, true)
      await clock.advance(1000)
      await Promise.all(waits)
      assert.equal(served, 2)
    }
    await limiter.holdBack('a.test', clock.now() + 86_400_000)
    assert.equal((await limiter.tryBook('a.test')).retryAfterMs, 3_600_000, 'an hour is the most')
  })

  test(`${kind}: a changed policy holds for those who wait`, async () => {
    const { limiter, clock, setPolicies } = await setup()
    await setPolicies({ 'a.test': { perMinute: 1 } })
    await limiter.acquire('a.test')
    const waits = [limiter.acquire('a.test'), limiter.acquire('a.test')]
    await setPolicies({ 'a.test': { perMinute: 2 } })
    await waits[0]
    const refused = assert.rejects(waits[1]!, { code: 'forbidden' })
    await setPolicies({ 'a.test': { perMinute: 0 } })
    await refused
    assert.equal(clock.timers, 0)
    await setPolicies({ 'a.test': { perMinute: 3 } })
    assert.equal((await limiter.tryBook('a.test')).go, true, 'what was booked before is remembered')
    assert.equal((await limiter.tryBook('a.test')).go, false)
  })

  const limit = fc.option(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 20, max: 60 })), {
    nil: undefined,
  })
  const policy = fc.record({ perSecond: limit, perTenSeconds: limit, perMinute: limit })
  const step = fc.record({ wait: fc.oneof(fc.nat(300), fc.nat(9000)), direct: fc.nat(20), queued: fc.nat(4) })
  test(`${kind}: in no window of a recorded run is a limit passed`, async () => {
    await fc.assert(
      fc.asyncProperty(policy, fc.array(step, { maxLength: 40 }), async (given, steps) => {
        const limits = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        const { limiter, clock, setPolicies } = await setup()
        await setPolicies({ 'a.test': limits })
        const times: number[] = []
        const waits: Promise<unknown>[] = []
        const bookOne = async () => {
          const { go } = await limiter.tryBook('a.test')
          if (go) times.push(clock.now())
          else assert.ok(!isWithin(limits, [...times, clock.now()]), 'it refuses only where it must')
        }
        for (const { wait, direct, queued } of steps) {
          await clock.advance(wait)
          for (let count = 0; count < direct; count++) await bookOne()
          for (let count = 0; count < queued; count++)
            waits.push(limiter.acquire('a.test').then(() => times.push(clock.now())))
          await new Promise(resolve => setImmediate(resolve))
        }
        while (limiter.waiting().length > 0) await clock.advance(60_000)
        await Promise.all(waits)
        for (const index of times.keys()) assert.ok(isWithin(limits, times.slice(0, index + 1)))
      }),
      { numRuns: 60 },
    )
  })
}

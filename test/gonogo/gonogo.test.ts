import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Dialer } from '../../src/network/dialer.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { withRetries } from '../../src/network/retry.ts'
import { Scope } from '../../src/network/scope.ts'
import { readDomain, readHost } from '../../src/services/gonogo/domains.ts'
import type { Limits } from '../../src/services/gonogo/limits.ts'
import { MemoryLimiter } from '../../src/services/gonogo/memory-limiter.ts'
import { PolicyBook } from '../../src/services/gonogo/policy-book.ts'
import { GonogoService } from '../../src/services/gonogo/service.ts'
import { Windows } from '../../src/services/gonogo/windows.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { startServer } from '../http/support.ts'
import { limiterSuite, ManualClock } from './limiter-suite.ts'

const entry = (domain: string, policy: Limits = {}) => ({ id: domain, name: domain, domain, policy })

limiterSuite('in memory', () => {
  const book = new PolicyBook()
  const clock = new ManualClock()
  const limiter = new MemoryLimiter(book, clock)
  return {
    limiter,
    clock,
    setPolicies: policies => {
      book.replace(Object.entries(policies).map(([domain, limits]) => entry(domain, limits)))
      limiter.policiesChanged()
    },
  }
})

test('windows keep the order of time when their ring grows round its end', () => {
  const windows = new Windows()
  for (let at = 0; at < 10; at++) windows.book(at)
  for (let at = 70_000; at < 70_040; at++) windows.book(at)
  for (let limit = 1; limit <= 40; limit++) assert.equal(windows.roomAt({ perSecond: limit }), 71_040 - limit)
  assert.equal(
    windows.roomAt({ perSecond: 41, perMinute: 41 }),
    0,
    'what is older than a minute is forgotten',
  )
})

test('the most exact policy alone applies', () => {
  const book = new PolicyBook()
  book.replace(['a.b.com', '*.b.com', '*.a.b.com', '10.0.0.1', '*.1'].map(domain => entry(domain)))
  const matched = (host: string) => book.match(host)?.domain
  assert.equal(matched('a.b.com'), 'a.b.com')
  assert.equal(matched('x.a.b.com'), '*.a.b.com')
  assert.equal(matched('c.b.com'), '*.b.com')
  assert.equal(matched('d.c.b.com'), '*.b.com')
  assert.equal(matched('10.0.0.1'), '10.0.0.1')
  assert.equal(book.match('b.com')?.id, null, '*.b.com is not b.com itself')
  assert.equal(book.match('10.0.0.2')?.id, null)
  assert.equal(book.match('20.0.0.1')?.id, null, 'an address has no domains above it')
  assert.equal(book.match('xb.com')?.id, null)
  for (const host of ['localhost', 'app.localhost', '127.0.0.1', '::1'])
    assert.equal(book.match(host), null, host)
  book.replace([entry('*')])
  for (const host of ['b.com', 'localhost', '127.0.0.1']) assert.equal(matched(host), '*', host)
})

test('hosts and domains as they are compared', () => {
  const hosts: [string, string | undefined][] = [
    ['Example.COM', 'example.com'],
    ['example.com:8080', 'example.com'],
    ['example.com.', 'example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['[::1]:80', '::1'],
    ['::1', '::1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['0x7f.1', '127.0.0.1'],
    ['a_b.example', 'a_b.example'],
    ['', undefined],
    ['a b', undefined],
    ['http://a.com', undefined],
    ['a.com/path', undefined],
    ['user@a.com', undefined],
    ['*.a.com', undefined],
    ['a..com', undefined],
    ['fe80::1%eth0', undefined],
  ]
  for (const [text, host] of hosts) assert.equal(readHost(text), host, text)
  const domains: [string, string | undefined][] = [
    ['*', '*'],
    ['*.Bücher.example', '*.xn--bcher-kva.example'],
    ['*.com', '*.com'],
    ['A.b.com', 'a.b.com'],
    ['*.', undefined],
    ['**', undefined],
    ['a.*.com', undefined],
    ['*.1.2.3.4', undefined],
    ['*.a.com:80', undefined],
  ]
  for (const [text, domain] of domains) assert.equal(readDomain(text), domain, text)
})

test('hosts that nobody asks any more are forgotten', async () => {
  const clock = new ManualClock()
  const limiter = new MemoryLimiter(new PolicyBook(), clock)
  for (let round = 0; round < 4; round++) {
    for (let index = 0; index < 1000; index++) limiter.tryBook(`h${round}-${index}.test`)
    await clock.advance(60_000)
  }
  limiter.tryBook('last.test')
  assert.ok(limiter.hosts <= 2001, String(limiter.hosts))
})

test('a server that answers 429 is held back, and nothing is lost', async context => {
  const seen: number[] = []
  let refusals = 6
  const target = createServer((_, answer) => {
    seen.push(performance.now())
    if (refusals-- > 0) answer.writeHead(429, { 'retry-after': '0.05' }).end('later')
    else answer.end('at last')
  })
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve))
  const client = new HttpClient(new Dialer(new NetworkPolicy({ exposed: false, network: [] })))
  context.after(async () => {
    await client.close()
    await new Promise(resolve => target.close(resolve))
  })
  const limiter = new MemoryLimiter(new PolicyBook())
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
  const fetchOne = () =>
    withRetries(
      { method: 'GET', retries: 0, holdBack: (at, until) => limiter.holdBack(at.hostname, until) },
      () =>
        client.request({
          url,
          scope: Scope.ofUrl(url),
          beforeSend: at => limiter.acquire(at.hostname),
        }),
    )
  const answers = await Promise.all([fetchOne(), fetchOne(), fetchOne()])
  for (const answer of answers) assert.equal(await answer.text(), 'at last')
  assert.equal(seen.length, 9)
})

async function gonogo(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'forage-gonogo-'))
  const catalog = openSqliteCatalog({ path: join(folder, 'catalog.sqlite') })
  const service = new GonogoService(catalog)
  await service.start()
  context.after(async () => {
    await catalog.close()
    await rm(folder, { recursive: true })
  })
  return {
    service,
    catalog,
    server: await startServer({ server: { gonogo: service } }),
  }
}

test('the use of each window is told for domains that are asked, waited for or held back', async () => {
  const book = new PolicyBook()
  book.replace([entry('a.test', { perSecond: 2, perMinute: 3 }), entry('b.test', { perSecond: 5 })])
  const clock = new ManualClock()
  const limiter = new MemoryLimiter(book, clock)
  assert.deepEqual(limiter.domains(), [])
  limiter.tryBook('b.test')
  await clock.advance(5000)
  for (let count = 0; count < 2; count++) limiter.tryBook('a.test')
  const waits = limiter.acquire('a.test')
  limiter.holdBack('localhost', clock.now() + 9000)
  limiter.tryBook('localhost')
  const use = () =>
    limiter
      .domains()
      .map(({ domain, used, waiting, heldUntilMs, nextMs }) => [
        domain,
        Object.values(used),
        waiting,
        heldUntilMs && heldUntilMs - clock.now(),
        nextMs && nextMs - clock.now(),
      ])
  assert.deepEqual(use(), [
    ['a.test', [2, 2, 2], 1, undefined, 1000],
    ['b.test', [0, 1, 1], 0, undefined, undefined],
    ['localhost', [0, 0, 0], 0, 9000, undefined],
  ])
  await clock.advance(10_000)
  await waits
  assert.deepEqual(use(), [
    ['a.test', [0, 1, 3], 0, undefined, undefined],
    ['b.test', [0, 0, 1], 0, undefined, undefined],
  ])
  await clock.advance(51_000)
  assert.deepEqual(use(), [], 'what is a minute back is not told any more')
})

test('the use of the windows over HTTP', async context => {
  const { service, server } = await gonogo(context)
  await service.policies.create({ name: 'a', domain: '*.test', policy: { perSecond: 5, perMinute: 20 } })
  service.enforce('x.a.test', randomUUID())
  const { status, json } = await server.call('GET', '/v1/gonogo/domains')
  assert.equal(status, 200)
  const [{ policy, windows, ...rest }] = json.items
  assert.deepEqual(rest, { domain: 'x.a.test', heldUntil: null, waiting: 0, nextAt: null })
  assert.deepEqual([policy.name, policy.domain], ['a', '*.test'])
  assert.deepEqual(
    windows.map(({ seconds, limit }: { seconds: number; limit: number | null }) => [seconds, limit]),
    [
      [1, 5],
      [10, null],
      [60, 20],
    ],
  )
  assert.deepEqual([windows[2].used, json.total], [1, 1])
  assert.equal((await server.call('GET', '/v1/gonogo/domains?offset=1')).json.items.length, 0)
})

test('a check judges what it is told, and books nothing', async context => {
  const { service } = await gonogo(context)
  await service.policies.create({ name: 'a', domain: 'a.test', policy: { perSecond: 2, perMinute: '5' } })
  const now = 1_750_000_000_000
  const check = (...dispatches: [number, number][]) => {
    const { go, retryAfterMs } = service.check(
      'A.test:80',
      dispatches.map(([ago, count]) => [now - ago, count] as const),
      now,
    )
    return go || retryAfterMs
  }
  assert.equal(check(), true)
  assert.equal(check([0, 1]), true)
  assert.equal(check([200, 1], [900, 1]), 100)
  assert.equal(check([1000, 2]), true, 'exactly a second back')
  assert.equal(check([59_000, 4], [30_000, 1]), 1000)
  assert.equal(check([59_000, 400]), 1000)
  assert.equal(check([60_000, 400]), true)
  assert.equal(check([0, 0], [10, 0], [20, 0]), true)
  assert.equal(check([-500, 2]), 1500, 'a clock that is ahead')
  assert.equal(service.check('localhost', [[now, 1000]], now).go, true)
  assert.equal(service.enforce('a.test', randomUUID()).go, true)
  assert.equal(service.enforce('a.test', randomUUID()).go, true, 'the checks booked nothing')
})

test('policies over HTTP: made, read, changed, deleted, and what is refused', async context => {
  const { server } = await gonogo(context)
  const policy = { perSecond: 5, perMinute: '100' }
  const made = await server.call('POST', '/v1/gonogo/policies', {
    body: { name: 'Shop', domain: 'Shop.Example', policy },
  })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `/v1/gonogo/policies/${made.json.id}`)
  assert.deepEqual([made.json.domain, made.json.policy], ['shop.example', { perSecond: 5, perMinute: 100 }])
  const path = `/v1/gonogo/policies/${made.json.id}`
  const read = await server.call(
    'GET',
    path.toUpperCase().replace('/V1/GONOGO/POLICIES', '/v1/gonogo/policies'),
  )
  assert.deepEqual([read.status, read.json], [200, made.json])

  const again = await server.call('POST', '/v1/gonogo/policies', {
    body: { name: 'x', domain: 'shop.example.', policy },
  })
  assert.deepEqual([again.status, again.json.code], [409, 'name_taken'])
  const other = await server.call('POST', '/v1/gonogo/policies', {
    body: { name: 'All', domain: '*', policy: {} },
  })
  const clash = await server.call('PUT', `/v1/gonogo/policies/${other.json.id}`, {
    body: { name: 'x', domain: 'shop.example', policy },
  })
  assert.equal(clash.status, 409)
  const list = await server.call('GET', '/v1/gonogo/policies?limit=1')
  assert.deepEqual([list.json.total, list.json.items.length, list.json.limit], [2, 1, 1])

  const change = { name: 'Shop 2', domain: '*.shop.example', policy: { perTenSeconds: 0 } }
  const stale = await server.call('PUT', path, { body: change, headers: { 'if-match': '"old"' } })
  assert.equal(stale.status, 412)
  const changed = await server.call('PUT', path, {
    body: change,
    headers: { 'if-match': read.headers.get('etag')! },
  })
  assert.equal(changed.status, 200)
  assert.deepEqual(
    [changed.json.name, changed.json.domain, changed.json.policy],
    ['Shop 2', '*.shop.example', { perTenSeconds: 0 }],
  )
  const never = await server.call('POST', `/v1/gonogo/domains/a.shop.example/enforce/${randomUUID()}`)
  assert.deepEqual([never.json.go, never.json.retryAfterMs, never.json.policy.name], [false, null, 'Shop 2'])

  assert.equal((await server.call('DELETE', path)).status, 204)
  assert.equal((await server.call('DELETE', path)).status, 404)
  assert.equal((await server.call('GET', path)).status, 404)
  assert.equal((await server.call('PUT', path, { body: change })).status, 404)
  const wrong: [object, string][] = [
    [{ name: 'x', domain: 'a b', policy: {} }, 'domain'],
    [{ name: '', domain: 'a.test', policy: {} }, 'name'],
    [{ name: 'x', domain: 'a.test', policy: { perSecond: -1 } }, 'policy.perSecond'],
    [{ name: 'x', domain: 'a.test', policy: { perSecond: 1.5 } }, 'policy.perSecond'],
    [{ name: 'x', domain: 'a.test', policy: { perMinute: 'many' } }, 'policy.perMinute'],
    [{ name: 'x', domain: 'a.test', policy: { perHour: 1 } }, 'policy.perHour'],
    [{ name: 'x', domain: 'a.test' }, 'policy'],
  ]
  for (const [body, field] of wrong) {
    const refused = await server.call('POST', '/v1/gonogo/policies', { body })
    assert.equal(refused.status, 400, JSON.stringify(body))
    assert.equal(refused.json.errors[0].path, `$.${field}`)
  }
})

test('enforce, check and env over HTTP', async context => {
  const { server } = await gonogo(context)
  const id = randomUUID()
  const enforce = (domain: string, by: string = id) =>
    server.call('POST', `/v1/gonogo/domains/${encodeURIComponent(domain)}/enforce/${by}`)
  const first = await enforce('example.com')
  assert.deepEqual([first.status, first.json.go, first.json.retryAfterMs], [200, true, 0])
  assert.deepEqual(first.json.policy.policy, { perSecond: 1, perTenSeconds: 10, perMinute: 60 })
  assert.equal((await enforce('EXAMPLE.com:443', id.toUpperCase())).json.go, true, 'the same id')
  const second = (await enforce('example.com', randomUUID())).json
  assert.equal(second.go, false)
  assert.ok(second.retryAfterMs > 0 && second.retryAfterMs <= 1000)
  assert.deepEqual((await enforce('localhost')).json, { go: true, retryAfterMs: 0, policy: null })
  assert.equal((await enforce('not a host')).status, 400)
  assert.equal((await enforce('a.test', 'no-uuid')).status, 400)
  assert.equal((await enforce('x'.repeat(1001))).status, 400)

  const check = (body?: unknown) =>
    server.call('POST', '/v1/gonogo/domains/other.test/check', body === undefined ? {} : { body })
  assert.equal((await check()).json.go, true)
  assert.equal((await check({})).json.go, true)
  const now = Date.now()
  assert.equal((await check({ domainDispatches: [[now - 30_000, 60]] })).json.go, false)
  assert.equal((await check({ domainDispatches: [[now - 61_000], [now - 70_000, 100]] })).json.go, true)
  for (const domainDispatches of [[[]], [['x']], [[1, 2, 3]], [[1, -1]], 'x'])
    assert.equal((await check({ domainDispatches })).status, 400, JSON.stringify(domainDispatches))
  const env = await server.call('GET', '/v1/gonogo/env')
  assert.deepEqual(env.json.defaultPolicy, { perSecond: 1, perTenSeconds: 10, perMinute: 60 })
})

test('policies are there again after a restart of the service, and bookings too', async context => {
  const { service, catalog } = await gonogo(context)
  await service.policies.create({ name: 'a', domain: 'a.test', policy: { perMinute: 1 } })
  assert.equal(service.enforce('a.test', randomUUID()).go, true)
  await service.stop()
  await service.start()
  assert.equal(service.enforce('a.test', randomUUID()).go, false)
  assert.match(service.detail(), /^1 domain policies; 0 jobs wait/)
  const another = new GonogoService(catalog)
  await another.start()
  assert.equal(another.enforce('a.test', randomUUID()).policy?.name, 'a')
})

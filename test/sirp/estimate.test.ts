import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands } from '../../src/commands/index.ts'
import { describe } from '../../src/language/describe.ts'
import { plan } from '../../src/language/planner.ts'
import { leastTime, withEstimates } from '../../src/services/sirp/estimate.ts'

const slow = { perSecond: 1, perTenSeconds: 10, perMinute: 60 }

function estimates(query: string) {
  const planned = plan(query, { commands })
  assert.ok(planned.plan, JSON.stringify(planned.diagnostics))
  const limitsOf = (host: string) => (host === 'localhost' ? null : slow)
  return withEstimates(describe(planned), planned.plan, { limitsOf, cached: new Set() }).stages.map(
    stage => stage.estimate,
  )
}

test('the least time is that of the strictest window', () => {
  assert.equal(leastTime(0, slow), 0)
  assert.equal(leastTime(1, slow), 0)
  assert.equal(leastTime(5, slow), 4000)
  assert.equal(leastTime(61, { perMinute: 60 }), 60_000)
  assert.equal(leastTime(21, { perSecond: 100, perTenSeconds: 10 }), 20_000)
  assert.equal(leastTime(5, {}), 0)
  assert.equal(leastTime(1, { perSecond: 0 }), null)
})

test('requests are counted where the number of rows is known', () => {
  const [none, some] = estimates('range 1 30 n || api get https://a.example/x/$n$')
  assert.equal(none, null)
  assert.deepEqual(some, { requests: 30, domains: { 'a.example': 30 }, leastMs: 29_000 })
  const [first] = estimates('api get https://a.example/x')
  assert.deepEqual(first, { requests: 1, domains: { 'a.example': 1 }, leastMs: 0 })
})

test('commands that keep or cut the rows are seen through, others not', () => {
  const last = (query: string) => estimates(query).at(-1)
  assert.equal(last('range 1 30 n || eval m "n" || head 4 || api get https://a.example/$n$')?.requests, 4)
  assert.equal(last('seed [{n: 1}, {n: 2}] || sort n || api get https://a.example/$n$')?.requests, 2)
  assert.equal(last('range 0 10 n --take 3 || api get https://a.example/$n$')?.requests, 3)
  assert.equal(last('range 1 30 n || filter "n > 1" || api get https://a.example/$n$')?.requests, null)
  assert.equal(last('range 1 30 n --where "n > 1" || api get https://a.example/$n$')?.requests, null)
})

test('a domain without limits takes no time, an address from the row is not known', () => {
  const [, local] = estimates('range 1 30 n || api get http://localhost:8080/$n$')
  assert.equal(local?.leastMs, 0)
  const [, unknown] = estimates('seed [{u: "https://a.example"}] || api get $u$')
  assert.deepEqual(unknown, { requests: 1, domains: {}, leastMs: null })
})

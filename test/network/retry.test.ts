import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError, type NetworkErrorCode, networkErrors } from '../../src/network/errors.ts'
import { canRetry, retryAfterMs, retryWait, withRetries } from '../../src/network/retry.ts'

const url = new URL('http://api.test/')

/** Plays a script of outcomes against a clock that only sleeping moves. */
function play(method: string, retries: number, script: readonly (number | string | NetworkErrorCode)[]) {
  let now = 1_000_000
  const start = now
  const slept: number[] = []
  const held: number[] = []
  let discarded = 0
  let step = 0
  const clock = {
    now: () => now,
    random: () => 1,
    sleep: async (ms: number) => {
      slept.push(ms)
      now += ms
    },
  }
  const outcome = withRetries(
    { method, retries, clock, holdBack: (_, until) => void held.push(until - start) },
    async () => {
      const next = script[step++] ?? 200
      if (typeof next === 'string' && next in networkErrors)
        throw new NetworkError(next as NetworkErrorCode, next)
      const [status, after] = String(next).split(' after ')
      return { status: Number(status), url, header: () => after, discard: () => void discarded++ }
    },
  ).then(
    ({ status }) => `${status} in ${step}`,
    (error: NetworkError) => `${error.code} in ${step}`,
  )
  return outcome.then(result => ({ result, slept, held, discarded }))
}

test('failures that pass are tried again, with growing waits, as often as asked', async () => {
  const { result, slept, discarded } = await play('GET', 3, ['connection_lost', 500, 'dns_error'])
  assert.equal(result, '200 in 4')
  assert.deepEqual(slept, [250, 500, 1000])
  assert.equal(discarded, 1)
  assert.equal((await play('GET', 2, [502, 502, 502])).result, '502 in 3')
  assert.equal((await play('GET', 1, ['timeout', 'timeout'])).result, 'timeout in 2')
  assert.equal((await play('GET', 0, [500])).result, '500 in 1')
})

test('what must happen once is not done twice', async () => {
  assert.equal((await play('POST', 3, [500])).result, '500 in 1')
  assert.equal((await play('POST', 3, ['connection_lost'])).result, 'connection_lost in 1')
  assert.equal((await play('patch', 3, ['timeout'])).result, 'timeout in 1')
  assert.equal((await play('POST', 3, ['connect_error', 'dns_error'])).result, '200 in 3', 'nothing was sent')
  assert.equal((await play('put', 3, [500])).result, '200 in 2')
})

test('what stays as it is is not tried again', async () => {
  for (const code of [
    'blocked_address',
    'blocked_scheme',
    'tls_error',
    'too_large',
    'bad_proxy',
    'aborted',
  ] as const)
    assert.equal((await play('GET', 3, [code])).result, `${code} in 1`)
  for (const status of [200, 301, 400, 404, 501, 505])
    assert.equal((await play('GET', 3, [status])).result, `${status} in 1`)
  assert.equal(canRetry(new NetworkError('proxy_error', 'dead'), 'GET'), true)
  assert.equal(canRetry(new NetworkError('proxy_error', '407', { final: true }), 'GET'), false)
  assert.equal(canRetry(new Error('a mistake of ours'), 'GET'), false)
})

test('429 and Retry-After hold the host back and use up no retry', async () => {
  const { result, slept, held } = await play('POST', 0, ['429 after 3', '503 after 2', 429, 429, 429])
  assert.equal(result, '200 in 6')
  assert.deepEqual(slept, [], 'the limiter makes it wait')
  assert.deepEqual(held, [3000, 2000, 4000, 8000, 16_000])
  assert.equal((await play('POST', 3, [503])).result, '503 in 1', '503 without Retry-After is a failure')
  assert.equal((await play('GET', 0, ['429 after 9999', 429])).result, '429 in 2', 'an hour is the most')
})

test('a wait can be cancelled', async () => {
  const controller = new AbortController()
  const trying = withRetries(
    { method: 'GET', retries: 5, signal: controller.signal, holdBack: () => {} },
    async () => {
      queueMicrotask(() => controller.abort())
      return { status: 500, url, header: () => undefined, discard: () => {} }
    },
  )
  await assert.rejects(trying, { code: 'aborted' })
})

test('Retry-After in seconds and as a date', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const cases: [string | undefined, number | undefined][] = [
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1500],
    ['999999999999', 3_600_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 09:00:00 GMT', 3_600_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [header, expected] of cases) assert.equal(retryAfterMs(header, now), expected, header)
})

test('waits grow to 30 s and are spread', () => {
  assert.deepEqual(
    [0, 1, 2, 6, 7, 1000].map(step => retryWait(step, 1)),
    [250, 500, 1000, 16_000, 30_000, 30_000],
  )
  assert.equal(retryWait(2, 0), 500)
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CrashingForage } from '../support/crashing.ts'
import { FanOut } from '../support/fan-out.ts'
import { Gate, json, target } from '../support/target.ts'
import { temporaryFolder } from '../support/temporary.ts'

const newData = () => join(temporaryFolder(), 'data')

test('kill -9 in the middle of a fan-out: it goes on where the journal ends; a graceful stop is no crash', async () => {
  const forage = new CrashingForage(newData())
  const fanOut = await FanOut.begin(forage)
  // Five in all, but never three crashes in a row.
  for (const signal of ['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGKILL'] as const)
    assert.ok(await fanOut.interrupt(signal, 30 + Math.floor(Math.random() * 100)))
  await fanOut.verify()
  await forage.end('SIGTERM')
})

test('a query that was running in three crashes in a row is given up; one that only waited is not', async () => {
  const gate = new Gate()
  const deadly = await target(async (_request, response) => {
    await gate.passed
    json(response, {})
  })
  const forage = new CrashingForage(newData(), { FORAGE_QUERIES: '1' })
  await forage.start()
  const first = await forage.dispatch(`range 1 2 n || api get ${deadly.url}/$n$`)
  const waiting = await forage.dispatch('range 1 5 n || sort n')
  for (let crash = 1; crash <= 3; crash++) {
    await deadly.opened(2)
    assert.deepEqual(
      [(await forage.get(first)).status, (await forage.get(waiting)).status],
      ['running', 'queued'],
    )
    await forage.end('SIGKILL')
    while (deadly.open > 0) await sleep(1)
    await forage.start()
  }
  const { status, error, finishedAt } = await forage.get(first)
  assert.deepEqual([status, error.code], ['failed', 'crash_loop'])
  assert.match(error.message, /3 times in a row/)
  assert.ok(finishedAt)
  assert.deepEqual(
    (await forage.get(`${first}/stages`)).items.map((stage: { status: string }) => stage.status),
    ['completed', 'failed'],
  )
  assert.equal((await forage.ended(waiting)).status, 'completed')
  await forage.end('SIGTERM')
})

test('what was known of finished stages survives a crash: rows that failed, warnings, no cache for them', async () => {
  const gate = new Gate()
  const shop = await target(async (request, response) => {
    const [, kind, n] = request.url!.split(/[/?]/)
    if (kind === 'second') await gate.passed
    if (kind === 'first' && n === '3') json(response, {}, 404)
    else
      json(response, {
        id: Number(n),
        next: `${shop.url}${request.url!.split('?')[0]}?p=${shop.requests.length}`,
      })
  })
  const forage = new CrashingForage(newData())
  await forage.start()
  const first = `range 1 4 n || eval m "n * 2" || api get ${shop.url}/first/$n$ --pagination.next next --pagination.max 1`
  const id = await forage.dispatch(`${first} || sort id || api get ${shop.url}/second/$id$`)
  await shop.opened(3)
  await forage.end('SIGKILL')
  const asked = shop.requests.filter(({ path }) => path.startsWith('/first')).length
  gate.open()
  await forage.start()
  const record = await forage.ended(id)
  assert.deepEqual([record.status, record.rows, record.failedRows], ['completed', 4, 1])
  assert.equal(shop.requests.filter(({ path }) => path.startsWith('/first')).length, asked)
  assert.equal(record.warnings.length, 1)
  assert.match(record.warnings[0], /pagination\.max/)
  const { items } = await forage.get(`${id}/stages`)
  assert.deepEqual(
    items.map((stage: { status: string; failedRows: number }) => [stage.status, stage.failedRows]),
    [
      ['completed', 0],
      ['completed', 0],
      ['completed', 1],
      ['completed', 0],
      ['completed', 0],
    ],
  )
  const again = await forage.call('POST', '/v1/sirp/query/runner/dispatch', { body: { query: first } })
  assert.equal(again.json.fromCache, false)
  await forage.end('SIGTERM')
})

test('a command whose input was deleted meanwhile fails after a crash, and nothing else does', async () => {
  const gate = new Gate()
  const slow = await target(async (_request, response) => {
    await gate.passed
    json(response, { ok: true })
  })
  const forage = new CrashingForage(newData())
  await forage.start()
  const prev = await forage.dispatch('range 1 2 n')
  await forage.ended(prev)
  const dispatched = await forage.call('POST', '/v1/sirp/command/dispatch', {
    body: { command: 'api', args: [['get'], [`${slow.url}/`, '$n$']], prev },
    headers: { prefer: 'respond-async' },
  })
  assert.equal(dispatched.status, 202, dispatched.text)
  await slow.opened(2)
  assert.equal((await forage.call('DELETE', `/v1/sirp/queries/${prev}`)).status, 204)
  await forage.end('SIGKILL')
  gate.open()
  await forage.start()
  const { status, error } = await forage.get(dispatched.json.id)
  assert.deepEqual([status, error.code], ['failed', 'expired'])
  assert.equal((await forage.ended(await forage.dispatch('range 1 2 n'))).status, 'completed')
  await forage.end('SIGTERM')
})

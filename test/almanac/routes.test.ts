import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forage } from '../support/service.ts'

const server = await forage()
const scheduled = '/v1/sirp/scheduled'
const query = 'range 1 2 n'

test('a scheduled query is made in all three ways, read, changed, and deleted', async () => {
  const plain = await server.call('POST', scheduled, {
    body: { query, minutes: 60, ttl: 5, summary: true, cleanup: true, metadata: { team: 'a' } },
  })
  assert.equal(plain.status, 201, plain.text)
  assert.equal(plain.headers.get('location'), `${scheduled}/${plain.json.id}`)
  assert.deepEqual(
    [plain.json.minutes, plain.json.ttl, plain.json.summary, plain.json.cleanup, plain.json.metadata],
    [60, 5, true, true, { team: 'a' }],
  )
  assert.equal(Date.parse(plain.json.nextRun) - Date.parse(plain.json.createdAt), 3_600_000)

  for (const [path, queryId] of [
    ['/v1/almanac/scheduled', 'mine'],
    [`${scheduled}/query`, 'my own/id'],
  ] as const) {
    const body = { query, queryId, sirpURL: server.url, minutes: 0 }
    const made = await server.call('POST', path, { body })
    assert.deepEqual([made.status, made.json.id, made.json.nextRun], [201, queryId, null], made.text)
    assert.equal((await server.call('POST', path, { body })).status, 409)
    assert.equal((await server.call('GET', `${scheduled}/${encodeURIComponent(queryId)}`)).status, 200)
    const foreign = { query, sirpURL: 'http://elsewhere.example' }
    assert.equal((await server.call('POST', path, { body: foreign })).json.code, 'foreign_address')
    assert.equal((await server.call('POST', path, { body: { query, minutes: 525_601 } })).status, 400)
  }

  const updated = await server.call('PUT', scheduled, { body: { queryId: 'mine', query, minutes: 5 } })
  assert.deepEqual([updated.status, updated.json.minutes], [200, 5])
  const byId = await server.call('PUT', `${scheduled}/mine`, {
    body: { query: 'range 1 3 n', overlap: 'queue' },
  })
  assert.deepEqual([byId.json.minutes, byId.json.query, byId.json.overlap], [5, 'range 1 3 n', 'queue'])
  const stale = { headers: { 'if-match': updated.headers.get('etag')! } }
  assert.equal((await server.call('PUT', `${scheduled}/mine`, { body: { query }, ...stale })).status, 412)
  assert.equal((await server.call('GET', scheduled)).json.total, 3)

  const disabled = await server.call('POST', `${scheduled}/mine/disable`)
  assert.deepEqual([disabled.json.enabled, disabled.json.nextRun], [false, null])
  assert.equal((await server.call('POST', `${scheduled}/mine/enable`)).json.enabled, true)
  assert.equal((await server.call('DELETE', `${scheduled}/mine`)).status, 204)
  assert.equal((await server.call('DELETE', `${scheduled}/mine`)).status, 404)
  for (const [method, path] of [
    ['GET', 'nope'],
    ['POST', 'nope/enable'],
    ['POST', 'nope/run'],
    ['GET', 'nope/runs'],
  ] as const)
    assert.equal((await server.call(method, `${scheduled}/${path}`)).status, 404, path)
})

test('goes from cron to minutes and back, and to neither', async () => {
  const { json } = await server.call('POST', scheduled, {
    body: { query, cron: '30 6 * * *', timeZone: 'Europe/Zurich' },
  })
  const put = async (body: object) =>
    (await server.call('PUT', `${scheduled}/${json.id}`, { body: { query, ...body } })).json
  const byMinutes = await put({ minutes: 5, cron: null, timeZone: null })
  assert.deepEqual([byMinutes.minutes, byMinutes.cron, byMinutes.timeZone], [5, null, null])
  const byCron = await put({ minutes: 0, cron: '0 7 * * *', timeZone: null })
  assert.deepEqual([byCron.minutes, byCron.cron], [0, '0 7 * * *'])
  assert.equal((await put({ cron: null })).nextRun, null)
})

test('what would fail at every run is refused', async () => {
  const wrong = await server.call('POST', scheduled, { body: { query: 'rnge 1 2 n' } })
  assert.deepEqual([wrong.status, wrong.json.code], [422, 'query_invalid'])
  assert.equal((await server.call('POST', scheduled, { body: { query, cron: '61 * * * *' } })).status, 400)
  assert.equal((await server.call('POST', scheduled, { body: { query, cron: '* * * * * *' } })).status, 400)
})

test('runs now, and tells what came of it', async () => {
  const { json } = await server.call('POST', scheduled, { body: { query } })
  const run = await server.call('POST', `${scheduled}/${json.id}/run`)
  assert.equal(run.status, 202)
  assert.equal(run.headers.get('location'), `/v1/sirp/queries/${run.json.queryId}`)
  const last = async () => (await server.call('GET', `${scheduled}/${json.id}/runs`)).json.items[0]
  while ((await last()).status === 'running') await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual([(await last()).status, (await last()).cause], ['completed', 'hand'])
  const record = await server.call('GET', `/v1/sirp/queries/${run.json.queryId}`)
  assert.deepEqual([record.json.scheduledId, record.json.rows], [json.id, 2])
  const { json: after } = await server.call('GET', `${scheduled}/${json.id}`)
  assert.deepEqual(
    [after.lastRun.queryId, after.lastRun.status, after.runs],
    [run.json.queryId, 'completed', 1],
  )
})

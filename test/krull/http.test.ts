/** The browser over HTTP: every route, its errors, the image itself, figures, and a browser that comes later. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmodSync, symlinkSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBrowser } from '../../src/services/krull/find-browser.ts'
import { ScreenshotService } from '../../src/services/screenshot/service.ts'
import { Supervisor } from '../../src/services/supervisor.ts'
import { startServer } from '../http/support.ts'
import { startKrull, startSite } from './support.ts'

async function serve(options: Parameters<typeof startKrull>[0] = {}) {
  const parts = await startKrull({ ...options, start: false })
  const { krull, screenshots } = parts
  const screenshot = new ScreenshotService(screenshots)
  const supervisor = new Supervisor([krull, screenshot])
  const start = () => supervisor.start()
  const server = await startServer({ server: { krull, screenshot, supervisor } })
  return { ...parts, start, server, supervisor }
}
const site = await startSite({
  '/': '<title>Fine</title><h1 id="top" style="width:50px;height:20px">fine</h1><form action="/sent"><input name="a"><button>go</button></form>',
  '/sent': '<title>Sent</title>',
  '/slow': () => {},
})
const { server, krull, catalog, screenshots, start } = await serve({
  settings: { pages: 2, pagesQueue: 1, pageTimeout: 3 },
})
await start()
const url = `${site.url}/`
const post = (path: string, body: object) => server.call('POST', path, { body })

test('every page operation answers under both of its paths', async () => {
  const bodies: Record<string, object> = {
    evaluate: { expression: '(a, libs) => a + Object.keys(libs).length', args: [1] },
    requests: { url },
    'page/evaluate': { url, expression: 'document.title', session: true, screenshot: true },
    'page/selector': { url, selector: '#top', hashtml: true },
    'page/screenshot': { url, selector: '#top' },
    'page/form': {
      url,
      selectorValuePairs: [['[name=a]', 'x']],
      submitSelector: 'button',
      wait: 'url:*/sent*',
    },
  }
  for (const [path, body] of Object.entries(bodies)) {
    for (const group of ['krull', 'browser']) {
      const { status, text } = await post(`/v1/${group}/${path}`, body)
      assert.equal(status, 200, `${group}/${path} ${text}`)
    }
  }
  const { status, json } = await post('/v1/krull/page/session', { url, expression: ['1', '2'] })
  assert.deepEqual([status, json.result, json.steps.length], [200, [1, 2], 3])
})

test('what is wrong with a request is said before a browser is asked', async () => {
  const cases: [string, object, string][] = [
    ['page/evaluate', { url, expression: '1', unknown: true }, '$.unknown'],
    ['page/evaluate', { url: 'file:///etc/passwd', expression: '1' }, '$.url'],
    ['page/evaluate', { url, expression: '' }, '$.expression'],
    ['page/evaluate', { url, expression: '1', retry: 3 }, '$.retry'],
    ['page/evaluate', { url, expression: '1', device: 'Nokia 3310' }, '$.device'],
    ['page/selector', { url, selector: 'p', visible: true, hidden: true }, '$.hidden'],
    ['page/screenshot', { url, background: 'transparent', type: 'jpeg' }, '$.type'],
    ['page/screenshot', { url, viewportWidth: 10_001 }, '$.viewportWidth'],
    ['page/form', { url, selectorValuePairs: [['a']], submitSelector: 'b' }, '$.selectorValuePairs[0]'],
    ['page/form', { url, selectorValuePairs: [], submitSelector: 'b' }, '$.selectorValuePairs'],
    ['page/session', { url, expression: Array(101).fill('1') }, '$.expression'],
    ['evaluate', { expression: '1', args: Array(101).fill(1) }, '$.args'],
  ]
  for (const [path, body, where] of cases) {
    const { status, json } = await post(`/v1/krull/${path}`, body)
    assert.deepEqual([status, json.code, json.errors[0].path], [400, 'invalid_request', where], path)
  }
})

test('each failure has its code and status', async () => {
  const codes: [object, number, string][] = [
    [{ expression: 'nothere' }, 422, 'script_failed'],
    [{ url: 'http://127.0.0.1:9/', expression: '1' }, 422, 'page_unreachable'],
    [{ url: 'http://169.254.169.254/', expression: '1' }, 403, 'blocked_address'],
    [{ expression: '1', proxy: 'http://127.0.0.1:9' }, 422, 'proxy_error'],
    [{ expression: '1', wait: '#never' }, 504, 'timeout'],
  ]
  for (const [body, status, code] of codes) {
    const answer = await post('/v1/krull/page/evaluate', { url, ...body })
    assert.deepEqual([answer.status, answer.json.code], [status, code], answer.text)
  }
  const missing = await post('/v1/krull/page/selector', { url, selector: '#none' })
  assert.deepEqual([missing.status, missing.json.code], [422, 'no_match'])
})

test('pictures: the image itself, and the one that was kept', async () => {
  const query = new URLSearchParams({ url, selector: '#top', device: 'Desktop', quality: '50' })
  const image = await server.call('GET', `/v1/krull/page/screenshot?${query}`)
  assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/jpeg'])
  const clear = await server.call('GET', `/v1/krull/page/screenshot?${query}&background=transparent`)
  assert.equal(clear.headers.get('content-type'), 'image/png')
  const taken = await post('/v1/krull/page/screenshot', { url, selector: '#top', type: 'webp' })
  const { hash } = taken.json.screenshot
  const kept = await server.call('GET', `/v1/screenshot/${hash}`)
  assert.deepEqual(
    [kept.status, kept.headers.get('content-type'), kept.headers.get('etag')],
    [200, 'image/webp', `"${hash}"`],
  )
  const same = await server.call('GET', `/v1/screenshot/${hash}`, {
    headers: { 'if-none-match': `"${hash}"` },
  })
  assert.equal(same.status, 304)
  assert.equal((await server.call('GET', `/v1/screenshot/${'0'.repeat(64)}`)).status, 404)
  assert.equal((await server.call('GET', `/v1/screenshot/${'.'.repeat(64)}`)).status, 404)
  assert.equal((await server.call('GET', '/v1/screenshot/abc')).status, 400)
})

test('pictures are listed, the latest first, with the queries that took them', async () => {
  const take = async (selector: string) =>
    (await post('/v1/krull/page/screenshot', { url, selector, type: 'png' })).json.screenshot.hash as string
  const hash = await take('#top')
  const [older, newer] = [randomUUID(), randomUUID()]
  for (const id of [older, newer])
    await catalog.db
      .insertInto('queries')
      .values({ id, query: 'devices', mode: 'turbo', status: 'completed', created_at: '2026-01-01', ttl: 0 })
      .execute()
  await screenshots.tie(hash, older, 2, url)
  await screenshots.tie(hash, newer, null, url)
  await screenshots.tie(hash, newer, null, `${url}#again`)
  const { status, json } = await server.call('GET', '/v1/screenshot?limit=1')
  assert.deepEqual([status, json.items.length, json.offset, json.limit], [200, 1, 0, 1])
  assert.ok(json.total >= 2, 'the one of the test before is there too')
  const [{ queries, createdAt, takenAt, width, height, bytes, ...facts }] = json.items
  assert.deepEqual(facts, { hash, type: 'png', url })
  assert.deepEqual(
    new Map(queries.map(Object.values)),
    new Map<string, unknown>([
      [newer, null],
      [older, 2],
    ]),
  )
  assert.ok(width > 0 && height > 0 && bytes > 0 && createdAt <= takenAt)
  const second = await server.call('GET', '/v1/screenshot?limit=1&offset=1')
  assert.deepEqual(second.json.items[0].queries, [])
  assert.notEqual(second.json.items[0].hash, hash)
})

test('devices, system details and metrics', async () => {
  const devices = await server.call('GET', '/v1/krull/devices')
  assert.ok(devices.json.items.some(({ name }: { name: string }) => name === 'Desktop'))
  const { json } = await server.call('GET', '/v1/krull/system')
  assert.deepEqual([json.healthy, json.problem, json.workers.limit], [true, null, 2])
  assert.equal(json.browsers.length, 1)
  assert.ok(json.jobs.done > 0 && json.jobs.failed > 0 && json.errors.length > 0)
  const metrics = await server.call('GET', '/metrics')
  assert.match(metrics.text, /forage_browser_jobs_total\{outcome="done"\} [1-9]/)
  assert.match(metrics.text, /forage_browsers 1/)
})

test('a full queue is 429 with Retry-After; a client that leaves frees its place', async () => {
  const leave = () => {
    const { key } = server
    const body = JSON.stringify({ url: `${site.url}/slow`, expression: '1' })
    const leaving = request(`${server.url}/v1/krull/page/evaluate`, {
      method: 'POST',
      headers: { authorization: `svc ${key}`, 'content-type': 'application/json' },
    })
    leaving.on('error', () => {})
    leaving.end(body)
    return leaving
  }
  const clients = [leave(), leave(), leave()]
  const settled = async (active: number, queued: number) => {
    for (;;) {
      const { workers } = krull.system(null)
      if (workers.active === active && workers.queued === queued) return
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }
  await settled(2, 1)
  const refused = await post('/v1/krull/page/evaluate', { url, expression: '1' })
  assert.deepEqual(
    [refused.status, refused.json.code, refused.headers.get('retry-after')],
    [429, 'too_many_requests', '1'],
  )
  for (const client of clients) client.destroy()
  await settled(0, 0)
  assert.equal((await post('/v1/krull/page/evaluate', { url, expression: '1' })).status, 200)
})

test('without a browser it is 503 no_browser with what to do, and works once there is one', async () => {
  const { folder } = await startKrull({ start: false })
  chmodSync(folder, 0o755)
  const browser = join(folder, 'browser')
  const late = await serve({ settings: { browser } })
  await late.start()
  assert.equal(late.supervisor.status('krull').status, 'failed')
  const ask = () => late.server.call('POST', '/v1/krull/evaluate', { body: { expression: '6 * 7' } })
  const before = await ask()
  assert.deepEqual([before.status, before.json.code], [503, 'no_browser'])
  assert.match(before.json.detail, /FORAGE_BROWSER names .* Set it to the path/)
  assert.ok(before.headers.get('retry-after'))
  const { json } = await late.server.call('GET', '/v1/krull/system')
  assert.deepEqual([json.healthy, json.browsers], [false, []])
  symlinkSync((await findBrowser())!, browser)
  assert.deepEqual((await ask()).json.result, 42)
  assert.equal(late.supervisor.status('krull').status, 'running')
})

test('cookies and passwords of requests are not in the log', async () => {
  await post('/v1/krull/page/evaluate', {
    url: url.replace('http://', 'http://me:planted-1@'),
    expression: '1',
    cookieStorage: { a: { value: 'planted-2' } },
    headers: { authorization: 'planted-3' },
    proxy: 'http://me:planted-4@127.0.0.1:9',
  })
  assert.doesNotMatch(server.logged.join('\n'), /planted/)
  assert.doesNotMatch((await server.call('GET', '/metrics')).text, /planted/)
})

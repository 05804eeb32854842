/** 500 jobs of every kind, and then nothing is left of them. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startKrull, startSite } from '../krull/support.ts'

const { krull, profiles } = await startKrull({ settings: { pages: 4, pageTimeout: 20 } })
const site = await startSite({
  '/': '<title>Fine</title><h1>fine</h1><p>text</p>',
  '/dialogs': '<script>alert(1); confirm(2)</script><h1>fine</h1>',
  '/popups': '<script>for (let n = 0; n < 3; n++) open("/")</script><h1>fine</h1>',
  '/spin': '<script>for (;;);</script>',
})
const { operations } = krull
const url = `${site.url}/`
const kinds: (() => Promise<unknown>)[] = [
  () => operations.evaluate({ url, expression: 'document.title' }),
  () => operations.selector({ url, selector: 'p', engine: 'jquery' }),
  () => operations.screenshot({ url, device: 'Desktop' }),
  () => operations.requests({ url, responseText: true }),
  () =>
    operations.evaluate({
      url: `${site.url}/dialogs`,
      expression: '1',
      cookieStorage: { a: { value: '1' } },
    }),
  () => operations.evaluate({ url: `${site.url}/popups`, expression: '1', headers: { 'x-a': '1' } }),
  () => operations.expression({ expression: '(a, libs) => libs._.sum(a)', args: [[1, 2]], lodash: true }),
  () => operations.evaluate({ url, expression: 'nothere' }).catch(() => {}),
  () => operations.evaluate({ url, expression: '1', filter: ['*.png'], wait: 'h1', visible: true }),
  () => operations.evaluate({ url: 'http://127.0.0.1:9/', expression: '1' }).catch(() => {}),
]

async function run(jobs: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < jobs) await kinds[next++ % kinds.length]!()
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

/** What could pile up, once everything has come to rest. */
async function remains() {
  await sleep(1500)
  global.gc?.()
  const { contexts, browsers, workers } = krull.system(null)
  const resources = process.getActiveResourcesInfo()
  return {
    contexts: contexts.ready + contexts.busy,
    inBrowsers: browsers.reduce((sum, browser) => sum + browser.contexts, 0),
    browsers: browsers.length,
    active: workers.active + workers.queued,
    folders: readdirSync(profiles).length,
    servers: resources.filter(kind => kind === 'TCPServerWrap').length,
    sockets: resources.filter(kind => kind === 'TCPSocketWrap').length,
    timers: resources.filter(kind => kind === 'Timeout').length,
    heapMb: process.memoryUsage().heapUsed / 1024 / 1024,
    browserMb: browsers.reduce((sum, browser) => sum + (browser.memoryMb ?? 0), 0),
  }
}

test('500 mixed jobs leave nothing behind', async () => {
  await run(40)
  const { heapMb, browserMb, sockets, timers, ...before } = await remains()
  await run(500)
  await assert.rejects(
    operations.evaluate({ url: `${site.url}/spin`, expression: '1', timeoutMs: 500 } as never),
  )
  const end = await remains()
  const {
    heapMb: heapAfter,
    browserMb: browserAfter,
    sockets: socketsAfter,
    timers: timersAfter,
    ...after
  } = end
  assert.deepEqual(after, before)
  // Kept-alive connections of the slots that wait, and timers of the test itself, come and go by a few.
  assert.ok(socketsAfter <= sockets + 8, `${sockets} sockets became ${socketsAfter}`)
  assert.ok(timersAfter <= timers + 4, `${timers} timers became ${timersAfter}`)
  assert.ok(heapAfter < heapMb + 40, `${heapMb} MB became ${heapAfter}`)
  assert.ok(browserAfter < browserMb + 250, `${browserMb} MB became ${browserAfter}`)
})

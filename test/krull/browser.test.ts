/** The browser itself: launch, crash, hang, recycling, the queue and the end. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { test } from 'node:test'
import { Connection, ProtocolError } from '../../src/services/krull/browser/connection.ts'
import { findBrowser } from '../../src/services/krull/find-browser.ts'
import type { KrullService } from '../../src/services/krull/service.ts'
import { codeOf, startKrull, startSite } from './support.ts'

const gates = new Map<string, () => void>()
const site = await startSite({
  '/': '<title>Fine</title><h1>fine</h1>',
  '/gate': (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    gates.set(request.url!, () => response.end('<h1>open</h1>'))
  },
})
const openGates = () => {
  for (const open of gates.values()) open()
  gates.clear()
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}

/** Processes of the group that a browser leads. */
const membersOf = (group: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const [state, , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(of) === group && state !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)

const heading = (krull: KrullService, path: string, more: object = {}, signal?: AbortSignal) =>
  krull.operations.evaluate(
    { url: site.url + path, expression: 'document.querySelector("h1").innerText', ...more },
    { signal },
  )
const pidOf = (krull: KrullService) => krull.system(null).browsers[0]!.pid

test('kill -9 of the browser under five jobs: they are done by another one, nothing stays', async () => {
  const { krull, profiles } = await startKrull({ settings: { pages: 5 } })
  const jobs = [1, 2, 3, 4, 5].map(n => heading(krull, `/gate?${n}`))
  await until(() => gates.size === 5)
  const [old] = [pidOf(krull)]
  process.kill(old, 'SIGKILL')
  gates.clear()
  await until(() => gates.size === 5)
  openGates()
  for (const answer of await Promise.all(jobs))
    assert.deepEqual([answer.result, answer.attempts], ['open', 2])
  await until(() => membersOf(old).length === 0)
  await until(() => readdirSync(profiles).length === 1)
  const { restarts, jobs: counts } = krull.system(null)
  assert.deepEqual([restarts, counts.retried], [1, 5])
})

test('kill -9 of one renderer: that job is tried again, the others go on', async () => {
  const { krull } = await startKrull({ settings: { pages: 2 } })
  const hurt = heading(krull, '/gate?hurt', {
    expression: 'new Promise(resolve => setTimeout(resolve, 400, "done"))',
  })
  await until(() => gates.size === 1)
  const other = heading(krull, '/gate?other')
  await until(() => gates.size === 2)
  const renderers = membersOf(pidOf(krull)).filter(pid =>
    readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer'),
  )
  const busiest = renderers.length
  assert.ok(busiest >= 2)
  const browser = pidOf(krull)
  for (const open of gates.values()) open()
  gates.clear()
  assert.equal((await other).result, 'open')
  for (const pid of renderers) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Its page has gone already.
    }
  }
  const opening = setInterval(openGates, 20)
  const answer = await hurt.finally(() => clearInterval(opening))
  assert.equal(answer.result, 'done')
  // The renderers of contexts that wait ready were killed as well: it may meet one of those next.
  assert.ok(answer.attempts > 1)
  assert.equal(pidOf(krull), browser)
})

test('kill -STOP of the browser: it is replaced, and nothing hangs', async () => {
  const { krull, profiles } = await startKrull({ settings: { pages: 1 } })
  assert.equal((await heading(krull, '/')).result, 'fine')
  const old = pidOf(krull)
  process.kill(old, 'SIGSTOP')
  const answer = await heading(krull, '/')
  assert.equal(answer.result, 'fine')
  assert.notEqual(pidOf(krull), old)
  await until(() => membersOf(old).length === 0)
  await until(() => readdirSync(profiles).length === 1)
})

test('a browser that is missing at first is used once it is there; ten requests launch one', async () => {
  const { folder } = await startKrull({ start: false })
  // As root the browser runs as another user, who has to get there.
  chmodSync(folder, 0o755)
  const browser = join(folder, 'browser')
  const missing = await startKrull({ settings: { browser, pages: 5 }, start: false })
  await assert.rejects(missing.krull.start(), /FORAGE_BROWSER names .*, which is not a program/)
  assert.equal(await codeOf(missing.krull.requireBrowser()), 'no_browser')
  assert.throws(() => missing.krull.operations, { code: 'no_browser' })
  symlinkSync((await findBrowser())!, browser)
  await missing.krull.start()
  const answers = await Promise.all(Array.from({ length: 10 }, () => heading(missing.krull, '/')))
  assert.ok(answers.every(({ result }) => result === 'fine'))
  assert.equal(missing.krull.system(null).restarts, 0)
})

test('a browser that does not start is told with what it said', async () => {
  const { folder } = await startKrull({ start: false })
  chmodSync(folder, 0o755)
  const browser = join(folder, 'broken')
  writeFileSync(
    browser,
    '#!/bin/sh\n[ "$1" = --version ] && echo Chromium 1.2.3.4 && exit\necho "ERROR: no display" >&2\nexit 7\n',
  )
  chmodSync(browser, 0o755)
  const broken = await startKrull({ settings: { browser } })
  await assert.rejects(heading(broken.krull, '/'), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'no_browser')
    assert.match(error.message, /does not start \(exit code 7\): ERROR: no display\. .*forage doctor/)
    return true
  })
})

test('recycled after 5 jobs, 20 jobs at concurrency 3 all succeed', async () => {
  const { krull } = await startKrull({ settings: { browserJobs: 5, pages: 3 } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => heading(krull, '/')))
  assert.ok(answers.every(({ result }) => result === 'fine'))
  // With three at once a browser may have done eight when it is found to be worn.
  assert.ok(krull.system(null).restarts >= 2)
  assert.equal(krull.system(null).jobs.failed, 0)
})

test('two run and two wait; two more are sent away, and whoever leaves is forgotten', async () => {
  const { krull } = await startKrull({ settings: { pages: 2, pagesQueue: 2 } })
  const queued = new AbortController()
  const running = new AbortController()
  const jobs = [
    heading(krull, '/gate?first', {}, running.signal),
    heading(krull, '/gate?second'),
    heading(krull, '/gate?third', {}, queued.signal),
    heading(krull, '/gate?fourth'),
  ]
  await until(() => gates.size === 2)
  assert.equal(krull.system(null).workers.queued, 2)
  for (const n of [5, 6])
    await assert.rejects(heading(krull, `/gate?more${n}`), {
      code: 'too_many_requests',
      retryAfterSeconds: 1,
    })
  queued.abort(new Error('left the queue'))
  running.abort(new Error('left'))
  await assert.rejects(jobs[2]!, /left the queue/)
  await assert.rejects(jobs[0]!, /left/)
  await until(() => gates.has('/gate?fourth'))
  openGates()
  assert.deepEqual([(await jobs[1]!).result, (await jobs[3]!).result], ['open', 'open'])
  assert.ok((await jobs[3]!).timing.queueMs > 0)
  assert.ok(!site.requests.some(({ url }) => url === '/gate?third'))
})

test('stopping: running jobs end or are answered 503, queued ones 503, and no process or folder stays', async () => {
  const { krull, profiles } = await startKrull({ settings: { pages: 1 } })
  const running = heading(krull, '/gate?end')
  const stuck = heading(krull, '/gate?queued')
  stuck.catch(() => {})
  await until(() => gates.size === 1)
  const pid = pidOf(krull)
  const stopping = krull.stop()
  await assert.rejects(stuck, { code: 'service_unavailable' })
  openGates()
  assert.equal((await running).result, 'open')
  await stopping
  assert.deepEqual(membersOf(pid), [])
  assert.equal(existsSync(profiles), false)
  assert.throws(() => krull.operations, { code: 'no_browser' })
})

test('an answer past the limit fails its call alone', async () => {
  const fromBrowser = new Readable({ read() {} })
  const sent: string[] = []
  const toBrowser = new Writable({
    write(chunk, _encoding, done) {
      sent.push(String(chunk))
      done()
    },
  })
  const connection = new Connection(toBrowser, fromBrowser, 100)
  const large = connection.browser.send('Browser.getVersion')
  const small = connection.browser.send('Browser.close')
  fromBrowser.push(`{"id":1,"result":{"product":"${'x'.repeat(90)}`)
  fromBrowser.push(`${'x'.repeat(90)}"}}\0{"id":2,"res`)
  fromBrowser.push('ult":{}}\0')
  await assert.rejects(large, ProtocolError)
  assert.deepEqual(await small, {})
  const lost = connection.browser.send('Browser.getVersion')
  fromBrowser.destroy()
  await assert.rejects(lost, /browser is gone/)
  assert.equal(sent.length, 3)
})

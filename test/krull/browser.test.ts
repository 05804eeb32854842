/** The browser itself: launch, crash, hang, recycling, the queue and the end. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after, test } from 'node:test'
import { Dialer } from '../../src/network/dialer.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { Connection, ProtocolError } from '../../src/services/krull/browser/connection.ts'
import { launchBrowser } from '../../src/services/krull/browser/launcher.ts'
import { SlotPool } from '../../src/services/krull/browser/pool.ts'
import type { ServiceLife } from '../../src/services/krull/browser/supervisor.ts'
import { Devices } from '../../src/services/krull/devices.ts'
import { findBrowser } from '../../src/services/krull/find-browser.ts'
import { profilesFolder } from '../../src/services/krull/profiles-folder.ts'
import type { KrullService } from '../../src/services/krull/service.ts'
import { serve } from '../support/forage.ts'
import { codeOf, membersOf, renderersOf, startKrull, startSite, until } from './support.ts'

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

const heading = (krull: KrullService, path: string, more: object = {}, signal?: AbortSignal) =>
  krull.operations.evaluate(
    { url: site.url + path, expression: 'document.querySelector("h1").innerText', ...more },
    { signal },
  )
const pidOf = (krull: KrullService) => krull.system(null).browsers[0]!.pid

const never = new AbortController().signal
const pidsOf = (pool: SlotPool): number[] => pool.browsers.map(browser => browser.process.pid)

/** A pool of real browsers, whose clock goes on when it is told to. */
async function startPool(life: Partial<ServiceLife>) {
  const profiles = mkdtempSync(join(tmpdir(), 'forage-krull-'))
  const dialer = new Dialer(new NetworkPolicy({ exposed: false, network: [] }))
  const client = new HttpClient(dialer)
  let now = 0
  const executable = (await findBrowser())!
  const pool = new SlotPool({
    launch: () => launchBrowser({ executable, profiles, sandbox: true }),
    network: { dialer, client },
    device: new Devices('').default,
    ready: 1,
    contextsEach: 10,
    life: { jobs: 1000, ageMs: Number.MAX_VALUE, memoryBytes: Number.MAX_VALUE, ...life },
    clock: { now: () => now, every: () => () => {} },
  })
  after(async () => {
    await pool.close()
    await client.close()
    rmSync(profiles, { recursive: true, force: true })
  })
  const pass = (ms: number) => {
    now += ms
  }
  return { pool, pass }
}

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

/** Resident memory, in pages. */
const residentOf = (pid: number): number => Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])

test('kill -9 of one renderer: that job is tried again, and it alone', async () => {
  const { krull } = await startKrull({ settings: { pages: 3 } })
  const held = (name: string, ballast = 0) =>
    heading(krull, '/', {
      expression: `(window.ballast = new Uint8Array(${ballast}).fill(1), fetch('/gate?${name}').then(answer => answer.text()))`,
    })
  const hurt = held('hurt', 300_000_000)
  const others = [held('one'), held('two')]
  await until(() => gates.size === 3)
  const browser = pidOf(krull)
  const renderers = renderersOf(browser)
  // Its page is known by what it holds; every page has a process of its own.
  assert.ok(renderers.length >= 3)
  const [largest] = renderers.toSorted((a, b) => residentOf(b) - residentOf(a))
  gates.delete('/gate?hurt')
  process.kill(largest!, 'SIGKILL')
  await until(() => gates.has('/gate?hurt'))
  openGates()
  assert.deepEqual([(await hurt).result, (await hurt).attempts], ['<h1>open</h1>', 2])
  for (const { result, attempts } of await Promise.all(others))
    assert.deepEqual([result, attempts], ['<h1>open</h1>', 1])
  const { restarts, jobs } = krull.system(null)
  assert.deepEqual([pidOf(krull), restarts, jobs.retried], [browser, 0, 1])
})

test('kill -STOP of the browser: it is replaced, and nothing hangs', async () => {
  const { krull, profiles } = await startKrull({ settings: { pages: 2 } })
  const running = heading(krull, '/gate?stopped')
  await until(() => gates.size === 1)
  const old = pidOf(krull)
  process.kill(old, 'SIGSTOP')
  gates.clear()
  const next = heading(krull, '/')
  await until(() => gates.size === 1)
  openGates()
  assert.deepEqual([(await running).result, (await running).attempts], ['open', 2])
  assert.equal((await next).result, 'fine')
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
  rmSync(browser)
  symlinkSync((await findBrowser())!, browser)
  assert.equal((await heading(broken.krull, '/')).result, 'fine')
})

test('recycled after 5 jobs, 20 jobs at concurrency 3 all succeed', async () => {
  const { krull } = await startKrull({ settings: { browserJobs: 5, pages: 3 } })
  const answers = await Promise.all(Array.from({ length: 20 }, () => heading(krull, '/')))
  assert.ok(answers.every(({ result }) => result === 'fine'))
  // With three at once a browser may have done eight when it is found to be worn.
  assert.ok(krull.system(null).restarts >= 2)
  assert.equal(krull.system(null).jobs.failed, 0)
})

test('recycled by age and, when nothing runs, by memory; the next is there before the old one has gone', async () => {
  for (const worn of [{ ageMs: 60_000 }, { memoryBytes: 1 }]) {
    const { pool, pass } = await startPool(worn)
    const first = await pool.acquire(never)
    const second = await pool.acquire(never)
    const old = first.supervisor.process.pid
    await pool.release(first)
    assert.deepEqual(pidsOf(pool), [old])
    pass(60_000)
    // By memory only once the last job is done.
    const third = await pool.acquire(never)
    assert.equal(third.supervisor.process.pid, old)
    await pool.release(third)
    if ('ageMs' in worn) await until(() => pidsOf(pool).length === 2)
    else assert.deepEqual(pidsOf(pool), [old])
    assert.equal(second.isFresh, !('ageMs' in worn))
    await second.session.send('Runtime.evaluate', { expression: '1' })
    await pool.release(second)
    await until(() => pidsOf(pool).length === 1 && !pidsOf(pool).includes(old))
    await until(() => membersOf(old).length === 0)
    const slot = await pool.acquire(never)
    assert.notEqual(slot.supervisor.process.pid, old)
    await pool.release(slot)
  }
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

test('the time in the queue is not the time of the job', async () => {
  const { krull } = await startKrull({ settings: { pages: 1 } })
  const timeoutMs = 3000
  const first = heading(krull, '/gate?slow')
  await until(() => gates.size === 1)
  const second = heading(krull, '/', { timeoutMs })
  await new Promise(resolve => setTimeout(resolve, timeoutMs + 200))
  openGates()
  await first
  const { result, timing } = await second
  assert.equal(result, 'fine')
  assert.ok(timing.queueMs > timeoutMs)
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

test('SIGTERM: running jobs end or are answered 503, queued ones 503, and no process or folder stays', async () => {
  const data = mkdtempSync(join(tmpdir(), 'forage-krull-'))
  after(() => rmSync(data, { recursive: true, force: true }))
  const served = await serve(data, { FORAGE_PAGES: '2', FORAGE_GRACE: '6' })
  const headers = { authorization: `svc ${served.key}`, 'content-type': 'application/json' }
  const ask = async (name: string) => {
    const body = { url: `${site.url}/gate?${name}`, expression: 'document.querySelector("h1").innerText' }
    const answer = await fetch(`${served.address}/v1/krull/page/evaluate`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const { result = null, code = null } = (await answer.json()) as { result?: unknown; code?: string }
    return [answer.status, result, code]
  }
  const system = async () => {
    const answer = await fetch(`${served.address}/v1/krull/system`, { headers })
    return (await answer.json()) as ReturnType<KrullService['system']>
  }
  const jobs = [ask('ends'), ask('hangs')]
  await until(() => gates.size === 2)
  jobs.push(ask('waits'), ask('waits too'))
  while ((await system()).workers.queued < 2);
  const [browser] = (await system()).browsers
  const profiles = profilesFolder(data)
  assert.equal(existsSync(profiles), true)
  const ended = served.end('SIGTERM')
  const queued = await Promise.all(jobs.slice(2))
  assert.deepEqual(queued, [
    [503, null, 'service_unavailable'],
    [503, null, 'service_unavailable'],
  ])
  gates.get('/gate?ends')!()
  assert.deepEqual(await jobs[0], [200, 'open', null])
  assert.deepEqual(await jobs[1], [503, null, 'service_unavailable'])
  gates.clear()
  assert.equal(await ended, 0)
  await until(() => membersOf(browser!.pid).length === 0)
  assert.equal(existsSync(profiles), false)
})

test('what a run that was ended by force left is removed by the next one, and nothing that is in use', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forage-krull-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const made = (name: string, { old = true } = {}) => {
    const profile = join(folder, name, 'profile-abcdef')
    mkdirSync(profile, { recursive: true })
    const hourAgo = new Date(Date.now() - 3_600_000)
    if (old) utimesSync(join(folder, name), hourAgo, hourAgo)
    return profile
  }
  const own = `forage-browser-${'0'.repeat(16)}`
  made(own)
  made(`forage-browser-${'1'.repeat(16)}`)
  made(`forage-browser-${'2'.repeat(16)}`, { old: false })
  made('forage-browser-of-mine')
  const inUse = made(`forage-browser-${'3'.repeat(16)}`)
  symlinkSync(made('elsewhere'), join(folder, `forage-browser-${'4'.repeat(16)}`))
  const user = spawn(process.execPath, [
    '-e',
    'setInterval(() => {}, 1000)',
    '--',
    `--user-data-dir=${inUse}`,
  ])
  after(() => user.kill('SIGKILL'))
  await once(user, 'spawn')
  const { krull } = await startKrull({ profiles: join(folder, own) })
  assert.equal((await heading(krull, '/')).result, 'fine')
  await krull.stop()
  assert.deepEqual(
    readdirSync(folder).sort(),
    [
      'elsewhere',
      ...['2', '3', '4'].map(digit => `forage-browser-${digit.repeat(16)}`),
      'forage-browser-of-mine',
    ].sort(),
  )
  assert.equal(existsSync(inUse), true)
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

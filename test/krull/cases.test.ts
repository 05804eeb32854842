/** What pages do to a browser, and what becomes of it. Each row of the list of cases is a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ForageError } from '../../src/errors.ts'
import { codeOf, renderersOf, send, startKrull, startSite, until } from './support.ts'

const { krull } = await startKrull()
/** How many contexts wait ready when nothing runs. */
const READY = 4
const drip =
  (type: string, first: string) => (_request: unknown, response: import('node:http').ServerResponse) => {
    response.writeHead(200, { 'content-type': type })
    response.write(first)
    const timer = setInterval(() => response.write('<p>more</p>'), 50)
    response.on('close', () => clearInterval(timer))
  }
const site = await startSite({
  '/': '<title>Fine</title><h1>fine</h1>',
  '/spin': '<h1>spin</h1><script>while (true) {}</script>',
  '/alert':
    '<script>alert("one"); window.answer = confirm("two?"); window.text = prompt("three", "dflt")</script>',
  '/alerts': '<script>for (;;) alert("again")</script>',
  '/unload':
    '<script>onbeforeunload = event => { event.preventDefault(); return "stay" }</script><h1>stay</h1>',
  '/never-image': '<h1>text</h1><img src="/never">',
  '/never': () => {},
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/refresh': '<meta http-equiv="refresh" content="0;url=/arrived"><h1>going</h1>',
  '/leave': '<script>onload = () => { location = "/arrived" }</script><h1>leaving</h1>',
  '/arrived': '<title>Arrived</title><h1>arrived</h1>',
  '/dribble': drip('text/html', '<h1>slowly</h1>'),
  '/popups': '<script>for (let n = 0; n < 20; n++) window.open("/popup?" + n)</script><h1>popups</h1>',
  '/popup': '<h1>popup</h1>',
  '/file': send('application/zip', Buffer.from('PK'), {
    'content-disposition': 'attachment; filename="price list.zip"',
  }),
  '/empty': (_request, response) => response.writeHead(204).end(),
  '/some.pdf': send('application/pdf', Buffer.from('%PDF-1.4\n%%EOF')),
  '/some.json': send('application/json', '{"a": [1, 2,  3]}'),
  '/some.svg': send(
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20"/></svg>',
  ),
  '/tall': '<body style="margin:0"><div style="height:40000px;background:linear-gradient(red,blue)">',
  '/console': '<script>const line = "x".repeat(1e5); for (;;) console.log(line)</script>',
  '/push':
    '<h1>push</h1><script>let n = 0; setTimeout(() => { for (;;) history.pushState(0, "", "?" + n++) })</script>',
  '/noisy': '<script>console.log("hello", 1, {a: 2}); console.error(new Error("bad")); nothere()</script>',
  '/isolated': `<h1></h1><script>
    const seen = [document.cookie, localStorage.getItem('k'), sessionStorage.getItem('k')].join('|')
    const mine = location.search
    document.cookie = 'c=' + mine; localStorage.setItem('k', mine); sessionStorage.setItem('k', mine)
    window.outcome = (async () => {
      const workers = await navigator.serviceWorker.getRegistrations()
      await navigator.serviceWorker.register('/worker.js')
      if (!navigator.serviceWorker.controller)
        await new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
      const answer = await fetch('/arrived?mine' + mine)
      return [seen, workers.length, document.cookie, await answer.text()]
    })()</script>`,
  '/worker.js': send(
    'text/javascript',
    'addEventListener("install", () => skipWaiting()); addEventListener("activate", event => event.waitUntil(clients.claim())); addEventListener("fetch", event => event.respondWith(new Response("from a worker")))',
  ),
  '/crash-me': '<h1>here</h1>',
})
const { operations } = krull
const title = (path: string, more: object = {}) =>
  operations.evaluate({ url: site.url + path, expression: 'document.querySelector("h1").innerText', ...more })

/** As many contexts wait as before, and the browser has no others: those of the jobs are closed. */
const isTidy = (): boolean => {
  const { contexts, browsers } = krull.system(null)
  return contexts.ready === READY && browsers.length === 1 && browsers[0]!.contexts === READY
}

/** After each case: the next job works, and nothing is left over. */
async function stillWorks(): Promise<void> {
  assert.equal((await title('/')).result, 'fine')
  const { workers, contexts } = krull.system(null)
  assert.deepEqual([workers.active, workers.queued, contexts.busy], [0, 0, 0])
  await until(isTidy)
}

async function timesOut(work: Promise<unknown>, phase: string): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof ForageError)
    assert.equal(error.code, 'timeout')
    assert.match(error.message, new RegExp(`in the phase ${phase}:`))
    return true
  })
}
const quickly = { timeoutMs: 1500 }
/** Long enough for the page itself on a busy machine. */
const patiently = { timeoutMs: 4000 }

test('what never ends ends with the deadline, which names the phase', async () => {
  await Promise.all([
    timesOut(title('/spin', quickly), 'load'),
    timesOut(title('/never-image', quickly), 'load'),
    timesOut(title('/dribble', quickly), 'load'),
  ])
  await Promise.all([
    timesOut(title('/', { ...patiently, expression: '(() => { for (;;); })()' }), 'run'),
    timesOut(
      title('/', { ...patiently, expression: 'new Promise(resolve => { window.kept = resolve })' }),
      'run',
    ),
    timesOut(title('/', { ...patiently, wait: '#never' }), 'wait'),
  ])
  // Nothing refers to this one, and the browser finds out.
  assert.equal(await codeOf(title('/', { ...patiently, expression: 'new Promise(() => {})' })), 'timeout')
  await stillWorks()
})

test('an image that never answers keeps the load event, not the document', async () => {
  assert.equal((await title('/never-image', { ready: 'domload' })).result, 'text')
})

test('dialogs are answered and told; endless ones end the job', async () => {
  const { dialogs, result } = await title('/alert', { expression: '[answer, text]' })
  assert.deepEqual(dialogs, [
    { type: 'alert', message: 'one' },
    { type: 'confirm', message: 'two?' },
    { type: 'prompt', message: 'three' },
  ])
  assert.deepEqual(result, [true, 'dflt'])
  assert.equal(await codeOf(title('/alerts')), 'dialog_loop')
  const { restarts } = krull.system(null)
  assert.equal((await title('/unload')).result, 'stay')
  await stillWorks()
  // The context closed by itself: a browser in which it did not would have been replaced.
  assert.equal(krull.system(null).restarts, restarts)
})

test('redirects without end fail by name, a page that goes on is followed', async () => {
  await assert.rejects(title('/loop'), /redirects without end \(ERR_TOO_MANY_REDIRECTS\)/)
  const refreshed = await title('/refresh', { wait: 'url:*/arrived' })
  assert.deepEqual([refreshed.result, refreshed.title], ['arrived', 'Arrived'])
  const left = await title('/leave')
  assert.deepEqual([left.result, left.url, left.attempts], ['arrived', `${site.url}/arrived`, 1])
  // Whichever of the two it meets, the page going on is no failure.
  const met = await Promise.all(Array.from({ length: 5 }, () => title('/refresh')))
  for (const { result, attempts } of met) {
    assert.match(String(result), /^(going|arrived)$/)
    assert.equal(attempts, 1)
  }
  await stillWorks()
})

test('popups are closed, also twenty', async () => {
  await until(isTidy)
  const { pid } = krull.system(null).browsers[0]!
  const before = renderersOf(pid).length
  assert.equal((await title('/popups')).result, 'popups')
  await stillWorks()
  await until(() => renderersOf(pid).length <= before)
})

test('a download, no content, a PDF, JSON and an image as the page', async () => {
  await assert.rejects(title('/file'), (error: unknown) => {
    assert.ok(error instanceof ForageError)
    assert.deepEqual([error.code, error.status], ['download', 422])
    assert.match(error.message, /"price list\.zip", of the type application\/zip/)
    return true
  })
  assert.equal(await codeOf(title('/empty')), 'no_content')
  const pdf = await title('/some.pdf', { expression: 'document.title' })
  assert.equal(pdf.body?.type, 'application/pdf')
  assert.equal(Buffer.from(pdf.body!.base64, 'base64').toString(), '%PDF-1.4\n%%EOF')
  const json = await title('/some.json', { expression: '[document.contentType, document.body.innerText]' })
  assert.deepEqual(json.result, ['application/json', '{"a": [1, 2,  3]}'])
  const image = await title('/some.svg', {
    expression: 'document.documentElement.getBoundingClientRect().width',
  })
  assert.deepEqual([image.status, image.result], [200, 30])
  assert.equal((await title('/nowhere')).status, 404)
})

test('a page of 40,000 px is clipped with a note', async () => {
  const url = `${site.url}/tall`
  const { screenshot } = await operations.screenshot({
    url,
    device: 'Desktop',
    viewportWidth: 64,
    quality: 20,
  })
  assert.deepEqual([screenshot?.type, screenshot?.width, screenshot?.height], ['jpeg', 64, 30_000])
  assert.match(screenshot?.note ?? '', /clipped: the page is 64 × 40000/)
  const webp = await operations.screenshot({ url, viewportWidth: 64, type: 'webp', quality: 20 })
  assert.equal(webp.screenshot?.height, 16_383)
  assert.match(webp.screenshot?.note ?? '', /drawn at the scale 1 instead of 3; clipped/)
})

test('results that are too large, refer to themselves or are no JSON have a defined end', async () => {
  const result = async (expression: string) => (await title('/', { expression })).result
  const rejected = (expression: string, code: string, message: RegExp) =>
    assert.rejects(result(expression), (error: unknown) => {
      assert.ok(error instanceof ForageError)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  await rejected('"x".repeat(2e8)', 'too_large', /200000002 characters; 8388608 are allowed/)
  await rejected('"\\n".repeat(3e8)', 'script_failed', /too large/)
  await rejected('(() => { const a = {}; a.a = a; return a })()', 'script_failed', /refers to itself/)
  await rejected('window', 'script_failed', /cannot be returned/)
  await rejected('({ get a() { throw new Error("got") } })', 'script_failed', /cannot be returned: got/)
  await rejected('nothing.here', 'script_failed', /ReferenceError: nothing is not defined/)
  await rejected('1 +', 'script_failed', /SyntaxError/)
  await rejected('Promise.reject(new Error("no"))', 'script_failed', /no/)
  await rejected('function named() {}', 'script_failed', /no arrow function/)
  await rejected('async function () {}', 'script_failed', /no arrow function/)
  await rejected('alert', 'script_failed', /no arrow function/)
  assert.deepEqual(
    await result('[10n ** 30n, NaN, undefined, Symbol(), new Map([["a", 1]]), new Set([1])]'),
    ['1000000000000000000000000000000', null, null, null, { a: 1 }, [1]],
  )
  assert.equal(await result('document.querySelector("h1")'), '<h1>fine</h1>')
  assert.deepEqual(await result('document.querySelectorAll("h1")'), ['<h1>fine</h1>'])
  assert.equal(await result('undefined'), null)
  assert.equal(await result('async (libs) => { await 0; return typeof libs }'), 'object')
  assert.equal(await result('x => 7 // with a comment'), 7)
  await stillWorks()
})

test('two jobs at once on one origin see nothing of each other', async () => {
  const look = (query: string) => title(`/isolated${query}`, { expression: 'outcome' })
  const expected = (query: string) => ['||', 0, `c=${query}`, 'from a worker']
  const queries = ['?a', '?b', '?c']
  const seen = await Promise.all(queries.map(look))
  assert.deepEqual(
    seen.map(({ result }) => result),
    queries.map(expected),
  )
  assert.deepEqual((await look('?d')).result, expected('?d'))
  await stillWorks()
})

test('a console or a history without end stops its own job and no other', async () => {
  const others = Promise.all([1, 2, 3].map(() => title('/')))
  assert.equal(await codeOf(title('/console')), 'too_large')
  assert.match(await codeOf(title('/push', quickly)), /too_large|timeout|none/)
  for (const { result } of await others) assert.equal(result, 'fine')
  await stillWorks()
})

test('what a page logs and throws is told', async () => {
  const { console, errors } = await title('/noisy', { expression: '1' })
  assert.deepEqual(
    console.map(({ type }) => type),
    ['log', 'error'],
  )
  assert.match(console[0]!.text, /^hello 1 \{a: 2\}$/)
  assert.match(errors[0]!.message, /nothere is not defined/)
})

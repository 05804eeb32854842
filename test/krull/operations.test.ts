/** Every operation and every option, on the demo site and on pages made for it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { startDemo } from '../../demo/server.ts'
import { PageInterrupted } from '../../src/commands/browsing/browser.ts'
import { ForageError } from '../../src/errors.ts'
import { codeOf, send, startKrull, startSite } from './support.ts'

const { krull, screenshots, catalog, blobs } = await startKrull()
const demo = await startDemo({ port: 0 })
after(() => demo.close())
const site = await startSite({
  '/': '<title>Fine</title><h1 id="top">fine</h1><p class="a">one</p><p class="a" hidden>two</p>',
  '/late':
    '<div id="box"></div><script>setTimeout(() => { box.innerHTML = "<b id=late>now</b>" }, 150); setTimeout(() => { box.firstChild.style.display = "none" }, 400)</script>',
  '/hiding': '<b id="shown">here</b><script>setTimeout(() => { shown.style.display = "none" }, 150)</script>',
  '/later':
    '<script>setTimeout(() => fetch("/data?x=1").then(() => { window.got = true; history.pushState(0, "", "/moved") }), 100)</script><h1>later</h1>',
  '/data': send('application/json', '{"a": 1}'),
  '/agent': (request, response) =>
    send(
      'text/html',
      `<h1>${request.headers['user-agent']}</h1><i>${request.headers['sec-ch-ua-mobile'] ?? ''}</i>`,
    )(request, response),
  '/cookies': (request, response) =>
    send('text/html', `<h1>${request.headers.cookie ?? ''}</h1>`)(request, response),
  '/stored':
    '<script>window.first = [localStorage.getItem("k"), sessionStorage.getItem("s")]; localStorage.setItem("k", "page")</script><a href="/stored">again</a>',
  '/pictures':
    Array.from({ length: 6 }, (_, n) => `<img src="/img/${n}.png?v=1">`).join('') +
    '<script src="/ads/a.js"></script>',
  '*': send('text/plain', ''),
  '/globals':
    '<script>window.$ = "mine"; window._ = "mine too"; window.define = () => { throw new Error("asked") }; window.define.amd = true</script><ul><li>a<li>b</ul>',
  '/csp': send('text/html', '<ul><li>a<li>b</ul>', {
    'content-security-policy':
      "default-src 'none'; sandbox allow-scripts; require-trusted-types-for 'script'",
  }),
  '/step1':
    '<script>localStorage.setItem("step", "1"); document.cookie = "one=1"</script><a id="next" href="/step2">on</a>',
  '/step2':
    '<title>Two</title><script>localStorage.setItem("step", "2"); document.cookie = "two=2"; sessionStorage.setItem("s", "2")</script>',
  '/flaky': (request, response) => {
    const isFirst = site.requests.filter(({ url }) => url === request.url).length === 1
    if (isFirst) response.destroy()
    else send('text/html', '<h1>at last</h1>')(request, response)
  },
  '/many': `<title>Many</title><ol>${Array.from({ length: 5000 }, (_, n) => `<li>${n}</li>`).join('')}</ol>`,
  '/heavy': `<title>Heavy</title>${Array.from({ length: 20 }, (_, n) => `<p id="p${n}"><!--${'x'.repeat(400_000)}--></p>`).join('')}`,
  '/swatch':
    '<body style="margin:0;background:#00f"><div id="red" style="width:40px;height:20px;background:#f00"></div><div style="height:300px"></div>',
})
const { operations } = krull
const evaluate = (path: string, expression: string, more: object = {}) =>
  operations.evaluate({ url: site.url + path, expression, ...more })
const resultOf = async (path: string, expression: string, more: object = {}) =>
  (await evaluate(path, expression, more)).result

test('a page answer has all its parts', async () => {
  const answer = await evaluate('/', '(a, b) => [a, b, document.title]', { args: [1, { x: null }] })
  assert.deepEqual(Object.keys(answer).sort(), [
    'attempts',
    'console',
    'dialogs',
    'errors',
    'result',
    'status',
    'timing',
    'title',
    'url',
  ])
  assert.deepEqual(answer.result, [1, { x: null }, 'Fine'])
  assert.deepEqual(
    [answer.url, answer.status, answer.title, answer.attempts],
    [`${site.url}/`, 200, 'Fine', 1],
  )
  assert.deepEqual(Object.keys(answer.timing).sort(), ['loadMs', 'queueMs', 'runMs'])
})

test('an expression without a page has libraries and arguments, and reaches no address', async () => {
  const { result } = await operations.expression({
    expression:
      '(list, libs) => [libs._.sum(list), libs.mathjs.evaluate("sqrt(16) + 2"), typeof libs.$, Object.keys(libs)]',
    args: [[1, 2, 3]],
    lodash: true,
    mathjs: true,
    jquery: true,
  })
  assert.deepEqual(result, [6, 6, 'function', ['$', '_', 'mathjs']])
  const before = site.requests.length
  assert.equal(
    await codeOf(
      operations.expression({
        expression: `fetch("${site.url}/data", { mode: "no-cors" }).then(answer => { if (answer.type !== "x") throw new Error("reached") })`,
      }),
    ),
    'script_failed',
  )
  assert.equal(site.requests.length, before)
  const logged = await operations.expression({ expression: '(() => { console.log("said"); return 1 })()' })
  assert.deepEqual(logged.console, [{ type: 'log', text: 'said' }])
})

test('libraries leave the page as it is, also under a strict policy', async () => {
  const script =
    'libs => [libs.$("li").length, libs._.last([1, 2]), typeof window.$ === "string" ? window.$ : null, typeof jQuery, typeof math]'
  const more = { jquery: true, lodash: true }
  assert.deepEqual(await resultOf('/globals', script, more), [2, 2, 'mine', 'undefined', 'undefined'])
  assert.deepEqual(await resultOf('/csp', script, more), [2, 2, null, 'undefined', 'undefined'])
  assert.deepEqual(await resultOf('/', 'libs => Object.keys(libs)', { jquery: false }), [])
})

test('elements: dom and jquery engine, html, hashes, dimension, the expression before', async () => {
  const url = `${site.url}/`
  const all = await operations.selector({ url, selector: 'p.a' })
  assert.equal(all.elements?.length, 2)
  const [first] = all.elements!
  assert.deepEqual(
    [first!.nodeName, first!.attributes, first!.innerText, first!.innerHTML],
    ['P', { class: 'a' }, 'one', 'one'],
  )
  assert.deepEqual(first!.parentElement, { nodeName: 'BODY', attributes: {} })
  assert.ok(first!.dimension!.width > 0)
  const bare = await operations.selector({
    url,
    selector: '#top',
    html: false,
    dimension: false,
    hashtml: true,
  })
  assert.deepEqual(Object.keys(bare.elements![0]!).sort(), [
    'attributes',
    'innerHTMLHash',
    'innerText',
    'nodeName',
    'outerHTMLHash',
    'parentElement',
  ])
  assert.equal(bare.elements![0]!.innerHTMLHash, createHash('sha256').update('fine').digest('hex'))
  const query = await operations.selector({ url, selector: 'p:contains(one)', engine: 'jquery' })
  assert.equal(query.elements?.length, 1)
  assert.equal(await codeOf(operations.selector({ url, selector: 'p:contains(one)' })), 'invalid_request')
  assert.equal(await codeOf(operations.selector({ url, selector: '#none' })), 'no_match')
  const made = await operations.selector({
    url,
    selector: 'b',
    expression:
      '(elements, word, libs) => { document.body.append(Object.assign(document.createElement("b"), { textContent: word })); return [elements.length, typeof libs] }',
    args: ['new'],
  })
  assert.deepEqual([made.result, made.elements![0]!.innerText], [[0, 'object'], 'new'])
})

/** What is handed on of a page, part by part. */
async function partsOf(path: string, more: object = {}, onPart: (n: number) => void = () => {}) {
  const parts: Parameters<Parameters<typeof operations.elements>[2]>[0][] = []
  const body = { url: site.url + path, html: false, dimension: false, selector: '*', ...more }
  await operations.elements(body, [], async part => {
    onPart(parts.push(part))
  })
  return parts
}

test('elements in parts: some at a time, all of them once and in their order', async () => {
  const small = await partsOf('/', { selector: 'p', expression: 'document.title', session: true })
  assert.deepEqual(
    small.map(({ elements, url, result, localStorage }) => [elements.length, url, result, localStorage]),
    [[2, `${site.url}/`, 'Fine', {}]],
  )
  // The list is that of the beginning, whatever becomes of the page meanwhile.
  const script = `elements => { const ol = document.querySelector('ol'); ol.append(...Array.from({ length: 10 }, () => document.createElement('li'))); const read = Element.prototype.getAttributeNames; Element.prototype.getAttributeNames = function () { ol.remove(); return read.call(this) }; return elements.length }`
  for (const more of [{}, { engine: 'jquery' }, { screenshot: true, quality: 1, expression: script }]) {
    const many = await partsOf('/many', { selector: 'li:not(:empty)', ...more })
    assert.ok(many.length >= 10)
    assert.ok(many.every(({ elements }) => elements.length <= 500))
    assert.deepEqual(
      many.flatMap(({ elements }) => elements.map(({ innerText }) => innerText.trim())),
      Array.from({ length: 5000 }, (_, n) => String(n)),
    )
    assert.equal(new Set(many.map(({ screenshot, url }) => `${screenshot?.hash} ${url}`)).size, 1)
  }
})

test('elements in parts: by their size too, and of no limit but that of one of them', async () => {
  // Twice 400,000 characters of HTML, twenty times: more than the limit of a result.
  const heavy = await partsOf('/heavy', { selector: 'p', html: true, hashtml: true })
  assert.deepEqual(
    heavy.map(({ elements }) => elements.map(({ attributes }) => attributes.id)),
    Array.from({ length: 10 }, (_, n) => [`p${2 * n}`, `p${2 * n + 1}`]),
  )
  assert.equal(
    heavy[7]!.elements[1]!.innerHTMLHash,
    createHash('sha256')
      .update(`<!--${'x'.repeat(400_000)}-->`)
      .digest('hex'),
  )
  const all = { url: `${site.url}/heavy`, selector: 'p' }
  assert.equal(await codeOf(operations.selector(all)), 'too_large')
  assert.equal(await codeOf(partsOf('/heavy', { selector: 'body', html: true })), 'too_large')
  assert.equal(await codeOf(partsOf('/many', { selector: '.none' })), 'no_match')
  assert.equal(await codeOf(partsOf('/many', { selector: 'li >> a' })), 'invalid_request')
})

test('elements in parts: a page that is lost in the middle is not read a second time on its own', async () => {
  const body = { url: `${site.url}/many`, selector: 'li', retry: 2 }
  let parts = 0
  const reading = operations.elements(body, [], async () => {
    if (++parts === 3) process.kill(krull.system(null).browsers[0]!.pid, 'SIGKILL')
  })
  await assert.rejects(reading, PageInterrupted)
  assert.equal(parts, 3)
  const leaving = `() => { let calls = 0; const read = Element.prototype.getAttributeNames; Element.prototype.getAttributeNames = function () { if (++calls === 3000) location = '/'; return read.call(this) } }`
  const left = operations.elements(
    { ...body, expression: leaving },
    [],
    () =>
      // Long enough for the next page to be there.
      new Promise(resolve => setTimeout(resolve, 300)),
  )
  await assert.rejects(left, PageInterrupted)
  // One that is lost before is.
  const { attempts } = await operations.elements(
    { ...body, url: `${site.url}/flaky`, selector: 'h1' },
    [],
    async () => {},
  )
  assert.equal(attempts, 2)
})

test('wait: time, selector, visible, hidden, url, response, function, several, every polling', async () => {
  const text = 'document.querySelector("#late")?.innerText'
  for (const polling of ['raf', 'mutation', 20] as const)
    assert.equal(await resultOf('/late', text, { wait: '#late', polling }), 'now')
  assert.equal(await resultOf('/late', text, { wait: 250 }), 'now')
  assert.equal(await resultOf('/late', text, { wait: '#late', visible: true }), 'now')
  assert.equal(await resultOf('/hiding', 'shown.style.display', { wait: '#shown', hidden: true }), 'none')
  assert.equal(
    await resultOf('/late', 'typeof late', { wait: '#late', visible: false, hidden: false }),
    'object',
  )
  assert.equal(await resultOf('/later', 'window.got === true', { wait: 'url:*/moved' }), true)
  assert.equal(await resultOf('/later', '1', { wait: 'response:*/data?x=*' }), 1)
  assert.equal(
    await resultOf('/later', 'got', { wait: ['() => window.got', 'url:*/mov*', 'response:*/data*', 1] }),
    true,
  )
  assert.equal(await resultOf('/', 'document.title', { wait: 'a[title="x => y"]', hidden: true }), 'Fine')
  const shown = await operations.selector({ url: `${site.url}/late`, selector: '#late', visible: true })
  assert.equal(shown.elements![0]!.innerText, 'now')
  for (const more of [{ visible: true, hidden: true, wait: 'p' }, { visible: true }, { wait: 'p[' }])
    assert.equal(await codeOf(evaluate('/', '1', more)), 'invalid_request', JSON.stringify(more))
  await assert.rejects(evaluate('/', '1', { wait: '() => nothere' }), /wait: ReferenceError/)
})

test('ready: each of the four', async () => {
  for (const ready of ['winload', 'domload', 'net2', 'idle'] as const)
    assert.equal(await resultOf('/', 'document.title', { ready }), 'Fine')
  assert.equal(await resultOf('/later', 'window.got', { ready: 'idle' }), true)
})

test('cookies with every field go out and come back as they can be sent again', async () => {
  const host = '127.0.0.1'
  // Browsers keep no cookie for more than 400 days.
  const expires = new Date(Math.ceil(Date.now() / 1000) * 1000 + 100 * 86_400_000).toISOString()
  const cookieStorage = {
    plain: { value: 'p' },
    kept: {
      value: 'k',
      domain: host,
      path: '/',
      expires,
      httpOnly: true,
      secure: false,
      session: false,
      size: 5,
    },
    seconds: { value: 's', expires: String(Date.parse(expires) / 1000) },
    twice: [
      { value: 'a', path: '/' },
      { value: 'b', path: '/cookies' },
    ],
    gone: { value: 'g', session: true, expires },
  }
  const answer = await evaluate('/cookies', 'document.querySelector("h1").innerText', {
    cookieStorage,
    session: true,
  })
  assert.deepEqual(String(answer.result).split('; ').sort(), [
    'gone=g',
    'kept=k',
    'plain=p',
    'seconds=s',
    'twice=a',
    'twice=b',
  ])
  const captured = answer.cookieStorage!
  const kept = captured.kept
  assert.ok(kept && !Array.isArray(kept))
  assert.deepEqual(kept, {
    value: 'k',
    domain: host,
    path: '/',
    expires,
    size: 5,
    httpOnly: true,
    secure: false,
    session: false,
  })
  assert.ok(Array.isArray(captured.twice) && captured.twice.length === 2)
  assert.equal('expires' in (captured.gone as object), false)
  const again = await evaluate('/cookies', 'document.querySelector("h1").innerText', {
    cookieStorage: captured,
    session: true,
  })
  assert.deepEqual(again.cookieStorage, captured)
  assert.equal(
    await codeOf(evaluate('/', '1', { cookieStorage: { x: { value: 'v', expires: 'soon' } } })),
    'invalid_request',
  )
  assert.equal((await evaluate('/', '1')).cookieStorage, undefined)
})

test('storages are there before the page runs, for its first document alone', async () => {
  const more = { localStorage: { k: 'given', n: { deep: 1 } }, sessionStorage: { s: 'too' }, session: true }
  const answer = await evaluate('/stored', 'first', more)
  assert.deepEqual(answer.result, ['given', 'too'])
  assert.deepEqual(answer.localStorage, { k: 'page', n: '{"deep":1}' })
  assert.deepEqual(answer.sessionStorage, { s: 'too' })
  const moved = await operations.session({
    url: `${site.url}/stored`,
    expression: ['document.querySelector("a").click()', 'first'],
    ...{ localStorage: more.localStorage },
  })
  assert.deepEqual((moved.result as unknown[])[1], ['page', null])
})

test('devices: the default is a phone, Desktop is one, unknown ones are refused with a hint', async () => {
  const read =
    '[innerWidth, devicePixelRatio, navigator.maxTouchPoints, navigator.userAgent, document.querySelector("h1").innerText]'
  const [, scale, touch, agent, sent] = (await resultOf('/agent', read)) as [
    number,
    number,
    number,
    string,
    string,
  ]
  assert.deepEqual([scale, touch, agent], [3, 5, sent])
  assert.match(agent, /iPhone/)
  const desktop = (await resultOf('/agent', read, { device: 'Desktop' })) as [
    number,
    number,
    number,
    string,
    string,
  ]
  assert.deepEqual(desktop.slice(0, 3), [1280, 1, 0])
  assert.match(desktop[4], /X11; Linux x86_64.*Chrome\/\d{3}/)
  assert.doesNotMatch(desktop[3], /Headless/)
  const turned = (await resultOf(
    '/agent',
    '[screen.orientation.type, document.querySelector("h1").innerText, document.querySelector("i").innerText]',
    { device: 'Pixel 5 landscape' },
  )) as string[]
  assert.equal(turned[0], 'landscape-primary')
  assert.match(turned[1]!, /Pixel 5.*Chrome\/1\d\d\./)
  await assert.rejects(evaluate('/', '1', { device: 'iPhone 71' }), /did you mean "iPhone/)
  assert.match(
    String(
      await resultOf('/agent', 'document.querySelector("h1").innerText', {
        headers: { 'User-Agent': 'mine' },
      }),
    ),
    /^mine$/,
  )
  const list = krull.devices()
  assert.ok(list.length > 150)
  assert.deepEqual(
    list.filter(device => device.default).map(({ name }) => name),
    ['iPhone 17'],
  )
})

test('filter keeps requests from leaving, by host, path, file ending and both', async () => {
  const asked = async (filter: string[] | undefined) => {
    const before = site.requests.length
    await evaluate('/pictures', '1', { filter })
    return site.requests
      .slice(before)
      .map(({ url }) => url!)
      .filter(url => url !== '/pictures')
  }
  assert.equal((await asked(undefined)).length, 7)
  assert.deepEqual(await asked(['*.png']), ['/ads/a.js'])
  assert.deepEqual(await asked(['/img/*', '/ads/*']), [])
  assert.deepEqual(
    await asked(['127.0.0.1/ads/*', 'a(b){c}+?[d]']).then(list => list.includes('/ads/a.js')),
    false,
  )
  assert.deepEqual(await asked(['127.0.0.1']), [])
  const before = site.requests.length
  await evaluate('/foreign', '1', { filter: ['local*'] })
  assert.deepEqual(
    site.requests.slice(before).map(({ url }) => url),
    ['/foreign'],
  )
})

test('retry tries again, and says how often', async () => {
  assert.equal(await codeOf(evaluate('/flaky?once', '1', { retry: 0 })), 'page_unreachable')
  const second = await evaluate('/flaky?twice', 'document.querySelector("h1").innerText', { retry: 1 })
  assert.deepEqual([second.result, second.attempts], ['at last', 2])
  const answer = await evaluate('/', 'document.title', { retry: 2 })
  assert.equal(answer.attempts, 1)
  await assert.rejects(operations.selector({ url: `${site.url}/`, selector: '#none', retry: 1 }), {
    code: 'no_match',
  })
  const asked = site.requests.length
  await codeOf(operations.selector({ url: `${site.url}/?thrice`, selector: '#none', retry: 2 }))
  assert.equal(site.requests.slice(asked).filter(({ url }) => url === '/?thrice').length, 3)
})

test('requests: each with initiator, timing, headers and size, the external ones marked, bodies when asked', async () => {
  const url = `${demo.url}/thirdparty`
  const answer = await operations.requests({
    url,
    wait: 300,
    responseText: true,
    expression: 'document.title',
    device: 'Desktop',
  })
  const { requests = [], summary } = answer
  const [page] = requests
  assert.deepEqual(
    [page!.url, page!.type, page!.status, page!.frame, page!.external],
    [url, 'document', 200, 'main', false],
  )
  assert.match(page!.responseText!, /<!doctype html>/)
  assert.ok(page!.bytes! > 0 && page!.durationMs! >= 0 && page!.waitMs! >= 0)
  assert.match(page!.responseHeaders!['content-type'] ?? page!.responseHeaders!['Content-Type']!, /html/)
  const tracker = requests.find(request => request.url.includes('/vendor/tracker.js'))!
  assert.deepEqual([tracker.external, tracker.type, tracker.initiator.type], [true, 'script', 'parser'])
  assert.equal(summary!.requests, requests.length)
  assert.equal(summary!.external, requests.filter(({ external }) => external).length)
  assert.deepEqual(summary!.domains.map(({ domain }) => domain).sort(), ['127.0.0.1', 'localhost'])
  assert.ok(summary!.types.some(({ type }) => type === 'script'))
  assert.equal(typeof answer.result, 'string')
  const bare = await operations.requests({ url: `${site.url}/` })
  assert.equal('responseText' in bare.requests![0]!, false)
})

test('session: storages before and after each expression, across pages', async () => {
  const answer = await operations.session({
    url: `${site.url}/step1`,
    expression: ['document.title', 'document.querySelector("#next").click()', 'document.title'],
  })
  assert.deepEqual(answer.result, ['', null, 'Two'])
  assert.deepEqual(
    answer.steps!.map(step => [
      new URL(step.url).pathname,
      step.localStorage.step,
      Object.keys(step.cookieStorage).sort().join(),
    ]),
    [
      ['/step1', '1', 'one'],
      ['/step1', '1', 'one'],
      ['/step2', '2', 'one,two'],
      ['/step2', '2', 'one,two'],
    ],
  )
  assert.deepEqual(answer.sessionStorage, { s: '2' })
  const one = await operations.session({ url: `${site.url}/step1`, expression: 'location.assign("/step2")' })
  assert.deepEqual([new URL(one.url).pathname, one.localStorage], ['/step2', { step: '2' }])
})

test('form: signs in to the demo shop', async () => {
  const url = `${demo.url}/login`
  const answer = await operations.form({
    url,
    selectorValuePairs: [
      ['#user', 'demo'],
      ['#password', 'forage'],
      ['[name=remember]', 'yes'],
    ],
    submitSelector: '#submit',
    wait: 'url:*/account',
  })
  assert.equal(new URL(answer.url).pathname, '/account')
  assert.ok(answer.cookieStorage!.session)
  assert.deepEqual([answer.localStorage!.user, answer.sessionStorage!.signedIn], ['demo', 'true'])
  const { cookieStorage } = answer
  const account = await operations.evaluate({
    url: `${demo.url}/account`,
    expression: 'document.querySelector("#user").innerText',
    cookieStorage: cookieStorage as never,
  })
  assert.equal(account.result, 'demo')
  await assert.rejects(
    operations.form({ url, selectorValuePairs: [['h1', 'x']], submitSelector: '#submit' }),
    /h1 is not a field/,
  )
  assert.equal(
    await codeOf(operations.form({ url, selectorValuePairs: [['h1[', 'x']], submitSelector: '#submit' })),
    'invalid_request',
  )
})

test('the shop: prices of all products, and a page that is made by script', async () => {
  const { elements } = await operations.selector({
    url: `${demo.url}/shop`,
    selector: '.product .price',
    html: false,
    dimension: false,
  })
  assert.equal(elements!.length, 24)
  assert.ok(elements!.every(({ innerText }) => /^\$[\d,]+\.\d\d$/.test(innerText)))
  const made = await operations.selector({
    url: `${demo.url}/script?delay=100`,
    selector: '.product',
    wait: '.product',
    html: false,
  })
  assert.equal(made.elements!.length, 12)
})

/** The pixel at a place of a PNG without interlacing, eight bits a channel. */
function pixel(png: Buffer, x: number, y: number): number[] {
  const width = png.readUInt32BE(16)
  const channels = png[25] === 6 ? 4 : 3
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  let above = Buffer.alloc(stride)
  for (let row = 0; ; row++) {
    const filter = raw[row * (stride + 1)]!
    const line = Buffer.from(raw.subarray(row * (stride + 1) + 1, (row + 1) * (stride + 1)))
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? line[i - channels]! : 0
      const up = above[i]!
      const corner = i >= channels ? above[i - channels]! : 0
      const paeth = () => {
        const p = left + up - corner
        const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)]
        return a <= b && a <= c ? left : b <= c ? up : corner
      }
      line[i] = line[i]! + [0, left, up, (left + up) >> 1, filter === 4 ? paeth() : 0][filter]!
    }
    if (row === y) return [...line.subarray(x * channels, (x + 1) * channels)]
    above = line
  }
}

test('screenshots: full page, element, types, quality, background, viewport, and where they are kept', async () => {
  const url = `${site.url}/swatch`
  const shot = async (more: object) => {
    const { screenshot } = await operations.screenshot({ url, device: 'Desktop', ...more })
    const kept = await screenshots.read(screenshot!.hash)
    const bytes = Buffer.concat(await kept!.content.toArray())
    assert.equal(createHash('sha256').update(bytes).digest('hex'), screenshot!.hash)
    return { ...screenshot!, bytes }
  }
  const full = await shot({ type: 'png', viewportWidth: 200, viewportHeight: 100 })
  assert.deepEqual([full.type, full.width, full.height], ['png', 200, 320])
  assert.deepEqual(pixel(full.bytes, 5, 5).slice(0, 3), [255, 0, 0])
  assert.deepEqual(pixel(full.bytes, 100, 200).slice(0, 3), [0, 0, 255])
  const element = await shot({ type: 'png', selector: '#red' })
  assert.deepEqual([element.width, element.height], [40, 20])
  assert.equal((await shot({ type: 'png', selector: 'div:first', engine: 'jquery' })).hash, element.hash)
  const phone = await operations.screenshot({ url, selector: '#red', type: 'png' })
  assert.deepEqual([phone.screenshot?.width, phone.screenshot?.height], [120, 60])
  const [low, high] = [await shot({ quality: 5 }), await shot({})]
  assert.deepEqual([low.type, high.type], ['jpeg', 'jpeg'])
  assert.ok(low.bytes.length < high.bytes.length)
  const webp = await shot({ type: 'webp', viewportWidth: 150 })
  assert.deepEqual([webp.type, webp.width], ['webp', 150])
  const clear = await shot({ background: 'transparent' })
  assert.equal(clear.type, 'png')
  assert.deepEqual(pixel(clear.bytes, 100, 200), [0, 0, 0, 0])
  assert.deepEqual(
    pixel((await shot({ background: '#0f0', type: 'png' })).bytes, 100, 200).slice(0, 3),
    [0, 255, 0],
  )
  for (const more of [{ background: 'transparent', type: 'jpeg' }, { background: 'no such thing;' }])
    assert.equal(await codeOf(shot(more)), 'invalid_request')
  assert.equal(await codeOf(shot({ selector: '#none' })), 'no_match')
  const changed = await shot({
    type: 'png',
    selector: '#red',
    expression: 'document.querySelector("#red").style.background = "#ff0"',
  })
  assert.deepEqual(pixel(changed.bytes, 1, 1).slice(0, 3), [255, 255, 0])
  const beside = await evaluate('/swatch', '1', { screenshot: true, type: 'png' })
  assert.equal(beside.screenshot?.type, 'png')
  const image = await operations.image({ url, selector: '#red', device: 'Desktop' })
  assert.deepEqual([image.type, image.width], ['jpeg', 40])
})

test('screenshots are kept once, tied to queries and manifests, and reaped when nobody refers to them', async () => {
  const facts = { type: 'png', width: 1, height: 1, url: 'http://x/' } as const
  const [a, b, c] = [
    await screenshots.keep(Buffer.from('a'), facts),
    await screenshots.keep(Buffer.from('b'), facts),
    await screenshots.keep(Buffer.from('c'), facts),
  ]
  assert.equal(await screenshots.keep(Buffer.from('a'), facts), a)
  const id = '7d444840-9dc0-11d1-b245-5ffdce74fad2'
  await catalog.db
    .insertInto('queries')
    .values({
      id,
      query: 'x',
      mode: 'turbo',
      status: 'completed',
      created_at: new Date().toISOString(),
      ttl: 1,
      minutes: 0,
    })
    .execute()
  await screenshots.tie(a, id, 2, 'http://y/')
  await screenshots.tie(a, id, 2, 'http://y/')
  await catalog.transaction(db => screenshots.keepFor('manifest', [b], db))
  assert.deepEqual(
    (await screenshots.ofQuery(id)).map(({ hash, stage, url, type }) => [hash, stage, url, type]),
    [[a, 2, 'http://y/', 'png']],
  )
  assert.ok((await screenshots.reap(Date.now() + 10_000)) >= 1)
  assert.deepEqual([await screenshots.read(c), await blobs.stat(`screenshots/${c}`)], [undefined, undefined])
  assert.ok(await blobs.stat(`screenshots/${a}`))
  await catalog.db.deleteFrom('queries').where('id', '=', id).execute()
  await catalog.transaction(db => screenshots.keepFor('manifest', [], db))
  assert.equal(await screenshots.reap(Date.now() + 10_000), 2)
  assert.equal(await screenshots.read('../../etc'), undefined)
})

test('a script error says where it is', async () => {
  await assert.rejects(evaluate('/', '1 +\n  nothere'), (error: unknown) => {
    assert.ok(error instanceof ForageError)
    assert.deepEqual(
      [error.errors[0]?.path, error.errors[0]?.line, error.errors[0]?.column],
      ['$.expression', 2, 3],
    )
    return true
  })
  assert.equal(
    await resultOf('/', 'typeof make + typeof given + typeof text + typeof end'),
    'undefined'.repeat(4),
  )
})

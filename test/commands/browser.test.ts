import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands } from '../../src/commands/index.ts'
import { cacheKeys } from '../../src/engine/cache-key.ts'
import { type Row, stringifyJson } from '../../src/language/json.ts'
import { plan } from '../../src/language/planner.ts'
import { CrashingForage } from '../support/crashing.ts'
import { forage } from '../support/service.ts'
import { target } from '../support/target.ts'
import { temporaryFolder } from '../support/temporary.ts'

/** The address that the examples are written with. */
const WRITTEN = 'http://localhost:1969'

/** Few places, and none to wait in: queries wait for one all the same. */
const service = await forage({ settings: { FORAGE_PAGES: '2', FORAGE_PAGES_QUEUE: '0' } })
const demo = `http://localhost:${new URL(service.demo).port}`

interface Ran {
  readonly id: string
  readonly status: string
  readonly error: { readonly code: string; readonly message: string } | null
  readonly rows: readonly Row[]
}

async function run(query: string): Promise<Ran> {
  const { json } = await service.query(query.replaceAll(WRITTEN, demo))
  const rows = (json.results ?? []).map(({ content }: { content: Row }) => content)
  return { id: json.id, status: json.status, error: json.error ?? null, rows }
}

const names = new Set(['crawl', 'open', 'evaluate', 'requests', 'screenshot', 'form', 'session', 'devices'])

for (const command of commands.filter(({ name }) => names.has(name))) {
  for (const [index, example] of command.examples.entries()) {
    if (command.name === 'crawl' && !example.query.includes('--browser')) continue
    test(`${command.name} ${index + 1}: ${example.title ?? example.query}`, async () => {
      const input = example.input ? `seed ${stringifyJson(example.input)} || ` : ''
      const { rows, error } = await run(`${input}${example.query}`)
      assert.equal(error, null)
      const expected = JSON.parse(stringifyJson(example.output ?? []).replaceAll(WRITTEN, demo))
      assert.deepEqual(rows, expected)
    })
  }
}

const stagesOf = async ({ id }: Ran) =>
  (await service.call('GET', `/v1/sirp/queries/${id}/stages`)).json.items
const recordsOf = async ({ id }: Ran) =>
  (await service.call('GET', `/v1/sirp/queries/${id}/commands`)).json.items
const screenshotsOf = async ({ id }: Ran) =>
  (await service.call('GET', `/v1/sirp/queries/${id}/screenshots`)).json.items

test('open: the columns, in their order; html, hashes and the box are asked for', async () => {
  const plain = await run(`open ${demo}/shop --selector h1`)
  assert.deepEqual(plain.rows.map(Object.keys), [
    ['nodeName', 'attributes', 'innerText', 'parentElement', '_url'],
  ])
  const { rows } = await run(`open ${demo}/shop --selector h1 --html --hashtml --dimension`)
  const [{ innerHTML, outerHTML, innerHTMLHash, dimension, _url } = {}] = rows
  assert.deepEqual([innerHTML, outerHTML, _url], ['All products', '<h1>All products</h1>', `${demo}/shop`])
  assert.match(String(innerHTMLHash), /^[0-9a-f]{64}$/)
  assert.ok((dimension as { width: number }).width > 0)
})

test('open: without a selector all elements of the body, thousands of them', async () => {
  const make = `() => { const list = document.body.appendChild(document.createElement('ol')); for (let n = 0; n < 5000; n++) list.appendChild(document.createElement('li')).textContent = n }`
  const { rows, error } = await run(
    `open ${demo}/script --expression \`\`\`js\n${make}\n\`\`\` || filter "nodeName in ('LI', 'OL')" || stats "count() as n, last(innerText) as last" --by nodeName`,
  )
  assert.equal(error, null)
  assert.deepEqual(
    rows.map(({ nodeName, n }) => [nodeName, n]),
    [
      ['OL', 1],
      ['LI', 5000],
    ],
  )
  assert.equal(rows[1]?.last, '4999')
})

test('the same page again is from the cache; a form and a session never are', async () => {
  const query = `open ${demo}/shop/laptops --selector h1`
  await run(query)
  const [stage] = await stagesOf(await run(query))
  assert.equal(stage.fromCache, true)
  const [record] = await recordsOf(await run(`${query} --cache false`))
  assert.deepEqual([record.command, record.status, record.attempts], ['open', 'completed', 1])
  const form = `form ${demo}/login --fill ["#user", "demo"] --fill '["[name=password]", "forage"]' --submit form.panel || table url`
  await run(form)
  const again = await run(form)
  assert.deepEqual(again.rows, [{ url: `${demo}/account` }])
  assert.equal((await stagesOf(again))[0].fromCache, false)
})

test('a row each that fails says why, and the others go on', async () => {
  const { rows } = await run(
    `seed [{page: "shop"}, {page: "login"}] || open ${demo}/$page$ --selector .count || table innerText page _error.code`,
  )
  assert.deepEqual(rows, [{ innerText: '120 products' }, { page: 'login', _error: { code: 'no_match' } }])
  const failures = [
    [`open ${demo}/shop --wait .never --timeout 0.5`, 'timeout', /in the phase wait/],
    ['open http://localhost:1/', 'page_unreachable', /./],
    [`evaluate ${demo}/shop "missing.thing"`, 'script_failed', /missing is not defined/],
    [`open ${demo}/shop --selector "h1 >> a"`, 'invalid_request', /^--selector is not a selector/],
    [`open ${demo}/shop --headers {a:1}`, 'invalid_request', /^--headers at a /],
    [`open ${demo}/shop --scroll far`, 'bad_value', /pixels, or `end`/],
    [`form ${demo}/login --fill "#user=x"`, 'invalid_request', /^--submit is required/],
    [
      `form ${demo}/login --fill secret --submit form`,
      'bad_value',
      /^--fill takes a selector and a value: (?!.*secret)/,
    ],
  ] as const
  for (const [query, code, message] of failures) {
    const { error } = await run(query)
    assert.equal(error?.code, code, query)
    assert.match(error.message, message)
  }
})

test('expressions take no tokens, nor does what is waited for', async () => {
  for (const flag of ['--expression "$x$"', '--wait "$x$"']) {
    const { status, json } = await service.query(`seed {x: "1"} || open ${demo}/shop ${flag}`)
    assert.equal(status, 422)
    assert.equal(json.errors[0].code, 'token_refused')
  }
})

test('a device that there is not is found before anything runs', async () => {
  const { status, json } = await service.query(`open ${demo}/shop --device "iphone 17"`)
  assert.deepEqual([status, json.errors[0].code], [422, 'unknown_name'])
})

test('more rows than places: each has its turn', async () => {
  const { rows } = await run(
    `range 1 5 n || evaluate ${demo}/shop?page=$n$ "location.search" --concurrency 8`,
  )
  assert.deepEqual(
    rows,
    [1, 2, 3, 4, 5].map(n => ({ result: `?page=${n}` })),
  )
})

test('cookies of several rows: each has its own', async () => {
  const cookies = '[{cookieStorage: {a: {value: "1"}}}, {cookieStorage: {b: {value: "2", path: "/"}}}]'
  const { rows } = await run(
    `seed ${cookies} || evaluate ${demo}/shop "document.cookie" --cookieStorage $cookieStorage$`,
  )
  assert.deepEqual(rows, [{ result: 'a=1' }, { result: 'b=2' }])
})

test('a secret goes into a field and nowhere else', async () => {
  const config = { credential: { name: 'shop' }, credentials: { custom: { value: 'forage' } } }
  await service.call('POST', '/v1/secrets/credentials', { body: { type: 'custom', config } })
  const ran = await run(
    `form ${demo}/login --fill "#user=demo" --fill "#password=$CREDENTIALS.shop$" --submit "#submit"`,
  )
  assert.equal(ran.rows[0]?.url, `${demo}/account`)
  const [record] = await recordsOf(ran)
  assert.deepEqual(record.flags.fill, ['#user=demo', '#password=$CREDENTIALS.shop$'])
})

test('screenshots belong to the queries that have their rows', async () => {
  const query = `screenshot ${demo}/shop --selector .count --type png --device Desktop`
  const first = await run(query)
  const [row] = first.rows
  assert.deepEqual(Object.keys(row!), ['hash', 'url', 'type', 'width', 'height', 'bytes'])
  const [listed] = await screenshotsOf(first)
  const { hash, url, type, width, height } = row!
  assert.deepEqual({ ...listed, at: '' }, { hash, url, type, width, height, stage: 0, at: '' })
  const image = await service.call('GET', `/v1/screenshot/${hash}`)
  assert.deepEqual([image.status, image.headers.get('content-length')], [200, String(row!.bytes)])

  const again = await run(query)
  assert.equal((await stagesOf(again))[0].fromCache, true)
  await service.call('DELETE', `/v1/sirp/queries/${first.id}`)
  assert.deepEqual(await screenshotsOf(again), [listed])

  const opened = await run(
    `seed {} || open ${demo}/shop --selector h1 --screenshot --type webp || table _screenshot`,
  )
  const [beside] = await screenshotsOf(opened)
  assert.deepEqual([beside.hash, beside.stage, beside.type], [opened.rows[0]?._screenshot, 1, 'webp'])
  assert.equal(
    (await service.call('GET', '/v1/sirp/queries/00000000-0000-4000-8000-000000000000/screenshots')).status,
    404,
  )
})

test('each page is one dispatch of its domain, and a domain that allows none is not asked', async () => {
  const policy = { name: 'few', domain: '127.0.0.1', policy: { perMinute: 3 } }
  const { json } = await service.call('POST', '/v1/gonogo/policies', { body: policy })
  const go = async () => {
    const id = crypto.randomUUID()
    return (await service.call('POST', `/v1/gonogo/domains/127.0.0.1/enforce/${id}`)).json.go
  }
  await run(`seed [{n: 1}, {n: 2}] || evaluate ${service.demo}/shop?page=$n$ "document.title" || count`)
  assert.deepEqual([await go(), await go()], [true, false])

  const none = { ...policy, policy: { perMinute: 0 } }
  await service.call('PUT', `/v1/gonogo/policies/${json.id}`, { body: none })
  const { status, error } = await run(`open ${service.demo}/shop --selector h2`)
  assert.equal(status, 'failed')
  assert.match(error?.message ?? '', /polic/)
  await service.call('DELETE', `/v1/gonogo/policies/${json.id}`)
})

test('an address of this machine that a page gave is not opened', async () => {
  const { error } = await run(
    `requests ${demo}/thirdparty --ready idle || filter "resourceType == 'script' and external" || open $url$`,
  )
  assert.equal(error?.code, 'blocked_address')
})

test('clicks and scrolls are done in the order in which they are written', async () => {
  const { rows, error } = await run(
    `open ${demo}/scroll --scroll end --click ".product:nth-child(120) .link" --wait "url:*/product/*" --selector h1 || table _url`,
  )
  assert.equal(error, null)
  assert.match(String(rows[0]?._url), /\/shop\/product\/\d+$/)
  const keyOf = (query: string) => cacheKeys(plan(query, { commands }).plan!.stages, () => undefined)[0]
  const scrollFirst = keyOf('open http://a.example --scroll end --click a')
  assert.notEqual(scrollFirst, keyOf('open http://a.example --click a --scroll end'))
  assert.equal(scrollFirst, keyOf('open  --scroll end  http://a.example --click a'))
})

test('crawl --browser follows redirects and links that scripts made, and lists what is no page', async () => {
  const { rows, error } = await run(
    `crawl ${demo}/script --browser --wait "() => !document.querySelector('#loading')" --depth 1 --match "/shop/product/1" --match "/feed.rss" --match "/account" || table url depth status type`,
  )
  assert.equal(error, null)
  assert.deepEqual(rows, [
    { url: `${demo}/script`, depth: 0, status: 200, type: 'text/html' },
    { url: `${demo}/login?next=/account`, depth: 1, status: 200, type: 'text/html' },
    { url: `${demo}/shop/product/1`, depth: 1, status: 200, type: 'text/html' },
    { url: `${demo}/feed.rss`, depth: 1, status: 200, type: 'text/plain' },
  ])
})

/**
 * A page of 5,000 elements whose reading stops in the middle until the site answers: a request that its scripts wait for
 * is made by a function that reading calls. The site's first visitor is never answered.
 */
async function halfReadPage() {
  const slow = `<title>Half</title><ol>${Array.from({ length: 5000 }, (_, n) => `<li>${n}</li>`).join('')}</ol><script>
    let calls = 0
    const read = Element.prototype.getAttributeNames
    Element.prototype.getAttributeNames = function () {
      if (++calls === 6000) { const request = new XMLHttpRequest(); request.open('GET', '/half-way', false); request.send() }
      return read.call(this)
    }</script>`
  const halfWay = Promise.withResolvers<void>()
  const site = await target((request, response) => {
    const isFirst = site.counts().get('/half-way') === 1
    const html = request.url === '/small' ? '<ol><li>small</ol>' : slow
    if (request.url !== '/half-way') response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    else if (isFirst) halfWay.resolve()
    else response.end()
  })
  return {
    url: site.url,
    query: `open ${site.url}/ --selector li --cache false || table innerText`,
    halfWay: halfWay.promise,
  }
}
const numbers = Array.from({ length: 5000 }, (_, n) => ({ innerText: String(n) }))

test('open: a browser that ends when half of a page has been handed on: the page is read again, each row is there once', async () => {
  const { query, halfWay } = await halfReadPage()
  const running = run(query)
  await halfWay
  const system = await service.call('GET', '/v1/krull/system')
  process.kill(system.json.browsers[0].pid, 'SIGKILL')
  const { rows, error } = await running
  assert.equal(error, null)
  assert.deepEqual(rows, numbers)
})

test('open: a page that runs out of time when half of it has been handed on is a failed row, and no other', async () => {
  const { url } = await halfReadPage()
  const { rows, error } = await run(
    `seed [{page: "half"}, {page: "small"}] || open ${url}/$page$ --selector li --timeout 6 || table innerText page _error.code`,
  )
  assert.equal(error, null)
  assert.deepEqual(rows, [{ page: 'half', _error: { code: 'timeout' } }, { innerText: 'small' }])
})

test('open: a crash when half of a page has been handed on leaves no half of a job', async () => {
  const { query, halfWay } = await halfReadPage()
  const forage = new CrashingForage(join(temporaryFolder(), 'data'))
  await forage.start()
  const id = await forage.dispatch(query)
  await halfWay
  await forage.end('SIGKILL')
  assert.deepEqual([...(await forage.journaled())], [])
  await forage.start()
  const { status, rows } = await forage.ended(id)
  assert.deepEqual([status, rows], ['completed', 5000])
  const { results } = await forage.get(`${id}/results?limit=1000&offset=2400`)
  assert.deepEqual(
    results.map(({ content }: { content: Row }) => content),
    numbers.slice(2400, 3400),
  )
  assert.equal(await forage.end('SIGTERM'), 0)
})

/** Page jobs of Forage beside bare puppeteer on the same pages, in turns, so that both meet the same minute. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import puppeteer, { type Browser, KnownDevices, type Page } from 'puppeteer-core'
import { DEFAULT_DEVICE } from '../src/services/krull/devices.ts'
import { findBrowser } from '../src/services/krull/find-browser.ts'
import { Child } from './child.ts'
import { type Figure, median } from './figure.ts'
import { Service } from './service.ts'

const ROUNDS = 40
const FILTER_ROUNDS = 12
const LAUNCH_EVERY = 5
const BURSTS = 4
const JOBS_EACH = 20
const CONCURRENCY = 4
const IMAGES = 50
const OPENED = 200
const OPENED_ROUNDS = 2
/** For the next context to be made: neither side is measured while it makes one. */
const REST_MS = 150

const repeated = (count: number, one: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n)).join('')
const small = `<!doctype html><title>Small</title>${repeated(20, n => `<p class="item" data-id="${n}">Item <b>${n}</b></p>`)}`
const images = `<!doctype html><title>Images</title>${repeated(IMAGES, n => `<img src="/${n}.png">`)}`
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The same of each element that a selector job answers with. */
const readElements = `Array.from(document.querySelectorAll('.item'), element => {
  const { x, y, width, height } = element.getBoundingClientRect()
  const attributes = Object.fromEntries(element.getAttributeNames().map(name => [name, element.getAttribute(name)]))
  const { nodeName, innerText, innerHTML, outerHTML } = element
  return { nodeName, attributes, innerText, innerHTML, outerHTML, dimension: { x, y, width, height } }
})`

export async function pages(): Promise<Figure[]> {
  await using parts = new AsyncDisposableStack()
  const site = await startSite()
  parts.defer(() => site.server.closeAllConnections())
  parts.defer(() => void site.server.close())
  const service = parts.adopt(await Service.start(), started => started.stop())
  const bare = parts.adopt(await launch(), browser => browser.close())
  const selector = () =>
    service.post('/v1/krull/page/selector', { url: `${site.url}/small`, selector: '.item' })
  await selector()
  await sleep(1000)
  return [
    ...(await oneAtATime(selector, bare, `${site.url}/small`)),
    await throughput(selector, bare, `${site.url}/small`),
    await filtered(service, `${site.url}/images`),
    await opened(service, `${site.url}/small`),
  ]
}

async function oneAtATime(selector: () => Promise<unknown>, bare: Browser, url: string): Promise<Figure[]> {
  const ours: number[] = []
  const ready: number[] = []
  const launched: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await timed(selector))
    const context = await bare.createBrowserContext()
    const page = await phonePage(context)
    await sleep(REST_MS)
    ready.push(await timed(() => work(page, url)))
    await context.close()
    if (round % LAUNCH_EVERY === 0) launched.push(await timed(() => launchAndWork(url)))
    await sleep(REST_MS)
  }
  const name = 'selector job over HTTP, one at a time, median'
  return [
    {
      name: `${name} (peer: puppeteer, context made ahead)`,
      unit: 'ms',
      ours: median(ours),
      peer: median(ready),
      target: { atMost: 1.3 },
    },
    {
      name: `${name} (peer: a browser for each)`,
      unit: 'ms',
      ours: median(ours),
      peer: median(launched),
      target: { atMost: 0.5 },
    },
  ]
}

async function throughput(selector: () => Promise<unknown>, bare: Browser, url: string): Promise<Figure> {
  const fresh = async () => {
    const context = await bare.createBrowserContext()
    await work(await phonePage(context), url)
    await context.close()
  }
  const ours: number[] = []
  const theirs: number[] = []
  for (let burst = 0; burst < BURSTS; burst++) {
    ours.push(await rate(selector))
    await sleep(2 * REST_MS)
    theirs.push(await rate(fresh))
    await sleep(2 * REST_MS)
  }
  const name = `selector jobs at concurrency ${CONCURRENCY} (peer: puppeteer, a fresh context each)`
  return { name, unit: 'a second', ours: median(ours), peer: median(theirs), target: { atLeast: 1 } }
}

async function filtered(service: Service, url: string): Promise<Figure> {
  const evaluate = (more: object) =>
    service.post('/v1/krull/page/evaluate', { url, expression: '1', ...more })
  const less: number[] = []
  const whole: number[] = []
  for (let round = 0; round < FILTER_ROUNDS; round++) {
    less.push(await timed(() => evaluate({ filter: ['*.png'] })))
    await sleep(REST_MS)
    whole.push(await timed(() => evaluate({})))
    await sleep(REST_MS)
  }
  const name = `a page of ${IMAGES} images, filtered, median (peer: all of them loaded)`
  return { name, unit: 'ms', ours: median(less), peer: median(whole), target: { atMost: 0.5 } }
}

/** Both as many at once as there are places: the query's own work has to fit beside them. */
async function opened(service: Service, url: string): Promise<Figure> {
  await using parts = new AsyncDisposableStack()
  const folder = parts.adopt(await mkdtemp(join(tmpdir(), 'forage-bench-')), made =>
    rm(made, { recursive: true, force: true }),
  )
  const pool = parts.adopt(new Child('pool.ts', [join(folder, 'data')]), child => child.stop())
  const ours: number[] = []
  const bare: number[] = []
  await pool.call('openAll', url, '.item', CONCURRENCY)
  for (let round = 0; round < OPENED_ROUNDS; round++) {
    const query = `range 1 ${OPENED} n || open ${url}?$n$ --selector .item --cache false`
    ours.push(await timed(() => service.query(query)))
    await sleep(2 * REST_MS)
    bare.push(await pool.call('openAll', url, '.item', OPENED))
    await sleep(2 * REST_MS)
  }
  return {
    name: `open of ${OPENED} pages by a query (peer: our own pool, without a query)`,
    unit: 'a second',
    ours: (OPENED * 1000) / Math.min(...ours),
    peer: (OPENED * 1000) / Math.min(...bare),
    target: { atLeast: 0.85 },
  }
}

const launch = async () =>
  puppeteer.launch({
    executablePath: (await findBrowser())!,
    pipe: true,
    headless: 'shell',
    args: ['--no-sandbox'],
  })

async function launchAndWork(url: string): Promise<void> {
  const browser = await launch()
  await work(await phonePage(browser), url)
  await browser.close()
}

/** Every job of Forage is that of a phone unless it says otherwise; so are these. */
async function phonePage(place: Pick<Browser, 'newPage'>): Promise<Page> {
  const page = await place.newPage()
  await page.emulate(KnownDevices[DEFAULT_DEVICE])
  return page
}

async function work(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.evaluate(readElements)
}

async function rate(job: () => Promise<unknown>): Promise<number> {
  let left = JOBS_EACH
  const worker = async () => {
    while (left-- > 0) await job()
  }
  const ms = await timed(() => Promise.all(Array.from({ length: CONCURRENCY }, worker)))
  return (JOBS_EACH * 1000) / ms
}

async function timed(job: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await job()
  return performance.now() - startedAt
}

async function startSite(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const isImage = request.url!.endsWith('.png')
    const body = isImage ? pixel : request.url!.startsWith('/small') ? small : images
    response.writeHead(200, { 'content-type': isImage ? 'image/png' : 'text/html' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

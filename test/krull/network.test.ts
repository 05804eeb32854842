/** The way out: which addresses a page reaches, through which proxies, and what becomes known of passwords. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, connect as connectTcp, type createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findBrowser } from '../../src/services/krull/find-browser.ts'
import { certificate } from '../network/certificate.ts'
import { httpProxy, serveTls, socksProxy } from '../network/servers.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { codeOf, send, startKrull, startSite } from './support.ts'

const found = (await findBrowser())!
const site = await startSite({
  '/': '<title>Fine</title><h1>fine</h1>',
  '/echo': (request, response) =>
    send(
      'text/html',
      `<h1>${request.headers['x-test'] ?? 'none'}</h1><img src="http://localhost:${new URL(`http://${request.headers.host}`).port}/other.png">`,
    )(request, response),
  '/other.png': send('image/png', ''),
  '/to-local': (_request, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${site.port}/secret` }).end(),
  '/secret': '<h1>secret</h1>',
  '/treasure': '<h1>guarded</h1>',
  '/reaches': (request, response) => send('text/html', reaching(`127.0.0.1:${site.port}`))(request, response),
})

/** A page that reaches for an address in every way that a page has. */
const reaching = (target: string): string =>
  `<h1>public</h1><img src="http://${target}/secret?image"><iframe src="http://${target}/secret?frame"></iframe><script>
    const all = [fetch('http://${target}/secret?fetch', { mode: 'no-cors' }).then(answer => answer.type, () => 'refused'),
      new Promise(resolve => { const socket = new WebSocket('ws://${target}/secret?socket'); socket.onopen = () => resolve('open'); socket.onerror = () => resolve('refused by the site') })]
    window.outcome = Promise.all(all)</script>`

/** Names that the test gives addresses; the site answers for all of them by its port. */
const names: Record<string, readonly string[] | (() => readonly string[])> = {
  localhost: ['127.0.0.1', '::1'],
  'site.test': ['127.0.0.1'],
  'slow.test': ['127.0.0.1'],
  'private.test': ['10.1.2.3'],
  'both.test': ['93.184.216.34', '127.0.0.1'],
}
const lookup = async (host: string): Promise<readonly string[]> => {
  const found = names[host]
  if (found === undefined) throw Object.assign(new Error('not known'), { code: 'ENOTFOUND' })
  return typeof found === 'function' ? found() : found
}

const open = await startKrull({ settings: { pages: 2 }, lookup })
const strict = await startKrull({ settings: { pages: 2 }, network: ['public'], lookup })
type Krull = typeof open.krull
const heading = (krull: Krull, url: string, more: object = {}) =>
  krull.operations.evaluate({ url, expression: 'document.querySelector("h1")?.innerText', ...more })

test('with public-only every spelling of a local address is refused, and so is what resolves to one', async () => {
  const { port } = site
  for (const url of [
    `http://127.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
    `HTTP://127.1:${port}/`,
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://169.254.169.254/latest/meta-data/',
    `http://private.test:${port}/`,
    `http://both.test:${port}/`,
    `https://127.0.0.1:${port}/`,
  ])
    assert.equal(await codeOf(heading(strict.krull, url)), 'blocked_address', url)
  assert.equal(site.requests.length, 0)
})

test('only http and https are opened, whatever the case', async () => {
  for (const url of [
    'file:///etc/hostname',
    'FILE:///etc/hostname',
    'view-source:file:///etc/hostname',
    'chrome://version',
    'data:text/html,x',
    'javascript:1',
  ])
    assert.equal(await codeOf(heading(open.krull, url)), 'blocked_scheme', url)
  assert.equal(await codeOf(heading(open.krull, 'no address')), 'invalid_request')
})

test('the address that a user writes may be local; ranges open it to everything', async () => {
  assert.equal((await heading(open.krull, `${site.url}/`)).result, 'fine')
  assert.equal((await heading(open.krull, `http://site.test:${site.port}/`)).result, 'fine')
  const allowed = await startKrull({ settings: { pages: 1 }, network: ['public', '127.0.0.0/8'], lookup })
  assert.equal((await heading(allowed.krull, `${site.url}/`)).result, 'fine')
  const before = site.requests.length
  const { result } = await heading(allowed.krull, `http://site.test:${site.port}/reaches`, {
    expression: 'outcome',
  })
  assert.deepEqual(result, ['opaque', 'refused by the site'])
  const reached = site.requests.slice(before).map(({ url }) => url)
  for (const way of ['image', 'frame', 'fetch', 'socket']) assert.ok(reached.includes(`/secret?${way}`), way)
  assert.equal((await heading(allowed.krull, `http://site.test:${site.port}/to-local`)).result, 'secret')
  await allowed.krull.stop()
})

test('a public page reaches nothing local: not by redirect, image, frame, fetch, WebSocket or a second answer of its name', async () => {
  let asked = 0
  // Public for the rule, but led to the site: a proxy answers for it, as the internet would.
  names['public.test'] = ['93.184.216.34']
  names['turning.test'] = () => [asked++ === 0 ? '93.184.216.34' : '127.0.0.1']
  const target = `127.0.0.1:${site.port}`
  const page = reaching(target)
  const internet = await proxyThat((path, answer) => {
    if (path === '/redirect') answer.writeHead(302, { location: `http://${target}/secret?redirect` }).end()
    else answer.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  const proxy = `http://127.0.0.1:${internet}`
  const before = site.requests.length
  const { result } = await heading(open.krull, 'http://public.test/', { proxy, expression: 'outcome' })
  assert.notEqual((result as string[])[1], 'open')
  assert.equal(await codeOf(heading(open.krull, 'http://public.test/redirect', { proxy })), 'blocked_address')
  await heading(open.krull, `http://turning.test:${site.port}/`, { timeoutMs: 3000 }).catch(() => {})
  assert.equal(await codeOf(heading(strict.krull, `http://turning.test:${site.port}/`)), 'blocked_address')
  assert.equal(site.requests.length, before)
})

test('the ports of the proxies themselves are closed', async () => {
  const { port } = new URL(site.url)
  assert.ok(port)
  open.policy.closePort(site.port)
  assert.equal(await codeOf(heading(open.krull, `${site.url}/`)), 'blocked_address')
  open.policy.openPort(site.port)
})

test('proxies of every kind work; dead ones and those that refuse are proxy_error', async context => {
  const plain = await httpProxy(context)
  const guarded = await httpProxy(context, {
    authorization: `Basic ${Buffer.from('me:pass').toString('base64')}`,
  })
  const socks = await socksProxy(context)
  const untrusted = await httpProxy(context, { tls: true })
  const url = `${site.url}/`
  for (const proxy of [
    `http://127.0.0.1:${plain.port}`,
    `http://me:pass@127.0.0.1:${guarded.port}`,
    `socks5://127.0.0.1:${socks.port}`,
    `socks://127.0.0.1:${socks.port}`,
  ])
    assert.equal((await heading(open.krull, url, { proxy })).result, 'fine', proxy)
  assert.ok(plain.asked.length > 0 && guarded.asked.length > 0 && socks.asked.length > 0)
  const pac = await startSite({
    '*': send(
      'application/x-ns-proxy-autoconfig',
      `function FindProxyForURL() { return 'PROXY 127.0.0.1:${plain.port}' }`,
    ),
  })
  const asked = plain.asked.length
  assert.equal((await heading(open.krull, url, { proxy: `pac+${pac.url}/proxy.pac` })).result, 'fine')
  assert.ok(plain.asked.length > asked)
  for (const proxy of [
    `http://127.0.0.1:${guarded.port}`,
    'http://127.0.0.1:9',
    'socks5://127.0.0.1:9',
    `https://127.0.0.1:${plain.port}`,
    `https://127.0.0.1:${untrusted.port}`,
  ])
    assert.equal(await codeOf(heading(open.krull, url, { proxy })), 'proxy_error', proxy)
  assert.equal(await codeOf(heading(open.krull, url, { proxy: 'ftp://x' })), 'invalid_request')
})

test('https: a valid certificate opens, one of nobody is page_unreachable by name', async context => {
  const port = await serveTls(context, (request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<h1>${request.url === '/' ? 'secure' : 'more'}</h1><script>window.more = fetch('/more').then(answer => answer.text())</script>`,
      ),
  )
  const secure = `https://127.0.0.1:${port}/`
  await assert.rejects(heading(open.krull, secure), (error: unknown) => {
    assert.equal((error as { code: string }).code, 'page_unreachable')
    assert.match((error as Error).message, /certificate is not valid.*\(ERR_CERT_AUTHORITY_INVALID\)/)
    return true
  })
  // What a page loads besides is held to the same: the page is there, the picture is not.
  const mixed = await startSite({ '/': `<h1>plain</h1><img src="${secure}">` })
  assert.equal(
    (await heading(open.krull, `${mixed.url}/`, { expression: 'document.images[0].naturalWidth' })).result,
    0,
  )
  const trusting = await startKrull({ settings: { pages: 1, browser: trustingBrowser() }, lookup })
  const proxy = await httpProxy(context)
  for (const more of [{}, { proxy: `http://127.0.0.1:${proxy.port}` }]) {
    const { result, status, url } = await heading(trusting.krull, secure, more)
    assert.deepEqual([result, status, url], ['secure', 200, secure])
  }
  assert.ok(proxy.asked.includes(`CONNECT 127.0.0.1:${port}`))
  const { result } = await heading(trusting.krull, `https://localhost:${port}/`, { expression: 'more' })
  assert.match(String(result), /^<h1>more/)
  assert.equal(await codeOf(heading(strict.krull, secure)), 'blocked_address')
  await trusting.krull.stop()
})

/** The browser of this machine, told to trust the key of the certificate that the tests have. */
function trustingBrowser(): string {
  const folder = temporaryFolder()
  // As root the browser runs as another user, who has to get there.
  chmodSync(folder, 0o755)
  const program = join(folder, 'browser')
  const spki = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  const trusted = createHash('sha256').update(spki).digest('base64')
  writeFileSync(program, `#!/bin/sh\nexec ${found} "$@" --ignore-certificate-errors-spki-list=${trusted}\n`)
  chmodSync(program, 0o755)
  return program
}

test('headers go to the origin of the address and to no other', async () => {
  const before = site.requests.length
  const { result } = await heading(open.krull, `${site.url}/echo`, { headers: { 'X-Test': 'for you' } })
  assert.equal(result, 'for you')
  const image = site.requests.slice(before).find(({ url }) => url === '/other.png')
  assert.ok(image)
  assert.equal(image.headers['x-test'], undefined)
  assert.equal(image.headers['proxy-authorization'], undefined)
})

test('nobody without its password uses the proxy of a context', async () => {
  const gate = Promise.withResolvers<void>()
  const held = await startSite({
    '*': (_request, response) => void gate.promise.then(() => response.end('<h1>x</h1>')),
  })
  const job = heading(open.krull, `${held.url}/`)
  while (held.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  const ports = listeningPorts().filter(port => port !== site.port)
  const answers = await Promise.all(
    ports.map(
      port =>
        new Promise<string>(resolve => {
          const socket = connectTcp(port, '127.0.0.1', () =>
            socket.write(`GET ${site.url}/treasure HTTP/1.1\r\nHost: x\r\n\r\n`),
          )
          socket.setTimeout(1000, () => socket.destroy())
          socket.once('data', data => socket.destroy() && resolve(String(data)))
          socket.on('error', () => {})
          socket.on('close', () => resolve(''))
        }),
    ),
  )
  assert.ok(answers.some(text => text.startsWith('HTTP/1.1 407 ')))
  assert.ok(!answers.some(text => text.includes('guarded')))
  gate.resolve()
  await job
})

test('cookies, passwords and proxy passwords are in no error, record or figure', async () => {
  const secret = 'planted-7d1f'
  const attempts = [
    () => heading(open.krull, `http://user:${secret}@127.0.0.1:9/`),
    () => heading(open.krull, `${site.url}/`, { proxy: `http://me:${secret}@127.0.0.1:9` }),
    () => heading(open.krull, `${site.url}/`, { proxy: `nonsense://${secret}` }),
    () =>
      heading(open.krull, `${site.url}/`, {
        cookieStorage: { '__Host-x': { value: secret, domain: '.not.here', path: '/x' } },
      }),
    () => heading(open.krull, `${site.url}/`, { headers: { authorization: secret, 'bad name': secret } }),
    () =>
      heading(open.krull, `${site.url}/`, { headers: { authorization: secret }, expression: 'nothing.here' }),
  ]
  for (const attempt of attempts)
    await assert.rejects(attempt(), (error: Error & { errors?: unknown }) => {
      assert.doesNotMatch(
        `${error.message} ${JSON.stringify(error.errors)} ${error.stack}`,
        new RegExp(secret),
      )
      return true
    })
  const { result, url } = await heading(open.krull, `http://user:${secret}@127.0.0.1:${site.port}/`)
  assert.deepEqual([result, url], ['fine', `${site.url}/`])
  assert.doesNotMatch(JSON.stringify(open.krull.system(null)), new RegExp(secret))
})

test('direct calls are booked with the policy of the domain, and wait within their deadline', async () => {
  const { gonogo } = open
  const url = `http://slow.test:${site.port}/`
  gonogo.limiter.holdBack('slow.test', Date.now() + 1500)
  await assert.rejects(heading(open.krull, url, { timeoutMs: 100 }), /in the phase policy/)
  assert.equal((await heading(open.krull, url)).result, 'fine')
  await gonogo.policies.create({ name: 'never', domain: 'slow.test', policy: { perMinute: 0 } })
  assert.equal(await codeOf(heading(open.krull, url)), 'forbidden')
})

test('a page that loads more than the limit is cut off', async () => {
  const small = await startKrull({ settings: { pages: 1, pageLimit: 100_000 } })
  const large = await startSite({ '*': send('text/html', `<h1>x</h1>${'y'.repeat(300_000)}`) })
  assert.equal(await codeOf(heading(small.krull, `${large.url}/`)), 'too_large')
  await small.krull.stop()
})

/** An HTTP proxy that answers for every host itself. */
async function proxyThat(
  answer: (path: string, response: import('node:http').ServerResponse) => void,
): Promise<number> {
  const server: Server = createHttpServer((request, response) =>
    answer(new URL(request.url!).pathname, response),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Ports of this process that listen on loopback. */
function listeningPorts(): number[] {
  // biome-ignore lint/suspicious/noExplicitAny: Node.js has no public list of its servers.
  const handles = (process as any)._getActiveHandles() as unknown[]
  return handles.flatMap(handle => {
    const address =
      typeof (handle as { address?: unknown }).address === 'function'
        ? (handle as ReturnType<typeof createServer>).address()
        : null
    return address !== null &&
      typeof address === 'object' &&
      'port' in address &&
      (handle as { listening?: boolean }).listening
      ? [address.port]
      : []
  })
}

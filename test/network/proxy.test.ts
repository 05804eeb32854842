import assert from 'node:assert/strict'
import { createServer as createTcpServer } from 'node:net'
import { test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { NetworkError } from '../../src/network/errors.ts'
import { PacFile } from '../../src/network/pac.ts'
import { Scope } from '../../src/network/scope.ts'
import { certificate } from './certificate.ts'
import { clientFor, echo, failsWith, json, unusedPort } from './client.ts'
import { httpProxy, listen, serve, serveTls, socksProxy } from './servers.ts'

test('proxies of every kind, plain and to TLS', async context => {
  setDefaultCACertificates([certificate])
  const plain = await serve(context, echo)
  const sealed = await serveTls(context, echo)
  const http = await httpProxy(context)
  const https = await httpProxy(context, { tls: true })
  const socks = await socksProxy(context)
  const names = { 'secure.test': ['127.0.0.1'] }
  const proxies: [string, string[], string, string][] = [
    [
      `http://127.0.0.1:${http.port}`,
      http.asked,
      `GET http://secure.test:${plain}/x`,
      `CONNECT secure.test:${sealed}`,
    ],
    [
      `https://localhost:${https.port}`,
      https.asked,
      `GET http://secure.test:${plain}/x`,
      `CONNECT secure.test:${sealed}`,
    ],
    [`socks://127.0.0.1:${socks.port}`, socks.asked, `5 secure.test:${plain}`, `5 secure.test:${sealed}`],
    [`socks5://127.0.0.1:${socks.port}`, socks.asked, `5 secure.test:${plain}`, `5 secure.test:${sealed}`],
    [`socks4://127.0.0.1:${socks.port}`, socks.asked, `4 secure.test:${plain}`, `4 secure.test:${sealed}`],
  ]
  for (const [proxy, asked, forPlain, forSealed] of proxies) {
    // A client each: what one proxy opened, the next would use again.
    const { get } = clientFor(context, { names: { ...names, localhost: ['127.0.0.1'] } })
    asked.length = 0
    const first = await json(await get(`http://secure.test:${plain}/x`, { proxy }))
    const again = await json(
      await get(`http://secure.test:${plain}/x`, { proxy, method: 'POST', body: 'text' }),
    )
    const secured = await json(await get(`https://secure.test:${sealed}/x`, { proxy }))
    assert.deepEqual([first.url, again.body, secured.url], ['/x', 'text', '/x'], proxy)
    assert.equal(first.headers.host, `secure.test:${plain}`)
    assert.equal(asked[0], forPlain)
    assert.equal(asked.at(-1), forSealed)
  }
})

test('proxies with a password: right, wrong, missing; the password is in no error', async context => {
  const plain = await serve(context, echo)
  const sealed = await serveTls(context, echo)
  const authorization = `Basic ${Buffer.from('me:pass word').toString('base64')}`
  const http = await httpProxy(context, { authorization })
  const socks = await socksProxy(context, { name: 'me', password: 'pass word' })
  const { get } = clientFor(context)
  const urls = [`http://127.0.0.1:${plain}/`, `https://127.0.0.1:${sealed}/`]
  for (const place of [`http://%@127.0.0.1:${http.port}`, `socks5://%@127.0.0.1:${socks.port}`]) {
    for (const url of urls) {
      const right = await get(url, { proxy: place.replace('%', 'me:pass%20word'), verify: false })
      assert.equal((await json(right)).url, '/')
      for (const pair of ['me:hunter2', 'hunter2:', '']) {
        const proxy = pair === '' ? place.replace('%@', '') : place.replace('%', pair)
        await assert.rejects(get(url, { proxy, verify: false }), (error: unknown) => {
          failsWith('proxy_error')(error)
          const { message, stack, cause } = error as NetworkError
          assert.ok(!`${message}${stack}${JSON.stringify(cause ?? '')}`.includes('hunter2'))
          assert.equal((error as NetworkError).final, true, message)
          return true
        })
      }
    }
  }
})

test('a proxy that is dead, speaks something else, or is not one', async context => {
  const target = await serve(context, echo)
  const dead = await unusedPort()
  const chatty = await listen(
    context,
    createTcpServer(socket => socket.end('220 mail.test ESMTP\r\n\r\n')),
  )
  const mute = await listen(
    context,
    createTcpServer(socket => socket.destroy()),
  )
  const { get } = clientFor(context)
  const secured = `https://127.0.0.1:${target}/`
  for (const kind of ['http', 'socks4', 'socks5']) {
    for (const port of [dead, chatty, mute])
      await assert.rejects(
        get(secured, { proxy: `${kind}://127.0.0.1:${port}` }),
        failsWith('proxy_error'),
        `${kind} ${port}`,
      )
  }
  await assert.rejects(
    get(`http://127.0.0.1:${target}/`, { proxy: `http://127.0.0.1:${dead}` }),
    failsWith('proxy_error'),
  )
  for (const proxy of [
    'nonsense',
    'ftp://127.0.0.1',
    'socks5://',
    'http://a:%zz@host',
    'pac+file:///etc/proxy.pac',
  ])
    await assert.rejects(get(secured, { proxy }), failsWith('bad_proxy'))
})

test('the rule holds for a proxy and for what is behind it', async context => {
  const target = await serve(context, echo)
  const socks = await socksProxy(context)
  const proxy = `socks5://127.0.0.1:${socks.port}`
  const exposed = clientFor(context, { exposed: true })
  await assert.rejects(
    exposed.get('http://unknown.test/', { proxy }),
    failsWith('blocked_address', /127\.0\.0\.1 may not/),
  )
  const { get } = clientFor(context, { names: { 'inside.test': ['127.0.0.1'] } })
  const scope = new Scope()
  await assert.rejects(get(`http://127.0.0.1:${target}/`, { proxy, scope }), failsWith('blocked_address'))
  await assert.rejects(get(`http://inside.test:${target}/`, { proxy, scope }), failsWith('blocked_address'))
  await assert.rejects(get('http://169.254.169.254/', { proxy }), failsWith('blocked_address', /metadata/))
  assert.deepEqual(socks.asked, [], 'the proxy was never asked')
  const known = await get(`http://only-the-proxy-knows.test:${target}/`, { proxy, scope })
  assert.equal((await json(known)).headers.host, `only-the-proxy-knows.test:${target}`)
})

test('PAC files: routes in order, direct, and what a file may not do', async context => {
  const target = await serve(context, echo)
  const socks = await socksProxy(context)
  const http = await httpProxy(context)
  const files: Record<string, string> = {
    '/order': `function FindProxyForURL(url, host) {
      if (url.indexOf('secret') >= 0) return 'PROXY 127.0.0.1:1';
      if (host == 'straight.test' || isInNet(host, '10.0.0.0', '255.0.0.0')) return 'DIRECT';
      if (dnsResolve(host) === null && shExpMatch(host, '*.far.test')) return 'PROXY 127.0.0.1:1; SOCKS5 127.0.0.1:${socks.port}';
      return 'PROXY 127.0.0.1:${http.port}';
    }`,
    '/spin': 'function FindProxyForURL() { while (true) {} }',
    '/spin-at-once': 'while (true) {}',
    '/hoard': "function FindProxyForURL() { var a = []; while (true) a.push(new Array(10000).join('x')) }",
    '/throw': "function FindProxyForURL() { throw new Error('broken') }",
    '/other': 'var nothing = 1',
    '/reach-out':
      "function FindProxyForURL() { return typeof process + typeof require + typeof fetch == 'undefinedundefinedundefined' ? 'DIRECT' : 'PROXY 127.0.0.1:1' }",
  }
  let fetched = 0
  const pac = await serve(context, (incoming, answer) => {
    fetched++
    const file = files[incoming.url!]
    answer.writeHead(file === undefined ? 404 : 200).end(file)
  })
  const names = { 'straight.test': ['127.0.0.1'], 'near.test': ['127.0.0.1'] }
  const { get } = clientFor(context, { names })
  const by = (path: string) => ({ proxy: `pac+http://127.0.0.1:${pac}${path}` })
  for (const host of ['straight', 'near', 'a.far']) {
    const response = await get(`http://${host}.test:${target}/?secret`, by('/order'))
    assert.equal((await json(response)).headers.host, `${host}.test:${target}`)
  }
  assert.deepEqual(http.asked, [`GET http://near.test:${target}/?secret`])
  assert.deepEqual(socks.asked, [`5 a.far.test:${target}`])
  assert.equal(fetched, 1)
  const direct = await get(`http://straight.test:${target}/`, by('/reach-out'))
  assert.equal(direct.status, 200)
  direct.discard()
  for (const path of ['/spin', '/spin-at-once', '/hoard', '/throw', '/other', '/missing'])
    await assert.rejects(get(`http://straight.test:${target}/`, by(path)), failsWith('bad_proxy'), path)
})

test('a PAC file that looks up names without end is ended', async context => {
  const source = "function FindProxyForURL() { while (true) { isResolvable('x.test') } }"
  const pac = new PacFile(source, async () => ['127.0.0.1'], 300)
  context.after(() => pac.close())
  const asked = [pac.routes(new URL('http://a.test')), pac.routes(new URL('http://b.test'))]
  for (const asking of asked) await assert.rejects(asking, failsWith('bad_proxy'))
  await assert.rejects(pac.routes(new URL('http://c.test')), failsWith('bad_proxy'))
})

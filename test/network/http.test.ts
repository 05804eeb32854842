import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createTcpServer } from 'node:net'
import { test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { Dialer } from '../../src/network/dialer.ts'
import { NetworkError } from '../../src/network/errors.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { Scope } from '../../src/network/scope.ts'
import { certificate } from './certificate.ts'
import { clientFor, echo, failsWith, json, somewhere, unusedPort } from './client.ts'
import { listen, serve, serveTls, socksProxy } from './servers.ts'

test('a request and its answer', async context => {
  const port = await serve(context, echo)
  const { get } = clientFor(context)
  const response = await get(`http://127.0.0.1:${port}/a?b=c#d`, {
    method: 'post',
    headers: { 'X-One': '1', 'x-many': ['1', '2'], 'Proxy-Authorization': 'Basic secret' },
    body: 'text',
  })
  const { method, url, headers, body } = await json(response)
  assert.deepEqual([response.status, method, url, body], [200, 'POST', '/a?b=c', 'text'])
  assert.equal(headers['x-one'], '1')
  assert.equal(headers['x-many'], '1, 2')
  assert.equal(headers['proxy-authorization'], undefined)
  assert.equal(response.url.href, `http://127.0.0.1:${port}/a?b=c#d`)
})

test('user and password in the address become a header, and stay out of the address', async context => {
  const port = await serve(context, echo)
  const response = await clientFor(context).get(`http://me:p%40ss-ü%zz@127.0.0.1:${port}/`)
  assert.equal(
    (await json(response)).headers.authorization,
    `Basic ${Buffer.from('me:p@ss-ü%zz').toString('base64')}`,
  )
  assert.ok(!response.url.href.includes('ss@'))
})

test('every spelling of this machine is refused when exposed, and reached when the user wrote it', async context => {
  const port = await serve(context, (_, answer) => answer.end('here'))
  const hosts = [
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '[::ffff:127.0.0.1]',
    'home.test',
  ]
  const names = { localhost: ['127.0.0.1'], 'home.test': ['127.0.0.1'] }
  const open = clientFor(context, { names })
  const exposed = clientFor(context, { names, exposed: true })
  const allowed = clientFor(context, { names, exposed: true, network: ['loopback'] })
  for (const host of hosts) {
    const url = `HTTP://${host}:${port}/`
    assert.equal(await (await open.get(url)).text(), 'here', host)
    assert.equal(await (await allowed.get(url)).text(), 'here', host)
    await assert.rejects(exposed.get(url), failsWith('blocked_address', /Forage is exposed/))
    await assert.rejects(
      open.get(url, { scope: new Scope() }),
      failsWith('blocked_address', /query itself names/),
    )
  }
  for (const host of [
    '[::ffff:169.254.169.254]',
    '169.254.169.254',
    '0xa9fea9fe',
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
  ])
    await assert.rejects(allowed.get(`http://${host}/`), failsWith('blocked_address', /metadata/))
})

test('schemes other than http and https, and what is no address', async context => {
  const { get } = clientFor(context)
  for (const url of [
    'file:///etc/hostname',
    'FILE:///etc/hostname',
    'view-source:file:///etc/hostname',
    'chrome://version',
    'ftp://127.0.0.1/',
    'data:,x',
  ])
    await assert.rejects(get(url), failsWith('blocked_scheme'))
  await assert.rejects(
    clientFor(context).client.request({ url: 'nonsense', scope: new Scope() }),
    failsWith('bad_url'),
  )
})

test('of a request that was never sent nothing waits for the signal of its query', async context => {
  const { get, fetch } = clientFor(context)
  const controller = new AbortController()
  const { signal } = controller
  let asked = 0
  // Whoever still follows the signal asks why it was aborted.
  Object.defineProperty(signal, 'reason', { get: () => ++asked })
  for (const ask of [get, fetch])
    await assert.rejects(ask('ftp://127.0.0.1/', { signal }), failsWith('blocked_scheme'))
  controller.abort()
  assert.equal(asked, 0)
})

test('names: to a private address, to public and private, to another one the second time', async context => {
  const port = await serve(context, (_, answer) => answer.end('secret'))
  const answers = [[somewhere], ['127.0.0.1']]
  const names = {
    'private.test': ['127.0.0.1'],
    'both.test': ['127.0.0.1', somewhere],
    'rebound.test': () => answers.shift()!,
  }
  const { get, lookups } = clientFor(context, { names })
  const fromData = { scope: new Scope() }
  await assert.rejects(get(`http://private.test:${port}/`, fromData), failsWith('blocked_address'))
  await assert.rejects(get(`http://both.test:${port}/`, fromData), failsWith('blocked_address'))
  await assert.rejects(get(`http://both.test:${port}/`), failsWith('blocked_address', /at once/))
  assert.equal(await (await get(`http://private.test:${port}/`)).text(), 'secret')
  const scope = new Scope('rebound.test')
  scope.note('rebound.test', true)
  answers.shift()
  await assert.rejects(get(`http://rebound.test:${port}/`, { scope }), failsWith('blocked_address'))
  assert.equal(lookups.filter(host => host === 'rebound.test').length, 1, 'resolved once')
})

test('the dialer resolves once and connects to what it checked', async context => {
  const port = await serve(context, (_, answer) => answer.end('first'))
  const answers = [['127.0.0.1'], [somewhere], [somewhere]]
  const { get } = clientFor(context, { names: { 'turn.test': () => answers.shift()! } })
  assert.equal(await (await get(`http://turn.test:${port}/`)).text(), 'first')
  assert.equal(answers.length, 2)
})

test("Forage's own port is closed, also to a user who wrote it", async context => {
  const port = await serve(context, (_, answer) => answer.end('api'))
  const { get, policy } = clientFor(context, { names: { localhost: ['127.0.0.1'] } })
  policy.closePort(port)
  await assert.rejects(get(`http://localhost:${port}/`), failsWith('blocked_address', /Forage's own/))
  policy.openPort(port)
  assert.equal(await (await get(`http://localhost:${port}/`)).text(), 'api')
})

test('redirects: methods, bodies, counting, and none when not wanted', async context => {
  const port = await serve(context, (incoming, answer) => {
    const code = /^\/(\d{3})$/.exec(incoming.url!)?.[1]
    if (code) answer.writeHead(Number(code), { location: '/end' }).end('moved')
    else if (incoming.url === '/loop') answer.writeHead(302, { location: '/loop' }).end()
    else if (incoming.url === '/scheme') answer.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else echo(incoming, answer)
  })
  const { get } = clientFor(context)
  const base = `http://127.0.0.1:${port}`
  const post = { method: 'POST', body: 'text', headers: { 'content-type': 'text/plain' } }
  for (const [status, method] of [
    [301, 'GET'],
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ] as const) {
    const response = await get(`${base}/${status}`, post)
    const seen = await json(response)
    assert.deepEqual([seen.method, seen.body], [method, method === 'POST' ? 'text' : ''], String(status))
    assert.equal(seen.headers['content-type'], method === 'POST' ? 'text/plain' : undefined)
    assert.equal(response.redirects, 1)
    assert.equal(response.url.pathname, '/end')
  }
  const put = await json(await get(`${base}/302`, { ...post, method: 'PUT' }))
  assert.deepEqual([put.method, put.body], ['PUT', 'text'])
  const head = await get(`${base}/303`, { method: 'HEAD' })
  assert.deepEqual([head.status, (await head.bytes()).length], [200, 0])
  const stream = await get(`${base}/307`, {
    method: 'POST',
    body: async function* () {
      yield Buffer.from('again')
    },
  })
  assert.equal((await json(stream)).body, 'again')
  const unfollowed = await get(`${base}/302`, { redirects: 0 })
  assert.deepEqual([unfollowed.status, await unfollowed.text()], [302, 'moved'])
  await assert.rejects(get(`${base}/loop`, { redirects: 3 }), failsWith('too_many_redirects', /3 times/))
  await assert.rejects(get(`${base}/scheme`), failsWith('blocked_scheme'))
})

test('what a redirect says besides is let go, however long it is', async context => {
  const port = await serve(context, (incoming, answer) => {
    if (incoming.url === '/here') return void answer.end('here')
    answer.writeHead(302, { location: '/here' })
    // Never ends by itself.
    const timer = setInterval(() => answer.write('x'.repeat(50_000)), 1)
    answer.on('close', () => clearInterval(timer))
  })
  const { get, fetch } = clientFor(context)
  const url = `http://127.0.0.1:${port}/there`
  assert.equal(await (await get(url)).text(), 'here')
  assert.equal((await fetch(url)).bytes.toString(), 'here')
  await assert.rejects(fetch(url, { redirects: 0, maxBytes: 200_000 }), failsWith('too_large'))
})

test('another origin gets neither authorization nor cookies nor the headers named secret', async context => {
  const other = await serve(context, echo)
  const port = await serve(context, (_, answer) =>
    answer.writeHead(307, { location: `http://u:p@127.0.0.1:${other}/x` }).end(),
  )
  const sent: string[] = []
  const { get } = clientFor(context)
  const response = await get(`http://127.0.0.1:${port}/`, {
    headers: { Authorization: 'Bearer s3cret', Cookie: 's3cret', 'X-Key': 's3cret', 'X-Plain': 'kept' },
    secretHeaders: ['X-Key'],
    beforeSend: async url => void sent.push(url.host),
  })
  const text = await response.text()
  assert.ok(!text.includes('s3cret'), text)
  assert.equal(JSON.parse(text).headers['x-plain'], 'kept')
  assert.equal(JSON.parse(text).headers.authorization, undefined)
  assert.deepEqual(sent, [`127.0.0.1:${port}`, `127.0.0.1:${other}`])
})

test('a public page cannot redirect to this machine, not even over a connection that another job opened', async context => {
  const inner = await serve(context, (_, answer) => answer.end('inside'))
  const local = `http://127.0.0.1:${inner}/`
  const outer = await serve(context, (_, answer) => answer.writeHead(302, { location: local }).end())
  const socks = await socksProxy(context)
  const { get } = clientFor(context, { names: { 'page.test': ['127.0.0.1'], 'public.test': [somewhere] } })
  assert.equal(await (await get(local)).text(), 'inside')
  assert.equal(await (await get(`http://page.test:${outer}/`)).text(), 'inside', 'a local page may')
  // The proxy of the test goes by the port alone, so a public name leads to the redirecting server.
  const proxy = `socks5://127.0.0.1:${socks.port}`
  await assert.rejects(
    get(`http://public.test:${outer}/`, { proxy }),
    failsWith('blocked_address', /from a public page/),
  )
  assert.deepEqual(socks.asked, [`5 public.test:${outer}`])
  const bounce = await serve(context, (_, answer) =>
    answer.writeHead(302, { location: `http://public.test:${outer}/` }).end(),
  )
  await assert.rejects(
    get(`http://page.test:${bounce}/`, { proxy }),
    failsWith('blocked_address'),
    'local, public, local',
  )
})

test('packed bodies, each way, and the ceiling on unpacked bytes', async context => {
  const plain = Buffer.from('forage '.repeat(20_000))
  const packers: Record<string, Buffer> = {
    gzip: gzipSync(plain),
    deflate: deflateSync(plain),
    'Deflate ': deflateRawSync(plain),
    br: brotliCompressSync(plain),
    zstd: zstdCompressSync(plain),
    'gzip, br': brotliCompressSync(gzipSync(plain)),
    identity: plain,
  }
  const names = Object.keys(packers)
  const port = await serve(context, (incoming, answer) => {
    const name = names[Number(incoming.url!.slice(1))]!
    answer
      .writeHead(200, { 'content-encoding': name.trim() })
      .end(incoming.method === 'HEAD' ? '' : packers[name])
  })
  const { get, fetch } = clientFor(context)
  for (const [index, name] of names.entries()) {
    const url = `http://127.0.0.1:${port}/${index}`
    assert.ok((await fetch(url, { maxBytes: plain.length })).bytes.equals(plain), name)
    assert.equal((await fetch(url, { method: 'HEAD', maxBytes: 1 })).bytes.length, 0, name)
    await assert.rejects(
      fetch(url, { maxBytes: plain.length - 1 }),
      failsWith('too_large', /--maxBytes/),
      name,
    )
    assert.ok((await (await get(url)).bytes()).equals(plain), name)
    assert.equal((await (await get(url, { method: 'HEAD' })).bytes()).length, 0, name)
    const exact = await get(url, { maxBytes: plain.length })
    assert.equal((await exact.bytes()).length, plain.length, name)
    for (const read of ['bytes', 'stream'] as const) {
      const response = await get(url, { maxBytes: plain.length - 1 })
      const reading =
        read === 'bytes'
          ? () => response.bytes()
          : async () => {
              for await (const _ of response.stream());
            }
      await assert.rejects(reading, failsWith('too_large', /--maxBytes/), name)
    }
  }
})

test('a body that is announced too large, packed wrongly, cut off, or not HTTP', async context => {
  const port = await serve(context, (incoming, answer) => {
    if (incoming.url === '/announced') answer.writeHead(200, { 'content-length': 5000 }).write('x')
    else if (incoming.url === '/wrong') answer.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    else if (incoming.url === '/unknown') answer.writeHead(200, { 'content-encoding': 'sdch' }).end('?')
    else if (incoming.url === '/short')
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(99)).subarray(0, 20))
    else answer.writeHead(200, { 'content-length': 10 }).write('half', () => answer.destroy())
  })
  const { get, fetch } = clientFor(context)
  const base = `http://127.0.0.1:${port}`
  const readers = [
    async (path: string) => (await get(`${base}${path}`, { maxBytes: 1000 })).bytes(),
    async (path: string) => (await fetch(`${base}${path}`, { maxBytes: 1000 })).bytes,
  ]
  for (const read of readers) {
    await assert.rejects(read('/announced'), failsWith('too_large'))
    await assert.rejects(read('/wrong'), failsWith('bad_response'))
    await assert.rejects(read('/short'), failsWith('bad_response'))
    await assert.rejects(read('/unknown'), failsWith('bad_response'))
    await assert.rejects(read('/cut'), failsWith('connection_lost'))
  }
  const raw = await listen(
    context,
    createTcpServer(socket => socket.end('SSH-2.0-OpenSSH\r\n')),
  )
  await assert.rejects(get(`http://127.0.0.1:${raw}/`), failsWith('bad_response'))
})

test('no answer, a body that dribbles, a caller who leaves; waiting for a policy is not counted', async context => {
  const port = await serve(context, (incoming, answer) => {
    if (incoming.url === '/silent') return
    if (incoming.url === '/quick') return void answer.end('quick')
    answer.writeHead(200).write('x')
    const timer = setInterval(() => answer.write('x'), 5)
    answer.on('close', () => clearInterval(timer))
  })
  const { get, fetch, client } = clientFor(context)
  const base = `http://127.0.0.1:${port}`
  for (const ask of [get, fetch])
    await assert.rejects(
      ask(`${base}/silent`, { timeoutMs: 50 }),
      failsWith('timeout', /no answer within 0.05 s/),
    )
  await assert.rejects(
    fetch(`${base}/dribble`, { timeoutMs: 100 }),
    failsWith('timeout', /body was not complete/),
  )
  const leaving = new AbortController()
  const gone = fetch(`${base}/dribble`, { signal: leaving.signal })
  leaving.abort()
  await assert.rejects(gone, failsWith('aborted'))
  const dribble = await get(`${base}/dribble`, { timeoutMs: 100 })
  await assert.rejects(dribble.bytes(), failsWith('timeout', /body was not complete/))
  const controller = new AbortController()
  const left = get(`${base}/silent`, { signal: controller.signal })
  controller.abort()
  await assert.rejects(left, failsWith('aborted'))
  await assert.rejects(get(`${base}/quick`, { signal: controller.signal }), failsWith('aborted'))
  const whileReading = new AbortController()
  const started = await get(`${base}/dribble`, { signal: whileReading.signal })
  const stream = started.stream()
  await once(stream, 'readable')
  whileReading.abort()
  await assert.rejects(once(stream, 'end'), failsWith('aborted'))
  const waited = await get(`${base}/quick`, {
    timeoutMs: 1000,
    beforeSend: () => new Promise(resolve => setTimeout(resolve, 1100)),
  })
  assert.equal(await waited.text(), 'quick')
  assert.equal(client.pools, 1)
})

test('failures to connect have names', async context => {
  const { get } = clientFor(context)
  await assert.rejects(get('http://unknown.test/'), failsWith('dns_error', /unknown\.test does not resolve/))
  const port = await serve(context, echo)
  await assert.rejects(get(`https://127.0.0.1:${port}/`), (error: unknown) => {
    assert.ok(error instanceof NetworkError && ['tls_error', 'connect_error'].includes(error.code))
    return true
  })
  await assert.rejects(
    get(`http://127.0.0.1:${port}/`, { headers: { 'bad name': 'x' } }),
    failsWith('bad_request'),
  )
})

test('localhost needs no resolver, and any of its addresses will do', async context => {
  const port = await serve(context, (_, answer) => answer.end('here'))
  const client = new HttpClient(new Dialer(new NetworkPolicy({ exposed: false, network: [] })))
  context.after(() => client.close())
  for (const host of ['localhost', 'app.localhost', 'LOCALHOST.']) {
    const url = `http://${host}:${port}/`
    assert.equal(await (await client.request({ url, scope: Scope.ofUrl(url) })).text(), 'here', host)
  }
  const gone = await unusedPort()
  await assert.rejects(
    client.request({ url: `http://localhost:${gone}/`, scope: new Scope('localhost') }),
    failsWith('connect_error', /ECONNREFUSED/),
  )
})

test('a refusal of whoever is asked before sending is passed on as it is', async context => {
  const port = await serve(context, () => assert.fail('must not be asked'))
  const refusal = Object.assign(new Error('not today'), { code: 'forbidden' })
  const asking = clientFor(context).get(`http://127.0.0.1:${port}/`, {
    beforeSend: () => Promise.reject(refusal),
  })
  await assert.rejects(asking, error => error === refusal)
})

test('a discarded answer gives its connection back', async context => {
  const ports = new Set<number | undefined>()
  const port = await serve(context, (incoming, answer) => {
    ports.add(incoming.socket.remotePort)
    answer.writeHead(500).end('x'.repeat(1000))
  })
  const { get } = clientFor(context)
  for (let count = 0; count < 5; count++) {
    const response = await get(`http://127.0.0.1:${port}/`)
    response.discard()
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.equal(ports.size, 1)
})

test('TLS: certificates are checked unless told otherwise', async context => {
  const port = await serveTls(context, (_, answer) => answer.end('sealed'))
  const names = { localhost: ['127.0.0.1'], 'wrong.test': ['127.0.0.1'], 'secure.test': ['127.0.0.1'] }
  const { get } = clientFor(context, { names })
  await assert.rejects(get(`https://secure.test:${port}/`), failsWith('tls_error'))
  assert.equal(await (await get(`https://wrong.test:${port}/`, { verify: false })).text(), 'sealed')
  await assert.rejects(
    get(`https://wrong.test:${port}/`),
    failsWith('tls_error'),
    'a lax connection serves only lax requests',
  )
  setDefaultCACertificates([certificate])
  assert.equal(await (await get(`https://secure.test:${port}/`)).text(), 'sealed')
  assert.equal(await (await get(`https://127.0.0.1:${port}/`)).text(), 'sealed')
  await assert.rejects(get(`https://wrong.test:${port}/`), failsWith('tls_error'))
})

test('idle pools are closed, and there are never too many', async context => {
  const port = await serve(context, (_, answer) => answer.end('x'))
  const names = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`n${index}.test`, ['127.0.0.1']]))
  const policy = new NetworkPolicy({ exposed: false, network: [] })
  const client = new HttpClient(new Dialer(policy, async host => names[host]!), { pools: 4, idleMs: 20 })
  context.after(() => client.close())
  for (const name of Object.keys(names)) {
    const url = `http://${name}:${port}/`
    await (await client.request({ url, scope: Scope.ofUrl(url) })).bytes()
    assert.ok(client.pools <= 4)
  }
  while (client.pools > 0) await new Promise(resolve => setTimeout(resolve, 5))
})

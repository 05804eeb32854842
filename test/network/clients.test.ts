import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { Dialer } from '../../src/network/dialer.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { Scope } from '../../src/network/scope.ts'
import { failsWith } from './client.ts'
import { serve } from './servers.ts'

const clientWith = (connections: number) =>
  new HttpClient(new Dialer(new NetworkPolicy({ exposed: false, network: [] })), { connections })

/** Sends so many requests, so many at once; gives what came of each. */
async function together(client: HttpClient, urls: readonly string[], atOnce: number): Promise<string[]> {
  const outcomes: string[] = []
  let next = 0
  const lane = async () => {
    while (next < urls.length) {
      const at = next++
      const url = urls[at]!
      outcomes[at] = await client.fetch({ url, scope: Scope.ofUrl(url) }).then(
        ({ bytes }) => bytes.toString(),
        error => error.code,
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return outcomes
}

test('there are as many connections as requests at once, and no more', async context => {
  const sockets = new Set<Socket>()
  const port = await serve(context, (incoming, answer) => {
    sockets.add(incoming.socket)
    answer.end(incoming.url)
  })
  const client = clientWith(128)
  context.after(() => client.close())
  const paths = Array.from({ length: 200 }, (_, index) => `/${index}`)
  const outcomes = await together(
    client,
    paths.map(path => `http://127.0.0.1:${port}${path}`),
    4,
  )
  assert.deepEqual(outcomes, paths)
  assert.equal(sockets.size, 4)
})

test('requests past the limit wait for a connection, also for one whose request broke or failed', async context => {
  let [open, most] = [0, 0]
  const port = await serve(context, (incoming, answer) => {
    most = Math.max(most, ++open)
    setTimeout(() => {
      open--
      if (incoming.url === '/break') incoming.socket.destroy()
      else if (incoming.url === '/once') answer.setHeader('connection', 'close').end('once')
      else answer.end('whole')
    }, 2)
  })
  const client = clientWith(2)
  context.after(() => client.close())
  const paths = Array.from({ length: 40 }, (_, index) => ['/break', '/once', '/whole', '/whole'][index % 4]!)
  const outcomes = await together(
    client,
    paths.map(path => `http://127.0.0.1:${port}${path}`),
    20,
  )
  const expected = { '/break': 'connection_lost', '/once': 'once', '/whole': 'whole' }
  assert.deepEqual(
    outcomes,
    paths.map(path => expected[path as keyof typeof expected]),
  )
  assert.equal(most, 2)
})

test('a connection that cannot be made fails those that wait for it one by one, and nobody else', async context => {
  const client = clientWith(1)
  context.after(() => client.close())
  const port = await serve(context, (_, answer) => answer.end('here'))
  const refused = await together(client, Array(5).fill('http://127.0.0.1:1/'), 5)
  assert.deepEqual(refused, Array(5).fill('connect_error'))
  assert.deepEqual(await together(client, [`http://127.0.0.1:${port}/`], 1), ['here'])
})

test('one that is given up while it waits is not sent', async context => {
  const asked: (string | undefined)[] = []
  const port = await serve(context, (incoming, answer) => {
    asked.push(incoming.url)
    setTimeout(() => answer.end(), 20)
  })
  const client = clientWith(1)
  context.after(() => client.close())
  const fetch = (path: string, signal?: AbortSignal) =>
    client.fetch({ url: `http://127.0.0.1:${port}${path}`, scope: new Scope('127.0.0.1'), signal })
  const leaving = new AbortController()
  const [first, second, third] = [fetch('/1'), fetch('/2', leaving.signal), fetch('/3')]
  leaving.abort()
  await assert.rejects(second, failsWith('aborted'))
  await Promise.all([first, third])
  assert.deepEqual(asked, ['/1', '/3'])
})

test('those that are given up while they wait cost no connection', async context => {
  const sockets = new Set<Socket>()
  const port = await serve(context, (incoming, answer) => {
    sockets.add(incoming.socket)
    setTimeout(() => answer.end(), 20)
  })
  const client = clientWith(1)
  context.after(() => client.close())
  const fetch = (signal?: AbortSignal) =>
    client.fetch({ url: `http://127.0.0.1:${port}/`, scope: new Scope('127.0.0.1'), signal })
  const leaving = new AbortController()
  const first = fetch()
  const others = Array.from({ length: 20 }, () => fetch(leaving.signal))
  const last = fetch()
  leaving.abort()
  await Promise.allSettled(others)
  await Promise.all([first, last])
  assert.equal(sockets.size, 1)
})

test('an answer that is packed in an unknown way gives its connection back', async context => {
  const port = await serve(context, (incoming, answer) => {
    if (incoming.url === '/packed')
      answer.setHeader('content-encoding', 'unheard-of').end('x'.repeat(2_000_000))
    else answer.end('plain')
  })
  const client = clientWith(1)
  context.after(() => client.close())
  const base = `http://127.0.0.1:${port}`
  const outcomes = await together(client, [`${base}/packed`, `${base}/packed`, `${base}/plain`], 3)
  assert.deepEqual(outcomes, ['bad_response', 'bad_response', 'plain'])
})

test('closing ends those that are under way and those that wait', async context => {
  const port = await serve(context, () => {})
  const client = clientWith(1)
  const url = `http://127.0.0.1:${port}/`
  const waiting = together(client, [url, url, url], 3)
  await new Promise(resolve => setTimeout(resolve, 20))
  await client.close()
  assert.deepEqual(await waiting, Array(3).fill('connection_lost'))
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { describe, test } from 'node:test'
import { demoRouter } from '../../demo/routes.ts'
import { startDemo } from '../../demo/server.ts'
import { demo, get, json, page, post, text } from './client.ts'

describe('faults', () => {
  test('slow answers say how long they waited', async () => {
    assert.deepEqual(await json('/slow?ms=1'), { waited: 1 })
    assert.equal((await get('/slow?ms=60001')).status, 400)
  })

  test('flaky fails twice for each key, and again after a reset', async () => {
    const statuses = async (key: string) =>
      [await get(`/flaky/${key}`), await get(`/flaky/${key}`), await get(`/flaky/${key}`)].map(
        answer => answer.status,
      )
    assert.deepEqual(await statuses('a'), [503, 503, 200])
    assert.deepEqual(await statuses('b'), [503, 503, 200])
    assert.equal((await get('/flaky/a')).status, 200)
    await post('/reset')
    assert.equal((await get('/flaky/a')).status, 503)
  })

  test('a burst is limited', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => get('/limited')))
    assert.ok(answers.filter(answer => answer.status === 200).length >= 5)
    const refused = answers.find(answer => answer.status === 429)
    assert.equal(refused?.headers.get('retry-after'), '1')
  })

  test('broken bodies end too early', async () => {
    for (const how of ['length', 'chunked']) {
      const answer = await get(`/broken?how=${how}`)
      assert.equal(answer.status, 200)
      await assert.rejects(answer.text(), /terminated/, how)
    }
    await assert.rejects(get('/broken?how=reset'), /fetch failed/)
    assert.equal((await get('/broken?how=odd')).status, 400)
  })

  test('statuses, redirects, loops', async () => {
    for (const code of [200, 204, 304, 418, 503]) assert.equal((await get(`/status/${code}`)).status, code)
    assert.equal((await get('/status/999')).status, 404)
    const end = await get('/redirect/3')
    assert.deepEqual(await end.json(), { redirected: true })
    assert.equal(end.url, `${demo.url}/redirect/0`)
    assert.equal((await get('/loop', { redirect: 'manual' })).headers.get('location'), '/loop')
  })

  test('bad JSON and bad XML are bad', async () => {
    const broken = await text('/bad.json')
    assert.throws(() => JSON.parse(broken), SyntaxError)
    assert.match(await text('/bad.xml'), /<name>[^<]+<\/product>/)
  })
})

describe('manners', () => {
  test('HEAD has the headers and no body', async () => {
    for (const path of ['/shop', '/api/products', '/data/products.zip', '/api/echo']) {
      const [head, whole] = [await get(path, { method: 'HEAD' }), await get(path)]
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('content-type'), whole.headers.get('content-type'))
      assert.equal(await head.text(), '')
      if (path !== '/api/echo')
        assert.equal(Number(head.headers.get('content-length')), (await whole.arrayBuffer()).byteLength)
    }
  })

  test('404 and 405, as a page and as JSON', async () => {
    const missing = await get('/nothing')
    assert.equal(missing.status, 404)
    assert.deepEqual(await missing.json(), { status: 404, error: 'there is nothing at /nothing' })
    const asPage = await get('/nothing', { headers: { accept: 'text/html' } })
    assert.equal(asPage.status, 404)
    assert.match(await asPage.text(), /^<!doctype html>/)
    const wrong = await get('/shop', { method: 'DELETE' })
    assert.equal(wrong.status, 405)
    assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
    assert.equal((await get('/graphql')).headers.get('allow'), 'POST, OPTIONS')
    assert.equal((await get('/shop', { method: 'OPTIONS' })).status, 204)
    assert.equal((await get('/hooks/%E0%A4')).status, 400)
    assert.equal((await get('//example.org/shop')).status, 404)
  })

  test('too large a body is refused', async () => {
    const answer = await post('/hooks/a', `"${'x'.repeat(10 * 1024 * 1024)}"`)
    assert.equal(answer.status, 413)
  })

  test('closing waits for no idle connection, and cuts off what is endless', async () => {
    const other = await startDemo({ port: 0 })
    await (await fetch(`${other.url}/shop`)).text()
    const endless = request(`${other.url}/slow?ms=60000`, {
      method: 'POST',
      headers: { expect: '100-continue' },
    })
    const cut = once(endless, 'error')
    endless.flushHeaders()
    // Only now is it certain that the site has the request, and is not merely about to get it.
    await once(endless, 'continue')
    await other.close()
    assert.equal((await cut)[0].code, 'ECONNRESET')
    await assert.rejects(fetch(`${other.url}/shop`), /fetch failed/)
    await other.close()
  })

  test('a port that is taken is an error', async () => {
    await assert.rejects(startDemo({ port: demo.port }), { code: 'EADDRINUSE' })
  })

  test('the first page links to every address, and each answers', async () => {
    const content = await page('/')
    const { routes } = demoRouter()
    for (const { example, method } of routes.filter(route => route.method !== 'POST')) {
      assert.ok(content.includes(`<a href="${example}"`), `${method} ${example}`)
      if (example.startsWith('/api/jobs/') || example === '/slow?ms=500' || example === '/broken') continue
      assert.notEqual((await get(example, { redirect: 'manual' })).status, 404, example)
    }
  })

  test('the documentation lists every address as the site describes it', async () => {
    const guide = await readFile(new URL('../../docs/demo.md', import.meta.url), 'utf8')
    const rows = demoRouter().routes.map(({ method, path, about }) => {
      const address = path.replace(/:(\w+)/g, (_, word: string) => word.toUpperCase())
      return `| \`${method === 'GET' ? '' : `${method} `}${address}\` | ${about} |`
    })
    const listed = guide.split('\n').filter(line => line.startsWith('| `'))
    assert.deepEqual(listed, rows)
  })
})

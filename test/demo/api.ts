import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { demo, get, json, type Loose, post, text } from './client.ts'

describe('JSON', () => {
  const follow = async (
    first: string,
    next: (body: Loose, answer: Response) => string | null | undefined,
  ) => {
    const ids: number[] = []
    let requests = 0
    for (let path: string | null | undefined = first; path; requests++) {
      const answer: Response = await get(path.replace(demo.url, ''))
      const body: Loose = await answer.json()
      ids.push(...(body.items ?? body).map((item: Loose) => item.id))
      path = next(body, answer)
    }
    assert.deepEqual(
      ids,
      Array.from({ length: 120 }, (_, index) => index + 1),
    )
    return requests
  }

  test('pages by the pointer in the body, counted by page and by offset', async () => {
    assert.equal(await follow('/api/products', body => body.next), 6)
    assert.equal(await follow('/api/products?offset=0&limit=50', body => body.next), 3)
  })

  test('pages by cursor', async () => {
    assert.equal(
      await follow('/api/cursor?size=40', ({ next }) => next && `/api/cursor?size=40&after=${next}`),
      3,
    )
    assert.equal((await get('/api/cursor?after=nonsense')).status, 400)
  })

  test('pages by the Link header', async () => {
    const next = (_: Loose, answer: Response) =>
      /<([^>]+)>; rel="next"/.exec(answer.headers.get('link')!)?.[1]
    assert.equal(await follow('/api/linked?size=25', next), 5)
    assert.equal(await follow('/api/linked?limit=60', next), 2)
    assert.deepEqual(await json('/api/linked?page=100'), [])
  })

  test('long ids are plain numbers that no double can hold, and find their product', async () => {
    const raw = await text('/api/products/7')
    const uid = /"uid":(\d+)/.exec(raw)![1]!
    assert.ok(BigInt(uid) > 2n ** 53n)
    assert.notEqual(BigInt(Number(uid)), BigInt(uid))
    assert.equal(await text(`/api/products/${uid}`), raw)
  })

  test('nests attributes, specs and reviews', async () => {
    const product = await json('/api/products/7')
    assert.equal(typeof product.attributes.dimensions.width, 'number')
    assert.ok(Array.isArray(product.attributes.tags))
    assert.ok(product.reviews.length >= 2)
    const [row] = (await json('/api/products?size=1')).items
    assert.equal(row.reviews, undefined)
    assert.ok(row.attributes)
  })

  test('gives a tiny item for any number', async () => {
    assert.equal(
      await text('/api/item/123456789012345678'),
      '{"id":123456789012345678,"name":"Item 123456789012345678","even":true}',
    )
    assert.equal((await json('/api/item/7')).even, false)
    for (const wrong of ['x', '-1', '007']) assert.equal((await get(`/api/item/${wrong}`)).status, 404)
  })

  test('filters and refuses', async () => {
    assert.equal((await json('/api/products?category=phones')).total, 24)
    for (const query of ['page=0', 'size=121', 'size=x', 'limit=0', 'category=hats']) {
      const answer = await get(`/api/products?${query}`)
      assert.equal(answer.status, 400, query)
      assert.ok(((await answer.json()) as Loose).error.length > 10)
    }
  })

  test('orders are a year in order of time', async () => {
    const orders = await json('/api/orders')
    assert.ok(orders.length > 500)
    assert.deepEqual(
      orders.map((order: Loose) => order.placed),
      orders.map((order: Loose) => order.placed).toSorted(),
    )
    assert.equal(new Set(orders.map((order: Loose) => order.placed.slice(0, 7))).size, 12)
    const june = await json('/api/orders?from=2025-06-01&to=2025-06-30')
    assert.deepEqual(
      june,
      orders.filter((order: Loose) => order.placed.startsWith('2025-06')),
    )
    assert.equal((await json('/api/orders?size=10')).length, 10)
    assert.equal((await get('/api/orders?from=june')).status, 400)
  })

  test('echoes JSON, text, forms and files', async () => {
    const sent = await get('/api/echo?a=1&a=2&b=3', {
      method: 'PUT',
      body: '{"x": [1]}',
      headers: { 'x-test': 'yes' },
    })
    const echoed = (await sent.json()) as Loose
    assert.equal(echoed.method, 'PUT')
    assert.deepEqual(echoed.query, { a: ['1', '2'], b: '3' })
    assert.equal(echoed.headers['x-test'], 'yes')
    assert.deepEqual(echoed.json, { x: [1] })
    const form = (await (
      await get('/api/echo', { method: 'POST', body: new URLSearchParams({ name: 'Ærø & co' }) })
    ).json()) as Loose
    assert.deepEqual(form.form, { name: 'Ærø & co' })
    const bytes = Buffer.from([0, 13, 10, 255, 45, 45])
    const data = new FormData()
    data.set('field', 'värde')
    data.set('file', new Blob([bytes], { type: 'image/png' }), 'a.png')
    const multipart = (await (await get('/api/echo', { method: 'POST', body: data })).json()) as Loose
    assert.deepEqual(multipart.form, { field: 'värde' })
    const [file] = multipart.files
    assert.equal(file.sha256, createHash('sha256').update(bytes).digest('hex'))
    assert.deepEqual([file.name, file.filename, file.type, file.bytes], ['file', 'a.png', 'image/png', 6])
    assert.equal(
      (await post('/api/echo', 'x', { 'content-type': 'multipart/form-data; boundary=b' })).status,
      400,
    )
  })
})

describe('services', () => {
  test('a job is pending twice, then done', async () => {
    const started = await post('/api/jobs', { category: 'cameras' })
    assert.equal(started.status, 202)
    const { id, url } = (await started.json()) as Loose
    assert.equal(started.headers.get('location'), url)
    const states = [
      await json(`/api/jobs/${id}`),
      await json(`/api/jobs/${id}`),
      await json(`/api/jobs/${id}`),
    ]
    assert.deepEqual(
      states.map(state => state.status),
      ['pending', 'pending', 'done'],
    )
    assert.equal(states[2].result.products, 24)
    assert.equal((await post('/api/jobs', { category: 'hats' })).status, 400)
    assert.equal((await get('/api/jobs/none')).status, 404)
  })

  test('hooks keep what they were sent', async () => {
    await post('/hooks/a', [{ n: 1 }])
    await post('/hooks/a', { n: 2 })
    assert.deepEqual(await json('/hooks/a'), [[{ n: 1 }], { n: 2 }])
    assert.deepEqual(await json('/hooks/b'), [])
    assert.equal((await post('/hooks/a', '{"n":')).status, 400)
  })

  test('basic, bearer and OAuth', async () => {
    const basic = { authorization: `Basic ${Buffer.from('demo:forage').toString('base64')}` }
    assert.equal((await get('/api/basic', { headers: basic })).status, 200)
    const refused = await get('/api/basic')
    assert.equal(refused.status, 401)
    assert.match(refused.headers.get('www-authenticate')!, /^Basic/)
    const form = (fields: Record<string, string>) =>
      get('/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'demo', client_secret: 'forage', ...fields }),
      })
    const token = (await (await form({ grant_type: 'client_credentials' })).json()) as Loose
    assert.equal(token.token_type, 'Bearer')
    assert.equal(
      (await get('/api/bearer', { headers: { authorization: `Bearer ${token.access_token}` } })).status,
      200,
    )
    assert.equal((await get('/api/bearer', { headers: { authorization: 'Bearer x' } })).status, 401)
    assert.equal(
      (await form({ grant_type: 'refresh_token', refresh_token: token.refresh_token })).status,
      200,
    )
    assert.equal((await form({ grant_type: 'password', username: 'demo', password: 'x' })).status, 400)
    assert.equal((await form({ grant_type: 'magic' })).status, 400)
    assert.equal((await form({ grant_type: 'client_credentials', client_secret: 'x' })).status, 401)
  })

  test('chat completions keep to the schema', async () => {
    const ask = async (format?: unknown) => {
      const answer = await post('/v1/chat/completions', {
        model: 'm',
        messages: [{ role: 'user', content: 'Is it good?' }],
        response_format: format,
      })
      return ((await answer.json()) as Loose).choices[0].message.content
    }
    assert.equal(await ask(), 'You said: Is it good?')
    assert.deepEqual(JSON.parse(await ask({ type: 'json_object' })), { text: 'Is it good?', words: 3 })
    const schema = {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        ok: { type: 'boolean' },
        tags: { type: 'array', items: { enum: ['a'] } },
      },
    }
    assert.deepEqual(JSON.parse(await ask({ type: 'json_schema', json_schema: { schema } })), {
      n: 3,
      ok: true,
      tags: ['a'],
    })
    assert.equal((await post('/v1/chat/completions', { messages: [] })).status, 400)
  })
})

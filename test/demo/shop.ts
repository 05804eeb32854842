import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startDemo } from '../../demo/server.ts'
import { all, demo, get, json, type Loose, page, post, text } from './client.ts'

describe('shop', () => {
  test('lists 120 products over pages that link to each other', async () => {
    const ids: string[] = []
    let path: string | undefined = '/shop'
    while (path) {
      const content: string = await page(path)
      ids.push(...all(content, /<article class="product" data-id="(\d+)"/g))
      path = /<link rel="next" href="([^"]+)"/.exec(content)?.[1]
    }
    assert.equal(new Set(ids).size, 120)
    assert.equal(ids.length, 120)
  })

  test('has five categories of 24, each on two pages', async () => {
    const list = await json('/api/categories')
    assert.deepEqual(
      list.map((category: Loose) => category.slug),
      ['laptops', 'phones', 'headphones', 'cameras', 'keyboards'],
    )
    for (const { slug } of list) {
      const pages = (await page(`/shop/${slug}`)) + (await page(`/shop/${slug}?page=2`))
      assert.equal(all(pages, new RegExp(`data-id="(\\d+)" data-category="${slug}"`, 'g')).length, 24)
    }
  })

  test('shows prices, ratings, links and pictures that exist', async () => {
    const content = await page('/shop')
    const prices = all(content, /<span class="price">([^<]+)</g)
    assert.equal(prices.length, 24)
    assert.ok(prices.every(price => /^\$(\d{1,3},)*\d{1,3}\.\d\d$/.test(price)))
    assert.ok(prices.some(price => price.includes(',')))
    const ratings = all(content, /class="rating" data-rating="([\d.]+)"/g).map(Number)
    assert.equal(ratings.length, 24)
    assert.ok(ratings.every(rating => rating >= 1 && rating <= 5))
    const picture = await get(/<img src="([^"]+)"/.exec(content)![1]!)
    assert.match(picture.headers.get('content-type')!, /^image\/svg\+xml/)
    assert.match(await picture.text(), /^<svg [\s\S]+<\/svg>\s*$/)
  })

  test('a product page agrees with the interface', async () => {
    const product = await json('/api/products/7')
    const content = await page('/shop/product/7')
    const linked = JSON.parse(/<script type="application\/ld\+json">(.+?)<\/script>/.exec(content)![1]!)
    assert.equal(Number(linked.offers.price), product.price)
    assert.equal(linked.name, product.name)
    assert.equal(all(content, /<div class="review">(.)/g).length, product.reviews.length)
    for (const [name, value] of Object.entries(product.specs)) {
      assert.ok(
        content.includes(`<th scope="row">${name}</th><td>${String(value).replaceAll('"', '&quot;')}</td>`),
        name,
      )
    }
    const stars = product.reviews.map((review: Loose) => review.stars)
    assert.equal(
      product.rating,
      Math.round((stars.reduce((a: number, b: number) => a + b) / stars.length) * 10) / 10,
    )
  })

  test('searches, and escapes what was searched for', async () => {
    const content = await page(`/shop?q=${encodeURIComponent('<b>"')}`)
    assert.ok(content.includes('Search: &lt;b&gt;&quot;'))
    assert.ok(!content.includes('<b>"'))
    assert.match(await page('/shop?q=ferNWOOD'), />3 products</)
  })

  test('has names that are not ASCII', async () => {
    const { items } = await json('/api/products?size=120')
    assert.ok(items.some((item: Loose) => /\p{Script=Han}/u.test(item.name)))
    assert.ok(items.some((item: Loose) => /\p{Script=Greek}/u.test(item.name)))
  })

  test('refuses pages and products that do not exist', async () => {
    for (const path of ['/shop?page=6', '/shop/hats', '/shop/product/121', '/pictures/121.svg']) {
      assert.equal((await get(path)).status, 404, path)
    }
    assert.equal((await get('/shop?page=zero')).status, 400)
  })
})

describe('days', () => {
  const pricesOf = async (path: string): Promise<Map<number, number>> => {
    const { items } = await json(path)
    return new Map(items.map((item: Loose) => [item.id, item.price]))
  }

  test('each day changes some prices, the same ones each time', async () => {
    const [first, second, again] = await Promise.all(
      ['day=0', 'day=1', 'day=1'].map(day => pricesOf(`/api/products?size=120&${day}`)),
    )
    const changed = [...first!].filter(([id, price]) => second!.get(id) !== price)
    assert.ok(changed.length > 5 && changed.length < 60, `${changed.length} changed`)
    assert.deepEqual(again, second)
  })

  test('a day that was set holds for the pages, the interface and the files', async () => {
    const before = await text('/data/products.csv')
    const set = await post('/day', { day: 3 })
    assert.deepEqual(await set.json(), { day: 3 })
    assert.deepEqual(await json('/api/products?page=1'), {
      ...(await json('/api/products?page=1&day=3')),
      next: (await json('/api/products?page=1')).next,
    })
    assert.equal(
      await page('/shop/product/1'),
      (await page('/shop/product/1?day=3')).replaceAll('?day=3', ''),
    )
    assert.notEqual(await text('/data/products.csv'), before)
    await post('/reset')
    assert.equal(await text('/data/products.csv'), before)
  })

  test('links keep a day that was asked for', async () => {
    const content = await page('/shop?day=2')
    assert.ok(content.includes('href="/shop?day=2&amp;page=2"'))
    assert.ok(content.includes('href="/shop/product/1?day=2"'))
  })

  test('a wrong day is refused', async () => {
    for (const day of ['x', -1, 1.5, 99999])
      assert.equal((await post('/day', { day })).status, 400, String(day))
    assert.equal((await get('/shop?day=x')).status, 400)
    assert.deepEqual(await json('/day'), { day: 0 })
  })

  test('a second site is the same as this one', async () => {
    const other = await startDemo({ port: 0 })
    try {
      for (const path of [
        '/data/products.ndjson',
        '/api/orders',
        '/feed.atom',
        '/pictures/12.svg',
        '/login',
      ]) {
        const theirs = (await (await fetch(other.url + path)).text()).replaceAll(other.url, '')
        assert.equal((await text(path)).replaceAll(demo.url, ''), theirs, path)
      }
    } finally {
      await other.close()
    }
  })
})

describe('pages made by script', () => {
  test('hold no products before their script ran', async () => {
    const content = await page('/script?delay=50')
    assert.ok(!content.includes('<article'))
    assert.match(content, /\}, 50\)/)
    assert.equal((await get('/script?delay=x')).status, 400)
    assert.ok(!(await page('/scroll')).includes('<article'))
  })

  test('the third party is the same server by its other name', async () => {
    assert.ok((await page('/thirdparty')).includes(`http://localhost:${demo.port}/vendor/tracker.js`))
    const tracker = await get('/vendor/tracker.js')
    assert.equal(tracker.headers.get('access-control-allow-origin'), '*')
    assert.equal((await get('/vendor/missing.js')).status, 404)
    assert.deepEqual(await (await post('/vendor/collect', { event: 'view' })).json(), { ok: true })
    assert.match(
      Buffer.from(await (await get('/vendor/pixel.gif')).arrayBuffer()).toString('latin1'),
      /^GIF89a/,
    )
  })
})

describe('signing in', () => {
  async function openForm() {
    const answer = await get('/login')
    const token = /name="token" value="(\w+)"/.exec(await answer.text())![1]!
    return { token, cookie: answer.headers.get('set-cookie')!.split(';')[0]! }
  }

  function send(fields: Record<string, string>, cookie: string) {
    return get('/login', {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie },
      redirect: 'manual',
    })
  }

  test('the right pair opens the account until signing out', async () => {
    const { token, cookie } = await openForm()
    const answer = await send({ user: 'demo', password: 'forage', token, next: '/account' }, cookie)
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), '/account')
    const session = answer.headers.getSetCookie().find(line => line.startsWith('session='))!
    assert.match(session, /HttpOnly/)
    const headers = { cookie: session.split(';')[0]! }
    const account = await (await get('/account', { headers })).text()
    assert.match(account, /<strong id="user">demo<\/strong>/)
    assert.match(account, /localStorage\.setItem\('user'/)
    assert.equal(((await (await get('/api/account', { headers })).json()) as Loose).orders.length, 10)
    await get('/logout', { method: 'POST', headers, redirect: 'manual' })
    assert.equal((await get('/api/account', { headers })).status, 401)
  })

  test('without a session the account leads to the form', async () => {
    const answer = await get('/account', { redirect: 'manual' })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers.get('location'), '/login?next=/account')
  })

  test('a wrong password, a missing field, a used form and another site are refused', async () => {
    const first = await openForm()
    assert.equal((await send({ user: 'demo', password: 'x', token: first.token }, first.cookie)).status, 401)
    assert.equal(
      (await send({ user: 'demo', password: 'forage', token: first.token }, first.cookie)).status,
      403,
    )
    const second = await openForm()
    assert.equal((await send({ user: 'demo', password: 'forage' }, second.cookie)).status, 403)
    assert.equal((await send({ user: 'demo', password: 'forage', token: second.token }, '')).status, 403)
    const away = await send(
      { user: 'demo', password: 'forage', token: second.token, next: '//evil.example' },
      second.cookie,
    )
    assert.equal(away.headers.get('location'), '/account')
  })
})

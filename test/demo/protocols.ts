import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { all, demo, json, type Loose, post, text } from './client.ts'

describe('GraphQL', () => {
  const ask = async (query: string, variables?: unknown): Promise<Loose> =>
    (await post('/graphql', { query, variables })).json()

  test('pages by pageInfo', async () => {
    const query = `query List($after: String, $size: Int = 10) {
      products(first: $size, after: $after, category: "phones") { totalCount pageInfo { hasNextPage endCursor } nodes { id title: name } }
    }`
    const ids: number[] = []
    let info: Loose = { hasNextPage: true, endCursor: null }
    while (info.hasNextPage) {
      const { data } = await ask(query, { after: info.endCursor })
      assert.equal(data.products.totalCount, 24)
      assert.ok(
        data.products.nodes.every(
          (node: Loose) => typeof node.title === 'string' && Object.keys(node).length === 2,
        ),
      )
      ids.push(...data.products.nodes.map((node: Loose) => node.id))
      info = data.products.pageInfo
    }
    assert.equal(new Set(ids).size, 24)
  })

  test('selects what is nested', async () => {
    const { data } = await ask(
      '{ product(id: 7) { __typename uid attributes { dimensions { width } } reviews { stars } } categories { slug products } }',
    )
    const product = await json('/api/products/7')
    assert.equal(data.product.__typename, 'Product')
    assert.equal(typeof data.product.uid, 'string')
    assert.equal(data.product.attributes.dimensions.width, product.attributes.dimensions.width)
    assert.equal(data.product.reviews.length, product.reviews.length)
    assert.equal(data.categories.length, 5)
  })

  test('tells what is wrong, and where', async () => {
    const wrong = await ask('{\n  products { nodes { id colour } }\n}')
    assert.equal(wrong.data, undefined)
    assert.equal(wrong.errors[0].message, 'Cannot query field "colour" on type "Product".')
    assert.deepEqual(wrong.errors[0].locations, [{ line: 2, column: 25 }])
    for (const query of [
      '{ products',
      '{ product(id: 1) }',
      '{ day { x } }',
      '{ day(x: 1) }',
      '{ ... on Query { day } }',
      '{ % }',
      '',
    ]) {
      assert.equal((await ask(query)).errors?.length, 1, query)
    }
    const missing = await ask('{ product(id: 999) { id } day }')
    assert.deepEqual(missing.data, { product: null, day: 0 })
    assert.deepEqual(missing.errors[0].path, ['product'])
    assert.equal((await post('/graphql', { text: '{ day }' })).status, 400)
  })

  test('has a mutation', async () => {
    assert.deepEqual(await ask('mutation { setDay(day: 2) }'), { data: { setDay: 2 } })
    assert.deepEqual(await json('/day'), { day: 2 })
  })
})

describe('SOAP', () => {
  const call = (body: string, namespace = 'http://schemas.xmlsoap.org/soap/envelope/') =>
    post('/soap', `<e:Envelope xmlns:e="${namespace}"><e:Body>${body}</e:Body></e:Envelope>`, {
      'content-type': 'text/xml',
    })

  test('describes itself', async () => {
    const wsdl = await text('/soap?wsdl')
    assert.ok(wsdl.includes(`<soap:address location="${demo.url}/soap"/>`))
    assert.deepEqual(all(wsdl, /soapAction="[^"]+:(\w+)"/g), ['GetPrice', 'ListCategories'])
  })

  test('answers', async () => {
    const product = await json('/api/products/7')
    const answer = await call(
      '<s:GetPrice xmlns:s="urn:forage:demo:shop"><productId>7</productId></s:GetPrice>',
    )
    assert.equal(answer.status, 200)
    assert.ok((await answer.text()).includes(`<price>${product.price.toFixed(2)}</price>`))
    const list = await (await call('<ListCategories xmlns="urn:forage:demo:shop"/>')).text()
    assert.equal(all(list, /<slug>(\w+)</g).length, 5)
  })

  test('faults', async () => {
    const unknown = await call('<GetPrice xmlns="urn:forage:demo:shop"><productId>999</productId></GetPrice>')
    assert.equal(unknown.status, 500)
    assert.match(
      await unknown.text(),
      /<faultcode>soap:Client<\/faultcode><faultstring>there is no product 999<\/faultstring><detail>/,
    )
    assert.match(await (await call('<Sell/>')).text(), /there is no method Sell/)
    assert.match(
      await (await call('<ListCategories/>', 'http://www.w3.org/2003/05/soap-envelope')).text(),
      /VersionMismatch/,
    )
    assert.equal((await post('/soap', 'nonsense')).status, 500)
  })
})

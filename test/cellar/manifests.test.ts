import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Manifests } from '../../src/services/cellar/manifests.ts'
import { Screenshots } from '../../src/services/screenshot/screenshots.ts'
import { manifestTypes } from '../../src/services/store-types.ts'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { forage } from '../support/service.ts'

const app = await forage()
const PATH = '/v1/sirp/cellar/manifests'
const hash = 'a'.repeat(64)
const manifest = (name: string, more: object = {}) => ({ name, store: 'my store', type: 'kafka', ...more })

test('a manifest is added, read, listed and deleted', async () => {
  const attributesContext = { visible: ['price'], renderers: { price: 'money' } }
  const made = await app.call('POST', PATH, {
    body: manifest('laptops.v1', { screenshots: [[hash], [hash, 2], [hash, 'shop']], attributesContext }),
  })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `${PATH}/laptops.v1`)
  assert.deepEqual(made.json, {
    name: 'laptops.v1',
    store: 'my store',
    type: 'kafka',
    screenshots: [[hash], [hash, 2], [hash, 'shop']],
    attributesContext,
    touchedAt: null,
    deliveries: 0,
    rows: 0,
    bytes: 0,
    errors: { count: 0, at: null, message: null },
  })
  const { json, headers } = await app.call('GET', `${PATH}/laptops.v1`)
  assert.deepEqual(json, made.json)
  const etag = headers.get('etag')!
  assert.equal(
    (await app.call('GET', `${PATH}/laptops.v1`, { headers: { 'if-none-match': etag } })).status,
    304,
  )
  assert.equal((await app.call('POST', PATH, { body: manifest('laptops.v1') })).status, 409)
  const { json: list } = await app.call('GET', PATH)
  assert.deepEqual([list.total, list.items[0]], [1, made.json])
  assert.equal((await app.call('DELETE', `${PATH}/laptops.v1`)).status, 204)
  for (const method of ['DELETE', 'GET'])
    assert.equal((await app.call(method, `${PATH}/laptops.v1`)).status, 404)
})

test('touches count deliveries and errors', async () => {
  await app.call('POST', PATH, { body: manifest('touched') })
  const { json: first } = await app.call('POST', `${PATH}/touched/touch`)
  assert.equal(first.deliveries, 1)
  assert.ok(Date.parse(first.touchedAt) > 0)
  await app.call('POST', `${PATH}/touched/errors/touch`)
  const { json } = await app.call('POST', `${PATH}/touched/errors/touch`, { body: { message: 'no route' } })
  assert.deepEqual([json.errors.count, json.errors.message, json.deliveries], [2, 'no route', 1])
  assert.ok(Date.parse(json.errors.at) > 0)
  for (const what of ['touch', 'errors/touch'])
    assert.equal((await app.call('POST', `${PATH}/nobody/${what}`)).status, 404)
})

test('what does not fit is refused by name', async () => {
  const cases: [object, string][] = [
    [manifest('a/b'), '$.name'],
    [manifest(''), '$.name'],
    [manifest('x'.repeat(1001)), '$.name'],
    [manifest('ok', { store: 'a/b' }), '$.store'],
    [manifest('ok', { type: 'hdfs' }), '$.type'],
    [manifest('ok', { screenshots: [[]] }), '$.screenshots[0]'],
    [manifest('ok', { screenshots: [['short']] }), '$.screenshots[0][0]'],
    [manifest('ok', { screenshots: [[hash, 1, 2]] }), '$.screenshots[0]'],
    [manifest('ok', { more: 1 }), '$.more'],
  ]
  for (const [body, path] of cases) {
    const { status, json } = await app.call('POST', PATH, { body })
    assert.deepEqual([status, json.errors[0]?.path], [400, path], JSON.stringify(json))
  }
  for (const type of manifestTypes)
    assert.equal((await app.call('POST', PATH, { body: manifest(`of ${type}`, { type }) })).status, 201, type)
  assert.equal((await app.call('POST', PATH, { body: manifest('x'.repeat(1000)) })).status, 201)
})

test('screenshots live as long as a manifest names them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forage-manifests-'))
  const catalog = openSqliteCatalog({ path: join(folder, 'catalog.sqlite') })
  after(async () => {
    await catalog.close()
    await rm(folder, { recursive: true })
  })
  const screenshots = new Screenshots(catalog, openFolderBlobs(join(folder, 'blobs')), 0)
  const manifests = new Manifests(catalog, screenshots)
  const facts = { type: 'png', width: 1, height: 1, url: 'http://a.example/' } as const
  const kept = await screenshots.keep(Buffer.from('one'), facts)
  assert.equal(kept, createHash('sha256').update('one').digest('hex'))
  await screenshots.keep(Buffer.from('two'), facts)
  await manifests.add({ name: 'm', store: 's', type: 'file', screenshots: [[kept, 0]] })
  assert.equal(await screenshots.reap(Date.now() + 1000), 1)
  assert.ok(await screenshots.read(kept))
  await manifests.delete('m')
  assert.equal(await screenshots.reap(Date.now() + 1000), 1)
})

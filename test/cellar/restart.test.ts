import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readPage } from '../../src/engine/tables/results.ts'
import { Cellar } from '../../src/services/cellar/cellar.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { forage } from '../support/service.ts'
import { openTables } from '../support/tables.ts'

const folder = await mkdtemp(join(tmpdir(), 'forage-cellar-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Keeps its first caller waiting for ever. */
async function stubbornServer() {
  let calls = 0
  const asked = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => {
    if (++calls === 1) asked.resolve(response)
    else response.setHeader('content-type', 'application/json').end('{"ok": true}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: asked.promise }
}

test('a query that is taken up again appends once, and its baseline moves when it completes then', async () => {
  const { url, asked } = await stubbornServer()
  const data = join(folder, 'data')
  const first = await forage({ data })
  const text = `seed [{id: 1}] || diff taken-up --key id || freeze taken-up --mode append || api get ${url} --enrich`
  const { json: query } = await first.call('POST', '/v1/sirp/query/runner/dispatch', {
    body: { query: text },
    headers: { prefer: 'respond-async' },
  })
  await asked
  await first.stop()
  const second = await forage({ data })
  let status = ''
  while (status !== 'completed') {
    assert.notEqual(status, 'failed')
    status = (await second.call('GET', `/v1/sirp/queries/${query.id}`)).json.status
  }
  assert.equal((await second.query('thaw taken-up')).json.results.length, 1)
  const again = await second.query('seed [{id: 1}, {id: 2}] || diff taken-up --key id')
  assert.deepEqual(
    again.json.results.map((row: { content: { id: number } }) => row.content.id),
    [2],
  )
})

test('a stage that runs a second time writes nothing to the cellar', async () => {
  const tablesFolder = await mkdtemp(join(folder, 'tables-'))
  const catalog = openSqliteCatalog({ path: join(tablesFolder, 'catalog.sqlite') })
  const tables = await openTables(tablesFolder)
  after(async () => {
    await tables.close()
    await catalog.close()
  })
  const cellar = new Cellar(catalog, tables)
  const { signal } = new AbortController()
  const freeze = async (stage: string, n: number) =>
    cellar.freeze('log', await tables.ingest([{ n }], signal), 'append', { queryId: 'q', stage }, signal)
  assert.equal(await freeze('q.0', 1), true)
  assert.equal(await freeze('q.0', 1), false)
  assert.equal(await freeze('q.1', 2), false)
  const { json } = await readPage(tables.database, (await cellar.find('log'))!.table, {
    offset: 0,
    limit: 10,
  })
  assert.equal(json, '[{"n":1},{"n":2}]')
})

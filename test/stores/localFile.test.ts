import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Row } from '../../src/language/json.ts'
import localFile from '../../src/stores/localFile.ts'
import type { StoreContext } from '../../src/stores/store.ts'
import { forage } from '../support/service.ts'

const files = mkdtempSync(join(tmpdir(), 'forage-files-'))
after(() => rmSync(files, { recursive: true, force: true }))
// The data folder lies below FORAGE_FILES, as it would if somebody set that carelessly.
const data = join(files, 'data')
mkdirSync(data)
const server = await forage({ settings: { FORAGE_FILES: files }, data })

async function makeStore(name: string, configuration: object): Promise<void> {
  const body = { type: 'localFile', config: { store: { name }, configuration } }
  const answer = await server.call('POST', '/v1/secrets/stores', { body })
  assert.equal(answer.status, 201, answer.text)
}

test('each delivery is a file of its own, or replaces the one of that name', async () => {
  await makeStore('out', { folder: 'out' })
  const first = await server.query('range 1 3 n || freeze numbers --store out')
  assert.equal(first.json.status, 'completed', JSON.stringify(first.json.error))
  const second = await server.query('range 4 4 n || freeze numbers --store out')
  assert.deepEqual(
    readdirSync(join(files, 'out/numbers')).sort(),
    [`${first.json.id}.1.ndjson`, `${second.json.id}.1.ndjson`].sort(),
  )
  assert.equal(
    readFileSync(join(files, `out/numbers/${first.json.id}.1.ndjson`), 'utf8'),
    '{"n":1}\n{"n":2}\n{"n":3}\n',
  )

  for (const n of [1, 2]) await server.query(`range 1 ${n} n || freeze whole --store out --mode overwrite`)
  assert.equal(readFileSync(join(files, 'out/whole.ndjson'), 'utf8'), '{"n":1}\n{"n":2}\n')
  assert.deepEqual(readdirSync(join(files, 'out')).sort(), ['numbers', 'whole.ndjson'], 'no part is left')
})

test('writes every format', async () => {
  const rows = 'seed [{a: 1, b: {c: "x, y"}}, {a: 2}]'
  for (const format of ['json', 'csv', 'parquet'])
    await server.query(`${rows} || freeze f --store out --mode overwrite --format ${format}`)
  assert.deepEqual(JSON.parse(readFileSync(join(files, 'out/f.json'), 'utf8')), [
    { a: 1, b: { c: 'x, y' } },
    { a: 2 },
  ])
  assert.equal(readFileSync(join(files, 'out/f.csv'), 'utf8'), 'a,b.c\n1,"x, y"\n2,\n')
  assert.equal(readFileSync(join(files, 'out/f.parquet')).subarray(0, 4).toString(), 'PAR1')
})

test('nothing is written outside of the folder, by whatever name, link or setting', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'forage-elsewhere-'))
  after(() => rmSync(elsewhere, { recursive: true, force: true }))
  symlinkSync(elsewhere, join(files, 'link'))
  symlinkSync(join(elsewhere, 'new-file.ndjson'), join(files, 'out/dangling.ndjson'))
  await makeStore('linked', { folder: 'link' })
  await makeStore('above', { folder: '../..' })
  await makeStore('absolute', { folder: elsewhere })
  await makeStore('own-data', { folder: 'data' })
  const attempts = [
    'freeze x --store linked',
    'freeze x --store above',
    'freeze x --store absolute',
    'freeze x --store own-data',
    'freeze "../../x" --store out',
    'freeze ".." --store out --mode overwrite',
    'freeze dangling --store out --mode overwrite',
  ]
  for (const attempt of attempts) {
    const { json } = await server.query(`range 1 1 n || ${attempt}`)
    assert.equal(json.error?.code, 'path_refused', `${attempt}: ${JSON.stringify(json.error)}`)
  }
  assert.deepEqual(readdirSync(elsewhere), [])
  assert.equal((await server.call('POST', '/v1/secrets/stores/linked/test')).json.code, 'path_refused')
  assert.equal((await server.call('POST', '/v1/secrets/stores/out/test')).json.ok, true)
})

test('reads back what it wrote, all deliveries of a name', async () => {
  const context = { files, dataFolder: data } as StoreContext
  const read = async (name: string) => {
    const found: Row[] = []
    const config = { configuration: { folder: 'out' }, credentials: {} }
    for await (const row of localFile.read!(config, name, context, new AbortController().signal))
      found.push(row)
    return found
  }
  assert.deepEqual((await read('numbers')).map(row => row.n).sort(), [1, 2, 3, 4])
  assert.deepEqual(await read('f.json'), [{ a: 1, b: { c: 'x, y' } }, { a: 2 }])
})

test('is off without FORAGE_FILES', async () => {
  const other = await forage()
  const body = { type: 'localFile', config: { store: { name: 'out' }, configuration: {} } }
  await other.call('POST', '/v1/secrets/stores', { body })
  const { json } = await other.query('range 1 1 n || freeze x --store out')
  assert.equal(json.error.code, 'no_files_folder')
})

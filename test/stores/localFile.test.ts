import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
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

const rowsOf = (answer: { json: { results: { content: object }[] } }) =>
  answer.json.results.map(({ content }) => content)

test('thaw reads back what it wrote: all deliveries of a name, and every format', async () => {
  assert.deepEqual(
    rowsOf(await server.query('thaw numbers --store out')),
    [1, 2, 3, 4].map(n => ({ n })),
    'the oldest delivery first',
  )
  assert.deepEqual(rowsOf(await server.query('thaw whole --store out')), [{ n: 1 }, { n: 2 }])
  for (const format of ['json', 'parquet'])
    assert.deepEqual(rowsOf(await server.query(`thaw f.${format} --store out`)), [
      { a: 1, b: { c: 'x, y' } },
      { a: 2 },
    ])
  assert.deepEqual(rowsOf(await server.query('thaw f.csv --store out')), [{ a: 1, 'b.c': 'x, y' }, { a: 2 }])
  await makeStore('only', { folder: 'only' })
  await server.query('range 1 2 n || freeze --store only')
  assert.deepEqual(rowsOf(await server.query('thaw --store only')), [{ n: 1 }, { n: 2 }])
})

test('thaw never answers from the cache, and says what is wrong', async () => {
  await server.query('range 1 1 n || freeze fresh --store out --mode overwrite')
  const text = 'thaw fresh --store out || eval m "n + 1"'
  assert.deepEqual(rowsOf(await server.query(text)), [{ n: 1, m: 2 }])
  await server.query('range 5 5 n || freeze fresh --store out --mode overwrite')
  assert.deepEqual(rowsOf(await server.query(text)), [{ n: 5, m: 6 }])

  writeFileSync(join(files, 'out/page.json'), '<!doctype html><p>not rows')
  const refusals = [
    ['thaw nowhere --store out', 'not_found'],
    ['thaw "../../etc" --store out', 'path_refused'],
    ['thaw x --store linked', 'path_refused'],
    ['thaw dangling --store out', 'not_found'],
    ['thaw page --store out', 'not_readable'],
  ]
  for (const [query, code] of refusals) {
    const { json } = await server.query(query!)
    assert.equal(json.error?.code, code, `${query}: ${JSON.stringify(json)}`)
  }
  const unknown = await server.query('thaw x --store outt')
  assert.equal(unknown.status, 422)
  assert.match(unknown.json.detail, /no store called outt/)
  assert.equal((await server.query('thaw')).json.error.code, 'no_source')
  const left = readdirSync(join(data, 'temporary'), { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    left.filter(name => name.endsWith('.thawed')),
    [],
  )
})

test('is off without FORAGE_FILES', async () => {
  const other = await forage()
  const body = { type: 'localFile', config: { store: { name: 'out' }, configuration: {} } }
  await other.call('POST', '/v1/secrets/stores', { body })
  const { json } = await other.query('range 1 1 n || freeze x --store out')
  assert.equal(json.error.code, 'no_files_folder')
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Database } from '../../src/engine/tables/database.ts'
import { type ExportFormat, type ExportOptions, exportTable } from '../../src/engine/tables/export.ts'
import { ingest } from '../../src/engine/tables/ingest.ts'
import { parquetFileRows } from '../../src/engine/tables/parquet-rows.ts'
import { type PageOptions, readPage } from '../../src/engine/tables/results.ts'
import { textsOf } from '../../src/engine/tables/rows-in-order.ts'
import { fromFile, type StageFile } from '../../src/engine/tables/stage-file.ts'
import { summarize } from '../../src/engine/tables/summary.ts'
import { parseJson, type Row } from '../../src/language/json.ts'
import { parsePath } from '../../src/language/paths.ts'
import type { Path } from '../../src/language/values.ts'
import { where } from '../../src/sql/relation.ts'
import { literal, sql } from '../../src/sql/sql.ts'

let folder: string
let database: Database
let files = 0

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forage-results-'))
  mkdirSync(join(folder, 'stages'))
  database = await Database.open({
    temporary: join(folder, 'temporary'),
    folders: [join(folder, 'stages')],
    memoryMb: 1000,
    threads: 2,
  })
})
after(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const tableOf = (rows: Iterable<Row>): Promise<StageFile> =>
  ingest(database, rows, join(folder, 'stages', `${files++}.parquet`))
const path = (written: string): Path => parsePath(written) as Path
const sort = (by: string, descending = false) => ({ path: path(by), descending })

async function page(rows: Row[] | StageFile, options: Partial<PageOptions> = {}): Promise<Row[]> {
  const source = Array.isArray(rows) ? await tableOf(rows) : rows
  const { json } = await readPage(database, source, { offset: 0, limit: 100, ...options })
  return parseJson(json) as unknown as Row[]
}

const samples: Row[] = [
  { id: 9007199254740993n, name: 'é"\n', price: '9.5', score: 5, at: { b: [1, { c: null, d: 'x' }], e: {} } },
  { id: 2, name: '', price: '10', score: 0.1, at: { b: [], f: 'late' }, rare: true },
  { id: 3, score: 1e21, at: 'plain' },
]

describe('a page', () => {
  test('holds the rows as they were given, numbers as short as they were', async () => {
    assert.deepEqual(await page(samples), samples)
    const { json } = await readPage(database, await tableOf(samples), { offset: 0, limit: 1 })
    assert.equal(
      json,
      '[{"id":9007199254740993,"name":"é\\"\\n","price":"9.5","score":5,"at":{"b":[1,{"c":null,"d":"x"}],"e":{}}}]',
    )
  })

  test('is a stretch of the table, and says how long that is', async () => {
    const stage = await tableOf(Array.from({ length: 50_000 }, (_, n) => ({ n })))
    const found = await readPage(database, stage, { offset: 30_000, limit: 3, wrapped: true })
    assert.deepEqual(found, {
      json: '[{"content":{"n":30000}},{"content":{"n":30001}},{"content":{"n":30002}}]',
      columns: [{ name: 'n', type: 'number' }],
      total: 50_000,
      offset: 30_000,
      limit: 3,
    })
    for (const offset of [50_000, 1_000_000])
      assert.equal((await readPage(database, stage, { offset, limit: 3 })).json, '[]')
    assert.equal((await readPage(database, stage, { offset: 0, limit: 0 })).json, '[]')
    const even = where(fromFile(stage.file, stage.columns), sql`n % 2 = 0`)
    const half = await readPage(database, even, { offset: 10, limit: 2 })
    assert.deepEqual([half.json, half.total], ['[{"n":20},{"n":22}]', 25_000])
  })

  test('comes in the order of the file although nobody sorts it, and so do all rows as text', async () => {
    const count = 150_000
    const stage = await tableOf(Array.from({ length: count }, (_, n) => ({ n, text: `row ${n}` })))
    const long = await page(stage, { offset: 19_000, limit: 60_000 })
    assert.deepEqual(
      long.map(({ n }) => n),
      Array.from({ length: 60_000 }, (_, place) => 19_000 + place),
    )
    let next = 0
    for await (const texts of textsOf(database, stage, new AbortController().signal))
      for (const row of texts) assert.equal(row, `{"n":${next},"text":"row ${next++}"}`)
    assert.equal(next, count)
  })

  test('of a file that is damaged half-way is an error, and not the rows before that', async () => {
    const noise = (n: number) => createHash('sha256').update(String(n)).digest('base64')
    const stage = await tableOf(Array.from({ length: 200_000 }, (_, n) => ({ n, text: noise(n) })))
    const bytes = readFileSync(stage.file)
    const at = Math.floor(bytes.length * 0.8)
    await writeFile(stage.file, bytes.fill(0xff, at, at + 100_000))
    const failure = { code: 'table_failed' }
    await assert.rejects(page(stage, { limit: 200_000 }), failure)
    let read = 0
    await assert.rejects(async () => {
      for await (const texts of textsOf(database, stage, new AbortController().signal)) read += texts.length
    }, failure)
    assert.ok(read > 0 && read < 200_000, `${read} rows came before it`)
    await assert.rejects(Array.fromAsync(parquetFileRows(database, stage.file)), failure)
  })

  test('of rows without columns, and of no rows', async () => {
    assert.deepEqual(await page([{}, {}]), [{}, {}])
    assert.deepEqual(await page([]), [])
    assert.deepEqual(await page([{}, {}], { flat: true }), [{}, {}])
  })

  test('sorted by numbers in text, missing last, stable, in both directions', async () => {
    const rows: Row[] = [{ p: '9', n: 1 }, { n: 2 }, { p: '10', n: 3 }, { p: '9', n: 4 }, { p: '1e1', n: 5 }]
    const order = async (descending: boolean) =>
      (await page(rows, { sort: sort('p', descending) })).map(row => row.n)
    assert.deepEqual(await order(false), [1, 4, 3, 5, 2])
    assert.deepEqual(await order(true), [3, 5, 1, 4, 2])
  })

  test('sorted by a path inside, from the middle of a large table', async () => {
    const count = 60_000
    const stage = await tableOf(
      Array.from({ length: count }, (_, n) => ({ n, a: { key: (n * 7919) % 1000 } })),
    )
    const expected = Array.from({ length: count }, (_, n) => n)
      .sort((a, b) => ((b * 7919) % 1000) - ((a * 7919) % 1000) || a - b)
      .slice(30_000, 30_050)
    const options = { offset: 30_000, limit: 50, sort: sort('a.key', true) }
    assert.deepEqual(
      (await page(stage, options)).map(row => row.n),
      expected,
    )
    const relation = where(fromFile(stage.file, stage.columns), sql`true`)
    const { json } = await readPage(database, relation, options)
    assert.deepEqual(
      (JSON.parse(json) as Row[]).map(row => row.n),
      expected,
    )
  })

  test('sorted by a column that is not there is an error that lists those that are', async () => {
    await assert.rejects(page(samples, { sort: sort('prize') }), { code: 'unknown_column', message: /price/ })
  })

  test('is called off with its request', async () => {
    await assert.rejects(page(samples, { signal: AbortSignal.abort(new Error('left')) }), { message: 'left' })
  })
})

describe('the flat view', () => {
  test('has a column for each value, arrays by index', async () => {
    const stage = await tableOf(samples)
    const found = await readPage(database, stage, { offset: 0, limit: 10, flat: true })
    assert.deepEqual(
      found.columns.map(column => `${column.name} ${column.type}`),
      [
        'id number',
        'name string',
        'price string',
        'score number',
        'at string',
        'at.b json',
        'at.b.0 number',
        'at.b.1.d string',
        'at.e json',
        'at.f string',
        'rare boolean',
      ],
    )
    assert.deepEqual(parseJson(found.json), [
      {
        id: 9007199254740993n,
        name: 'é"\n',
        price: '9.5',
        score: 5,
        'at.b.0': 1,
        'at.b.1.d': 'x',
        'at.e': {},
      },
      { id: 2, name: '', price: '10', score: 0.1, 'at.b': [], 'at.f': 'late', rare: true },
      { id: 3, score: 1e21, at: 'plain' },
    ])
    const again = await readPage(database, stage, { offset: 0, limit: 10, flat: true })
    assert.deepEqual(again, found)
  })

  test('a column whose name is the whole path wins; odd keys are keys', async () => {
    assert.deepEqual(
      await page([{ 'a.b': 1, a: { b: 2, 'c.d': 3, '': 4, 'e/f~g': 5, "h'": 6 } }], { flat: true }),
      [{ 'a.b': 1, 'a.c.d': 3, 'a.': 4, 'a.e/f~g': 5, "a.h'": 6 }],
    )
  })

  test('keys come in the order of the first row that has them', async () => {
    const rows: Row[] = [{ o: 1 }, { o: { z: 1, a: 2 } }, { o: { m: 1, z: 3, b: 1 } }]
    const { columns } = await readPage(database, await tableOf(rows), { offset: 0, limit: 9, flat: true })
    assert.deepEqual(
      columns.map(column => column.name),
      ['o', 'o.z', 'o.a', 'o.m', 'o.b'],
    )
  })

  test('a row that is unlike all before it counts, however late it comes', async () => {
    const rowsOf = (note: string) =>
      Array.from({ length: 1500 }, (_, n) => ({ o: { a: n, l: ['x', { k: n, note }] }, m: [n] }))
    const odd: Row[] = [
      { o: { a: 1, fresh: 2 } },
      { o: { a: 'text' } },
      { o: { l: [{ k: 1 }, 'x'], a: null } },
      { o: { a: {} } },
      { o: { l: [] } },
      { o: { l: ['x', { k: 1, deep: { er: 1 } }] } },
      { o: { l: ['x', { k: 1 }, 3] } },
      { o: {} },
      { o: 5 },
      { m: { '0': 1 } },
      { m: { key: 1 } },
      { m: [null, null] },
      { m: [] },
      {},
    ]
    const described = async (rows: Row[]) => {
      const { columns } = await readPage(database, await tableOf(rows), { offset: 0, limit: 1, flat: true })
      return columns.map(column => `${column.name} ${column.type}`).sort()
    }
    // Short texts are told apart in another way than long ones.
    for (const usual of [rowsOf('"'), rowsOf('long '.repeat(50))])
      for (const row of odd)
        assert.deepEqual(
          await described([...usual, row]),
          await described([row, ...usual]),
          JSON.stringify(row),
        )
  })

  test('has a ceiling', async () => {
    const wide = Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`k${n}`, n]))
    await assert.rejects(page([{ wide }], { flat: true }), { code: 'too_many_columns' })
  })
})

describe('an export', () => {
  const exported = async (
    rows: Row[],
    format: ExportFormat,
    options: ExportOptions = {},
  ): Promise<string> => {
    const { stream, bytes } = await exportTable(database, await tableOf(rows), format, options)
    const content = await buffer(stream)
    assert.equal(content.length, bytes)
    return content.toString()
  }

  test('as JSON and as lines of JSON', async () => {
    const lines = (await exported(samples, 'ndjson')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map(line => parseJson(line)),
      samples,
    )
    assert.deepEqual(parseJson(await exported(samples, 'json')), samples)
    assert.deepEqual([await exported([], 'ndjson'), JSON.parse(await exported([], 'json'))], ['', []])
    assert.deepEqual(await exported([{}, {}], 'ndjson'), '{}\n{}\n')
    const hostile = [{ t: 'a\u0000b\r\n,"\u2028\\' }]
    assert.deepEqual(parseJson(await exported(hostile, 'json')), hostile)
  })

  test('as CSV, flat', async () => {
    const rows: Row[] = [
      { Id: 1, id: 'x,"y"', 'n,': 0.5, o: { a: ['p', 2], b: { c: true } }, e: '' },
      { o: 'text\nmore', n: null, big: 9007199254740993n },
    ]
    assert.equal(
      await exported(rows, 'csv'),
      'Id,id,"n,",o,o.a.0,o.a.1,o.b.c,e,n,big\n1,"x,""y""",0.5,,p,2,true,"",,\n,,,"text\nmore",,,,,,9007199254740993\n',
    )
    assert.equal(await exported([], 'csv'), '\n')
  })

  test('as CSV that no spreadsheet runs', async () => {
    const rows: Row[] = [
      { '=name': '=1+1', n: -5, t: '-5', o: ['+cmd', '@x', '-x', '\tx', 'ok', '＝1'] },
      { n: 3, t: '-5e2' },
    ]
    assert.equal(
      await exported(rows, 'csv', { safe: true }),
      "'=name,n,t,o.0,o.1,o.2,o.3,o.4,o.5\n'=1+1,-5,-5,'+cmd,'@x,'-x,'\tx,ok,'＝1\n,3,-5e2,,,,,,\n",
    )
    assert.match(await exported(rows, 'csv'), /^=name,.*\n=1\+1,/)
  })

  test('as Parquet, under the columns’ own names where they can be told apart', async () => {
    for (const rows of [samples, [{ Id: 1, id: 2, file_row_number: 3, '': 4 }]]) {
      const { stream } = await exportTable(database, await tableOf(rows), 'parquet')
      const file = join(folder, 'stages', `${files++}.parquet`)
      await writeFile(file, await buffer(stream))
      const read = await database.rows(sql`SELECT * FROM read_parquet(${literal(file)})`)
      assert.deepEqual(
        read.map(row => Object.values(row).filter(value => value !== null)),
        rows.map(row => Object.values(row)),
      )
    }
  })

  test('sorted', async () => {
    const rows: Row[] = [{ n: '10' }, { n: '9' }, { m: 1 }]
    assert.equal(await exported(rows, 'ndjson', { sort: sort('n') }), '{"n":"9"}\n{"n":"10"}\n{"m":1}\n')
    assert.equal(await exported(rows, 'csv', { sort: sort('n', true) }), 'n,m\n10,\n9,\n,1\n')
    const { stream } = await exportTable(database, await tableOf(rows), 'parquet', { sort: sort('n') })
    assert.ok((await buffer(stream)).length > 0)
  })

  test('of many rows, in order', async () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => ({ n, t: { x: `v${n}` } }))
    const lines = (await exported(rows, 'csv')).trimEnd().split('\n')
    assert.equal(lines.length, 100_001)
    for (const n of [0, 1, 50_000, 99_999]) assert.equal(lines[n + 1], `${n},v${n}`)
  })

  test('leaves no file behind, read, left half-way, never read or failed', async () => {
    const stage = await tableOf(Array.from({ length: 100_000 }, (_, n) => ({ n, t: 'x'.repeat(20) })))
    for (const format of ['json', 'ndjson', 'csv', 'parquet'] as const) {
      await text((await exportTable(database, stage, format)).stream)
      const half = (await exportTable(database, stage, format)).stream
      for await (const _ of half) break
      ;(await exportTable(database, stage, format)).stream.destroy()
      const signal = AbortSignal.abort(new Error('left'))
      await assert.rejects(exportTable(database, stage, format, { signal, sort: sort('n') }), {
        message: 'left',
      })
    }
    for (let tries = 0; tries < 200 && readdirSync(database.scratch).length > 0; tries++) await turn()
    assert.deepEqual(readdirSync(database.scratch), [])
  })
})

describe('a summary', () => {
  test('tells of every column, reading numbers in text', async () => {
    const found = await summarize(
      database,
      await tableOf([
        { city: 'Rome', price: '10', o: { a: 1 }, unique: 1 },
        { city: 'Oslo', price: '20', o: { a: 1 }, unique: 2 },
        { city: 'Rome', price: '20', unique: 3 },
        { price: '30.5', ok: true, unique: 4 },
      ]),
    )
    const none = { mean: null, quantiles: null }
    assert.deepEqual(found, [
      {
        column: 'city',
        type: 'string',
        count: 3,
        nulls: 1,
        distinct: 2,
        min: 'Oslo',
        max: 'Rome',
        ...none,
        top: [
          { value: 'Rome', count: 2 },
          { value: 'Oslo', count: 1 },
        ],
      },
      {
        column: 'price',
        type: 'string',
        count: 4,
        nulls: 0,
        distinct: 3,
        min: 10,
        max: 30.5,
        mean: 20.125,
        quantiles: { p25: 17.5, p50: 20, p75: 22.625 },
        top: [
          { value: '20', count: 2 },
          { value: '10', count: 1 },
          { value: '30.5', count: 1 },
        ],
      },
      {
        column: 'o',
        type: 'object',
        count: 2,
        nulls: 2,
        distinct: 1,
        min: null,
        max: null,
        ...none,
        top: [{ value: { a: 1 }, count: 2 }],
      },
      {
        column: 'unique',
        type: 'number',
        count: 4,
        nulls: 0,
        distinct: 4,
        min: 1,
        max: 4,
        mean: 2.5,
        quantiles: { p25: 1.75, p50: 2.5, p75: 3.25 },
        top: [],
      },
      {
        column: 'ok',
        type: 'boolean',
        count: 1,
        nulls: 3,
        distinct: 1,
        min: true,
        max: true,
        ...none,
        top: [],
      },
    ])
  })

  test('of more columns than one statement takes', async () => {
    const wide = Array.from({ length: 3 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`c${n}`, row === 2 ? n : n * 2])),
    )
    const found = await summarize(database, await tableOf(wide))
    assert.deepEqual(
      found.map(({ column, min, max, top }) => [column, min, max, top[0]]),
      Array.from({ length: 60 }, (_, n) => [`c${n}`, n, n * 2, { value: n * 2, count: n === 0 ? 3 : 2 }]),
    )
  })

  test('of a table without columns is empty', async () => {
    assert.deepEqual(await summarize(database, await tableOf([{}, {}])), [])
  })
})

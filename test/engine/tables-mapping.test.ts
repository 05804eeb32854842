import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { mapRows } from '../../src/engine/mapping/map.ts'
import { MapperPool } from '../../src/engine/mapping/pool.ts'
import { Database } from '../../src/engine/tables/database.ts'
import { ingest } from '../../src/engine/tables/ingest.ts'
import { readPage } from '../../src/engine/tables/results.ts'
import { fromFile, type StageFile } from '../../src/engine/tables/stage-file.ts'
import { type Json, parseJson, type Row } from '../../src/language/json.ts'
import type { Relation } from '../../src/sql/relation.ts'

let folder: string
let database: Database
let pool: MapperPool
let files = 0
const nextFile = () => join(folder, 'stages', `${files++}.parquet`)

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forage-mapping-'))
  mkdirSync(join(folder, 'stages'))
  const folders = [join(folder, 'stages')]
  database = await Database.open({ temporary: join(folder, 'temporary'), folders, memoryMb: 500, threads: 2 })
  pool = new MapperPool({ size: 3, entry: new URL('./mapping-worker.ts', import.meta.url) })
})
after(async () => {
  await pool.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

async function relationOf(rows: Iterable<Row>): Promise<Relation> {
  const stage = await ingest(database, rows, nextFile())
  return fromFile(stage.file, stage.columns)
}

const map = (relation: Relation, mapper: string, options: Json = null, signal?: AbortSignal) =>
  mapRows(database, pool, relation, { mapper, options }, nextFile(), { signal })

async function rowsOf(stage: StageFile): Promise<Row[]> {
  return parseJson(
    (await readPage(database, stage, { offset: 0, limit: stage.rows })).json,
  ) as unknown as Row[]
}

const numbers = (count: number): Row[] => Array.from({ length: count }, (_, n) => ({ n }))

describe('mapping', () => {
  test('rows come back as they went, in order', async () => {
    const rows: Row[] = [{ a: 9007199254740993n, b: { c: ['é', null] }, '': 1, Id: 1, id: 2 }, {}, { a: 0.5 }]
    assert.deepEqual(await rowsOf(await map(await relationOf(rows), 'identity')), rows)
  })

  test('a row may become several or none', async () => {
    const relation = await relationOf([{ n: 1 }, { n: 2 }])
    assert.deepEqual(await rowsOf(await map(relation, 'double', { x: ['é'] })), [
      { n: 1, copy: 0 },
      { n: 1, copy: 1, options: { x: ['é'] } },
      { n: 2, copy: 0 },
      { n: 2, copy: 1, options: { x: ['é'] } },
    ])
    assert.deepEqual(await rowsOf(await map(relation, 'odd')), [{ n: 1 }])
    assert.equal((await map(await relationOf([{ n: 2 }]), 'odd')).rows, 0)
  })

  test('no rows', async () => {
    assert.deepEqual(await rowsOf(await map(await relationOf([]), 'identity')), [])
  })

  test('many rows on several threads: order, columns and types as from one', async () => {
    const count = 30_000
    const relation = await relationOf(numbers(count))
    const stages = await Promise.all([map(relation, 'wandering'), map(relation, 'wandering')])
    for (const stage of stages) {
      const names = [
        ...new Set(numbers(count).flatMap(({ n }) => [`k${Math.floor(Number(n) / 700)}`, 'n', 'm'])),
      ]
      assert.deepEqual(
        stage.columns.map(column => column.name),
        names,
      )
      assert.equal(stage.columns.find(column => column.name === 'm')?.type, 'JSON')
      assert.deepEqual(
        (await rowsOf(stage)).map(row => row.n),
        numbers(count).map(row => row.n),
      )
    }
  })

  test('a relation in another order', async () => {
    const relation = await relationOf(numbers(5000))
    const backwards = { ...relation, order: [{ id: '_rn', descending: true }] }
    const rows = await rowsOf(await map(backwards, 'identity'))
    assert.deepEqual([rows[0]?.n, rows.at(-1)?.n], [4999, 0])
  })

  test('what a mapper throws fails the stage, and the next goes on', async () => {
    const relation = await relationOf(numbers(20_000))
    await assert.rejects(map(relation, 'failing'), {
      code: 'mapping_failed',
      message: 'row 5000 is not for me',
    })
    await assert.rejects(map(relation, 'nobody'), { message: /no mapper called nobody/ })
    assert.equal((await map(relation, 'identity')).rows, 20_000)
  })

  test('a mapper that does not end is ended with its query', async () => {
    const relation = await relationOf(numbers(10))
    const controller = new AbortController()
    const running = assert.rejects(map(relation, 'endless', null, controller.signal), { message: 'enough' })
    setTimeout(() => controller.abort(new Error('enough')), 100)
    await running
    assert.equal((await map(relation, 'identity')).rows, 10)
  })

  test('too many columns is an error', async () => {
    const relation = await relationOf(numbers(3000))
    const file = nextFile()
    const options = { maxColumns: 4 }
    await assert.rejects(
      mapRows(database, pool, relation, { mapper: 'wandering', options: null }, file, options),
      {
        code: 'too_many_columns',
      },
    )
    assert.equal(existsSync(file), false)
  })

  test('leaves no journals', () => {
    assert.deepEqual(readdirSync(database.scratch), [])
  })

  test('the commands’ own mappers are found by name', async () => {
    const real = new MapperPool({ size: 1 })
    const relation = await relationOf([{ t: 'abc' }])
    const mapping = { mapper: 'digest', options: { value: 't', algorithm: 'sha512' } }
    const [row] = await rowsOf(await mapRows(database, real, relation, mapping, nextFile()))
    assert.match(String(row?.t), /^ddaf35a193617aba/)
    await real.close()
    await assert.rejects(mapRows(database, real, relation, mapping, nextFile()), { code: 'table_closed' })
  })
})

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Database } from '../../src/engine/tables/database.ts'
import { ingest } from '../../src/engine/tables/ingest.ts'
import { describeFile, fromFile, materialize } from '../../src/engine/tables/stage-file.ts'
import type { Row } from '../../src/language/json.ts'
import { project } from '../../src/sql/relation.ts'
import { bind, integer, join as joinSql, literal, name, sql } from '../../src/sql/sql.ts'

let folder: string
let database: Database
let files = 0
const nextFile = () => join(folder, 'stages', `${files++}.parquet`)

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forage-tables-'))
  mkdirSync(join(folder, 'stages'))
  database = await open()
})
after(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

function open(concurrency = 4, memoryMb = 1000): Promise<Database> {
  const folders = [join(folder, 'stages')]
  return Database.open({ temporary: join(folder, 'temporary'), folders, memoryMb, threads: 2, concurrency })
}

/** Through ingest and one materialisation after another, back to rows: each time a file of its own. */
async function roundTrip(
  rows: Iterable<Row> | AsyncIterable<Row>,
  times = 2,
): Promise<{ types: Record<string, string>; rows: Row[] }> {
  let stage = await ingest(database, rows, nextFile())
  for (let n = 0; n < times; n++)
    stage = await materialize(database, fromFile(stage.file, stage.columns), nextFile())
  const relation = fromFile(stage.file, stage.columns)
  const list = [...stage.columns.map(column => name(column.id)), name('_rn')]
  const read = await database.rows(sql`SELECT ${joinSql(list, ', ')} FROM (${relation.sql}) ORDER BY _rn`)
  return {
    types: Object.fromEntries(stage.columns.map(column => [column.name, column.type])),
    rows: read.map(row => {
      const values = Object.values(row)
      return Object.fromEntries(
        stage.columns.flatMap((column, index) =>
          values[index] === null ? [] : [[column.name, values[index]!]],
        ),
      )
    }),
  }
}

describe('rows through ingest, Parquet and back', () => {
  const kept: [string, Row[], Record<string, string>][] = [
    ['integers', [{ n: 1 }, { n: -5 }, { n: 0 }], { n: 'BIGINT' }],
    [
      '64-bit integers',
      [{ n: 9223372036854775807n }, { n: -9223372036854775808n }, { n: 1 }],
      { n: 'BIGINT' },
    ],
    ['integers past 64 bits', [{ n: 9223372036854775808n }, { n: 1 }], { n: 'JSON' }],
    ['integers and fractions', [{ n: 1 }, { n: 0.1 }], { n: 'DOUBLE' }],
    ['long integers and fractions', [{ n: 9007199254740993n }, { n: 0.1 }], { n: 'JSON' }],
    [
      'doubles at their ends',
      [{ n: 1.7976931348623157e308 }, { n: 5e-324 }, { n: 0.1 }, { n: 1e21 }],
      { n: 'DOUBLE' },
    ],
    [
      'text that looks like other things',
      [
        { t: '2024-01-02' },
        { t: '12:30' },
        { t: '6f1c2b1e-0000-4000-8000-000000000000' },
        { t: 'null' },
        { t: '' },
        { t: '{"a":1}' },
      ],
      { t: 'VARCHAR' },
    ],
    ['booleans', [{ b: true }, { b: false }], { b: 'BOOLEAN' }],
    [
      'mixed columns',
      [{ m: 1 }, { m: 'x' }, { m: true }, { m: [1, { a: null }] }, { m: 0.5 }, { m: '1' }],
      { m: 'JSON' },
    ],
    ['booleans and numbers', [{ m: true }, { m: 1 }], { m: 'JSON' }],
    [
      'nested values',
      [{ o: { a: { b: [1, [], {}], '': null }, A: 1, a2: 9007199254740993n } }, { o: [] }],
      { o: 'JSON' },
    ],
    ['missing and null', [{ a: 1 }, {}, { b: 'x' }], { a: 'BIGINT', b: 'VARCHAR' }],
    [
      'names that differ by case',
      [{ Id: 1, id: 'a', ID: true }],
      { Id: 'BIGINT', id: 'VARCHAR', ID: 'BOOLEAN' },
    ],
    [
      'odd names',
      [
        {
          '': 1,
          ' ': 2,
          'a.b': 3,
          'q"q': 4,
          "s's": 5,
          'n\nn': 6,
          日本: 7,
          rowid: 8,
          $1: 9,
          '`': 10,
          '{}': 11,
        },
      ],
      {},
    ],
    [
      'our own names',
      [
        {
          _i: 1,
          _k: 2,
          _n: 3,
          _rn: 4,
          _k1: 5,
          file_row_number: 6,
          filename: 7,
          c0: 8,
          c1: 9,
          _j: 10,
          '_i ': 11,
          _: 12,
        },
      ],
      {},
    ],
    ['a name with a zero byte', [{ 'a\0b': 1, ab: 2 }], {}],
    ['long names', [{ ['x'.repeat(300)]: 1, ['x'.repeat(301)]: 2 }], {}],
    ['unicode', [{ t: '😀 é \u0000 \u2028 \ufeff ñ' }, { t: 'שלום' }], { t: 'VARCHAR' }],
    ['rows without columns', [{}, {}, {}], {}],
    ['no rows', [], {}],
  ]
  for (const [title, rows, types] of kept)
    test(title, async () => {
      const result = await roundTrip(rows, 3)
      assert.deepEqual(result.rows, rows)
      if (Object.keys(types).length > 0) assert.deepEqual(result.types, types)
    })

  test('a key called __proto__ is a column like any other', async () => {
    const rows = [JSON.parse('{"__proto__":1,"constructor":"x","o":{"__proto__":2}}') as Row]
    const result = await roundTrip(rows)
    assert.deepEqual(JSON.stringify(result.rows), JSON.stringify(rows))
  })

  test('half a surrogate pair becomes the replacement character, wherever it stands', async () => {
    const { rows } = await roundTrip([
      { t: 'a\ud800', o: { k: ['\udc00b', '\\ud800'], 'x\ud800': 1 }, 'n\ud800': 1, 'n\ufffd': 2 },
    ])
    assert.deepEqual(rows, [{ t: 'a\ufffd', o: { k: ['\ufffdb', '\\ud800'], 'x\ufffd': 1 }, 'n\ufffd': 1 }])
  })

  test('what JSON cannot say is missing', async () => {
    const { rows } = await roundTrip([{ a: Number.NaN, b: Number.POSITIVE_INFINITY, c: [Number.NaN], d: 1 }])
    assert.deepEqual(rows, [{ c: [null], d: 1 }])
  })

  test('a type is inferred over all rows, however late the odd one comes', async () => {
    function* rows(): Generator<Row> {
      for (let n = 0; n < 50_000; n++) yield { n, late: n === 49_999 ? 0.5 : 1 }
    }
    const result = await roundTrip(rows())
    assert.deepEqual(result.types, { n: 'BIGINT', late: 'DOUBLE' })
    assert.deepEqual(result.rows.at(-1), { n: 49_999, late: 0.5 })
    assert.deepEqual(
      result.rows.map(row => row.n),
      Array.from({ length: 50_000 }, (_, n) => n),
    )
  })

  test('rows from an asynchronous source', async () => {
    async function* rows(): AsyncGenerator<Row> {
      for (let n = 0; n < 2500; n++) yield { n }
    }
    assert.equal((await roundTrip(rows())).rows.length, 2500)
  })

  test('a thousand columns; past the ceiling a clear error and no file left', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 1000 }, (_, n) => [`column ${n}`, n % 3 ? n : { n }]),
    )
    assert.deepEqual((await roundTrip([wide, {}, wide])).rows, [wide, {}, wide])
    const file = nextFile()
    await assert.rejects(ingest(database, [wide], file, { maxColumns: 999 }), {
      code: 'too_many_columns',
      message: 'The table would have more than 999 columns.',
    })
    assert.equal(existsSync(file), false)
  })

  test('a row of many megabytes', async () => {
    const text = 'é'.repeat(10_000_000)
    const { rows } = await roundTrip([{ text, n: 1 }, { n: 2 }], 1)
    assert.equal(rows[0]?.text === text, true)
    assert.deepEqual(rows[1], { n: 2 })
    await assert.rejects(roundTrip([{ text: 'x'.repeat(65_000_000) }]), { code: 'row_too_large' })
  })

  test('a source that throws leaves nothing behind', async () => {
    function* rows(): Generator<Row> {
      yield { n: 1 }
      throw new Error('no more')
    }
    const file = nextFile()
    await assert.rejects(ingest(database, rows(), file), { message: 'no more' })
    assert.equal(existsSync(file), false)
    assert.deepEqual(readdirSync(database.scratch), [])
  })

  test('numbers in text are noticed', async () => {
    const stage = await ingest(
      database,
      [{ a: '1', b: '1', c: '01', d: '1e400', e: 1 }, { a: '-2.5e3', b: 'x', e: '2' }, { f: null }],
      nextFile(),
    )
    const numeric = stage.columns.filter(column => column.numericText).map(column => column.name)
    assert.deepEqual(numeric, ['a'])
  })

  test('a stage file says what it holds', async () => {
    const stage = await ingest(database, [{ Id: 1, id: "it's", x: '1' }], nextFile())
    assert.deepEqual(await describeFile(database, stage.file), stage)
  })
})

describe('relations', () => {
  test('are written in their order, without the hidden columns', async () => {
    const stage = await ingest(
      database,
      Array.from({ length: 30_000 }, (_, n) => ({ n, group: n % 7 })),
      nextFile(),
    )
    const input = fromFile(stage.file, stage.columns)
    const sorted = {
      ...project(input, [{ column: stage.columns[0]!, sql: name('n') }]),
      sql: sql`SELECT n, "group" AS _k1, _rn FROM (${input.sql})`,
      order: [{ id: '_k1', descending: true }, ...input.order],
    }
    const written = await materialize(database, sorted, nextFile())
    assert.deepEqual(
      { rows: written.rows, columns: written.columns },
      { rows: 30_000, columns: [stage.columns[0]] },
    )
    const [first] = await database.rows(
      sql`SELECT list(n ORDER BY file_row_number) AS n FROM read_parquet(${literal(written.file)})`,
    )
    const expected = Array.from({ length: 30_000 }, (_, n) => n).sort((a, b) => (b % 7) - (a % 7) || a - b)
    assert.deepEqual(first?.n, expected)
  })
})

describe('the database', () => {
  /** Minutes of work, if nothing stops it. */
  const endless = sql`SELECT count(*) FROM range(${integer(10_000_000)}) a, range(${integer(1_000_000)}) b WHERE a.range % 7 = b.range % 11`

  test('binds values by their types', async () => {
    const [row] = await database.rows(
      sql`SELECT ${bind(9007199254740993n, 'BIGINT')} AS a, ${bind(5, 'BIGINT')} AS b, ${bind(1e300, 'DOUBLE')} AS c, ${bind("it's \0 \ud800", 'VARCHAR')} AS d, ${bind(true, 'BOOLEAN')} AS e, ${bind('{"x":9007199254740993}', 'JSON')} AS f, ${bind(null, 'BIGINT')} AS g, [1, 2] AS h, 1.5 AS i, DATE '2024-01-02' AS j`,
    )
    assert.deepEqual(row, {
      a: 9007199254740993n,
      b: 5,
      c: 1e300,
      d: "it's \0 \ufffd",
      e: true,
      f: { x: 9007199254740993n },
      g: null,
      h: [1, 2],
      i: 1.5,
      j: '2024-01-02',
    })
  })

  test('streams texts in order, while the reader runs statements of its own', async () => {
    const narrow = await open(1)
    try {
      let next = 0
      for await (const batch of narrow.texts(sql`SELECT i::VARCHAR FROM range(10000) t(i)`)) {
        assert.ok(batch.length <= 2048)
        for (const text of batch) assert.equal(text, String(next++))
        assert.deepEqual(await narrow.rows(sql`SELECT 1 AS one`), [{ one: 1 }])
      }
      assert.equal(next, 10_000)
    } finally {
      await narrow.close()
    }
  })

  test('hundreds of statements at once wait their turn', async () => {
    const warnings: string[] = []
    const warn = (warning: Error) => warnings.push(warning.message)
    process.on('warning', warn)
    const signal = new AbortController().signal
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, n) =>
        database.rows(sql`SELECT ${integer(n)} AS n`, n % 2 ? { signal } : {}),
      ),
    )
    process.off('warning', warn)
    assert.deepEqual([results.flat(), warnings], [Array.from({ length: 300 }, (_, n) => ({ n })), []])
  })

  test('stops a running statement, and never starts one that was aborted in the queue', async () => {
    const narrow = await open(1)
    try {
      const running = new AbortController()
      const queued = new AbortController()
      const first = narrow.rows(endless, { signal: running.signal })
      const file = join(folder, 'stages', 'never')
      const second = narrow.run(sql`COPY (SELECT 1) TO ${literal(file)}`, { signal: queued.signal })
      queued.abort(new Error('not wanted'))
      await assert.rejects(second, { message: 'not wanted' })
      setTimeout(() => running.abort(new Error('enough')), 50)
      await assert.rejects(first, { message: 'enough' })
      assert.equal(existsSync(file), false)
      assert.deepEqual(await narrow.rows(sql`SELECT 2 AS two`), [{ two: 2 }])
    } finally {
      await narrow.close()
    }
  })

  test('a stage that is cancelled leaves no file', async () => {
    const file = nextFile()
    const relation = {
      sql: sql`SELECT range AS _rn FROM range(${integer(10_000_000_000)})`,
      columns: [],
      order: [{ id: '_rn' }],
    }
    const signal = AbortSignal.timeout(100)
    await assert.rejects(materialize(database, relation, file, { signal }), { name: 'TimeoutError' })
    assert.deepEqual(
      readdirSync(join(folder, 'stages')).filter(entry => entry.endsWith('.part')),
      [],
    )
    assert.equal(existsSync(file), false)
  })

  test('is made anew after an internal error, and the others do not notice', async () => {
    // A parameter without a cast beside one with: DuckDB breaks over it, and no connection of the instance works on.
    const poison = sql`SELECT typeof($1), ${bind('x', 'VARCHAR')}`
    const stream = database.texts(sql`SELECT i::VARCHAR FROM range(${integer(10_000)}) t(i)`)
    await stream.next()
    const poisoned = assert.rejects(database.rows(poison), { code: 'table_internal' })
    const beside = Promise.all([1, 2, 3, 4, 5, 6].map(n => database.rows(sql`SELECT ${integer(n)} AS n`)))
    await poisoned
    assert.deepEqual(
      (await beside).flat(),
      [1, 2, 3, 4, 5, 6].map(n => ({ n })),
    )
    await stream.return()
    assert.deepEqual(await database.rows(sql`SELECT 3 AS three`), [{ three: 3 }])
  })

  test('reaches no file outside its folders and changes no setting', async () => {
    await assert.rejects(
      database.rows(sql`SELECT * FROM read_text('/etc/hostname')`),
      /disabled by configuration/,
    )
    await assert.rejects(database.run(sql`SET memory_limit = '100GB'`), /locked/)
    await assert.rejects(database.run(sql`INSTALL httpfs`), /disabled|cannot/i)
  })

  test('spills to disk under its memory limit, and says so when even that is not enough', async () => {
    const small = await open(2, 200)
    try {
      const relation = {
        sql: sql`SELECT i AS n, md5(i::VARCHAR) AS _k1 FROM range(${integer(3_000_000)}) t(i)`,
        columns: [{ name: 'n', id: 'n', type: 'BIGINT' as const }],
        order: [{ id: '_k1' }],
      }
      assert.equal((await materialize(small, relation, nextFile())).rows, 3_000_000)
      await assert.rejects(
        small.rows(sql`SELECT string_agg(i::VARCHAR || repeat('x', 500), '') FROM range(5000000) t(i)`),
        {
          code: 'table_memory',
        },
      )
    } finally {
      await small.close()
    }
  })

  test('closing ends what runs and what is half read, and removes its folder', async () => {
    const closing = await open()
    const stream = closing.texts(sql`SELECT i::VARCHAR FROM range(1000000) t(i)`)
    await stream.next()
    const running = assert.rejects(closing.rows(endless), { code: 'table_closed' })
    const scratch = closing.scratch
    await closing.close()
    await running
    assert.equal(existsSync(scratch), false)
    await assert.rejects(closing.rows(sql`SELECT 1`), { code: 'table_closed' })
    await assert.rejects(stream.next(), { code: 'table_closed' })
  })

  test('sweeps the folders of processes that are gone, and only those', async () => {
    const gone = join(folder, 'temporary', '999999999-0')
    mkdirSync(gone)
    const other = await open()
    assert.equal(existsSync(gone), false)
    assert.equal(existsSync(database.scratch), true)
    await other.close()
  })
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { checkSelect } from '../../src/engine/sandbox/gate.ts'
import { Sandbox } from '../../src/engine/sandbox/sandbox.ts'
import { Database } from '../../src/engine/tables/database.ts'
import { ingest } from '../../src/engine/tables/ingest.ts'
import { describeFile, fromFile, type StageFile } from '../../src/engine/tables/stage-file.ts'
import type { Row } from '../../src/language/json.ts'
import { bind, sql } from '../../src/sql/sql.ts'

let folder: string
let database: Database
let sandbox: Sandbox
let input: StageFile
let odd: StageFile
let files = 0
const stages = () => join(folder, 'stages')
const nextFile = () => join(stages(), `${files++}.parquet`)

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forage-sandbox-'))
  mkdirSync(stages())
  database = await Database.open({
    temporary: join(folder, 'temporary'),
    folders: [stages()],
    memoryMb: 500,
    threads: 2,
  })
  sandbox = new Sandbox({ memoryMb: 500 })
  sandbox.warm()
  input = await ingest(
    database,
    [
      { city: 'Oslo', n: 1, tags: ['a'] },
      { city: 'Rome', n: 9007199254740993n, tags: { x: 1.5 } },
      { city: 'Łódź', n: 2 },
    ],
    nextFile(),
  )
  odd = await ingest(database, [{ Id: 1, id: 'x', 'a b': 2, '': 3, file_row_number: 4, _rn: 5 }], nextFile())
})
after(async () => {
  await sandbox.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

async function run(
  text: string,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<StageFile> {
  const tables = [
    { name: 'input', file: input.file, columns: input.columns },
    { name: 'odd-one', file: odd.file, columns: odd.columns },
  ]
  return sandbox.run(text, tables, nextFile(), { timeoutMs: 60_000, ...options })
}

async function rowsOf(stage: StageFile): Promise<Row[]> {
  const relation = fromFile(stage.file, stage.columns)
  const rows = await database.rows(sql`SELECT * FROM (${relation.sql}) ORDER BY _rn`)
  return rows.map(row => {
    const values = Object.values(row)
    return Object.fromEntries(
      stage.columns.flatMap((column, index) =>
        values[index] === null ? [] : [[column.name, values[index]!]],
      ),
    )
  })
}

const typesOf = (stage: StageFile) => stage.columns.map(column => column.type)
const select = async (text: string): Promise<Row[]> => rowsOf(await run(text))

describe('what a SELECT gives', () => {
  test('rows of the input in order, integers exact', async () => {
    const stage = await run('select * from input')
    assert.deepEqual(await rowsOf(stage), [
      { city: 'Oslo', n: 1, tags: ['a'] },
      { city: 'Rome', n: 9007199254740993n, tags: { x: 1.5 } },
      { city: 'Łódź', n: 2 },
    ])
    assert.deepEqual(typesOf(stage), ['VARCHAR', 'BIGINT', 'JSON'])
    assert.deepEqual(await describeFile(database, stage.file), stage)
  })

  test('every type of DuckDB becomes one of a stage', async () => {
    const cases: [string, string, unknown][] = [
      ['true', 'BOOLEAN', true],
      ['1::tinyint', 'BIGINT', 1],
      ['sum(1)', 'BIGINT', 1],
      ['18446744073709551615::ubigint', 'JSON', 18446744073709551615n],
      ['5::uhugeint', 'BIGINT', 5],
      ['170141183460469231731687303715884105727::hugeint', 'JSON', 170141183460469231731687303715884105727n],
      ['12::decimal(38, 0)', 'BIGINT', 12],
      ['1.25', 'DOUBLE', 1.25],
      ['0.1::float', 'DOUBLE', 0.1],
      ["'infinity'::double", 'DOUBLE', undefined],
      ["'nan'::float", 'DOUBLE', undefined],
      ["'x'", 'VARCHAR', 'x'],
      ['null', 'BIGINT', undefined],
      ["date '2024-02-03'", 'VARCHAR', '2024-02-03'],
      ["time '10:20:30.5'", 'VARCHAR', '10:20:30.5'],
      ["timestamp '2024-02-03 10:20:30.25'", 'VARCHAR', '2024-02-03T10:20:30.25'],
      ["timestamp_s '2024-02-03 10:20:30'", 'VARCHAR', '2024-02-03T10:20:30'],
      ["timestamptz '2024-02-03 10:20:30+02'", 'VARCHAR', '2024-02-03T08:20:30Z'],
      ["timestamptz 'infinity'", 'VARCHAR', 'infinity'],
      ["interval '3 days 2 hours'", 'VARCHAR', '3 days 02:00:00'],
      ["'6f1c2b1e-0000-4000-8000-000000000000'::uuid", 'VARCHAR', '6f1c2b1e-0000-4000-8000-000000000000'],
      ["'\\x00\\xff'::blob", 'VARCHAR', 'AP8='],
      ["'a'::enum('a', 'b')", 'VARCHAR', 'a'],
      ["'101'::bit", 'VARCHAR', '101'],
      ['[1, 2]', 'JSON', [1, 2]],
      ["{'a': 1, 'b': [{'c': 'nan'::double}, {'c': 0.5}]}", 'JSON', { a: 1, b: [{ c: null }, { c: 0.5 }] }],
      ["[1.5, 'infinity'::double]::double[2]", 'JSON', [1.5, null]],
      ["map {'k': 'inf'::double, 'l': 1.5}", 'JSON', { k: null, l: 1.5 }],
      ["{'b': '\\xff'::blob}", 'JSON', { b: '/w==' }],
      ['null::struct(a double)', 'JSON', undefined],
      ["'[1,{}]'::json", 'JSON', [1, {}]],
    ]
    const stage = await run(`select ${cases.map(([text], index) => `${text} as c${index}`).join(', ')}`)
    const [row] = await rowsOf(stage)
    for (const [index, [text, type, value]] of cases.entries())
      assert.deepEqual([text, typesOf(stage)[index], row?.[`c${index}`]], [text, type, value])
  })

  test('columns keep their own names; two of one name are told apart', async () => {
    assert.deepEqual(await select('select * from "odd-one"'), [
      { Id: 1, id: 'x', 'a b': 2, '': 3, file_row_number: 4, _rn: 5 },
    ])
    assert.deepEqual(await select('select "a b", file_row_number, _rn, Id from "odd-one"'), [
      { 'a b': 2, file_row_number: 4, _rn: 5, Id: 1 },
    ])
    assert.deepEqual(await select('select 1 as a, 2 as a, 3 as A'), [{ a: 1, a_1: 2, A_2: 3 }])
  })

  test('an order that was asked for is kept', async () => {
    const rows = await select('select i from range(50000) t(i) order by i % 10 desc, i')
    const expected = Array.from({ length: 50_000 }, (_, i) => ({ i })).sort(
      (a, b) => (b.i % 10) - (a.i % 10) || a.i - b.i,
    )
    assert.deepEqual(rows, expected)
  })

  test('the whole of a SELECT is there', async () => {
    const texts: [string, Row[]][] = [
      [
        'with recursive r as (select 1 n union all select n + 1 from r where n < 3) select sum(n) s from r',
        [{ s: 6 }],
      ],
      [
        'select city, row_number() over (order by n desc) as r from input qualify r = 1',
        [{ city: 'Rome', r: 1 }],
      ],
      ['from input select count(*) as n', [{ n: 3 }]],
      [
        "pivot input on city in ('Oslo', 'Rome') using count(*) group by n order by n limit 1",
        [{ n: 1, Oslo: 1, Rome: 0 }],
      ],
      ['select a.n from input a join input b using (n) where a.n < 3 order by 1', [{ n: 1 }, { n: 2 }]],
      [
        'select list_transform([1, 2], lambda x: x * 2) l, [x for x in [1, 2, 3] if x > 2] m',
        [{ l: [2, 4], m: [3] }],
      ],
      ["select tags->>'$.x' as x from input where json_type(tags) = 'OBJECT'", [{ x: '1.5' }]],
      [
        'select count(distinct city) filter (n > 1) c, n > 1 big from input group by all order by all',
        [
          { c: 0, big: false },
          { c: 2, big: true },
        ],
      ],
      [
        'select * exclude (tags) replace (upper(city) as city) from input limit 1 offset 2',
        [{ city: 'ŁÓDŹ', n: 2 }],
      ],
      ['values (1), (2)', [{ col0: 1 }, { col0: 2 }]],
      ['select 1 as a union all by name select 2 as a', [{ a: 1 }, { a: 2 }]],
      ['select (select max(n) from input where n < 5) m, exists(select 1) e', [{ m: 2, e: true }]],
      ['select 1 as n /* ; drop view input */ -- ; select 2', [{ n: 1 }]],
      ['select n from input where false', []],
    ]
    for (const [text, rows] of texts) assert.deepEqual([text, await select(text)], [text, rows])
  })

  test('errors are in the words of the text that was given', async () => {
    await assert.rejects(run('select ctiy from input'), error => {
      assert.match(String(error), /"ctiy" not found[\s\S]*"city"/)
      assert.doesNotMatch(String(error), /parquet|forage-/)
      return true
    })
    await assert.rejects(run('selec 1'), { code: 'sql_syntax' })
    await assert.rejects(run(''), { code: 'sql_refused' })
    await assert.rejects(run("select error('on purpose')"), { code: 'sql_failed', message: /on purpose/ })
    await assert.rejects(run('select city::int from input'), {
      code: 'sql_failed',
      message: /Could not convert/,
    })
    await assert.rejects(run('select * from inputs'), { code: 'sql_refused', hint: /did you mean `input`/ })
    await assert.rejects(run('select lowr(city) from input'), { code: 'sql_refused', hint: /`lower`/ })
  })

  test('labels that differ by case alone are refused', async () => {
    const table = { file: input.file, columns: input.columns }
    const tables = [
      { name: 'a', ...table },
      { name: 'A', ...table },
    ]
    await assert.rejects(sandbox.run('select 1', tables, nextFile(), { timeoutMs: 60_000 }), {
      code: 'sql_refused',
    })
  })
})

/** Each a way somebody might try to get out. `%` stands for the input's file. */
const waysOut = [
  // Writing, over the input or elsewhere.
  "copy (select 1) to '%'",
  "copy (select 1) to '%' (use_tmp_file false)",
  "copy input to '/tmp/stolen.csv'",
  "copy input from '/etc/passwd'",
  "export database '/tmp/stolen'",
  "import database '/tmp/stolen'",
  // More than one statement, and text that pretends to be one.
  'select 1; select 2',
  'select 1; drop view input',
  "select 1;; copy (select 1) to '%'",
  'select 1) to $1; drop view input; --',
  "select 1) AS t(c0)) TO '/tmp/stolen' --",
  'select 1 /* */; /* */ drop view input',
  'select 1 -- \n; drop view input',
  'select 1\u0000; drop view input',
  'ѕelect 1',
  'select 1；drop view input',
  // Statements that are no SELECT.
  "attach ':memory:' as other",
  "attach '/tmp/other.db'",
  'detach memory',
  'use memory',
  "set memory_limit = '100GB'",
  'set global enable_external_access = true',
  'reset lock_configuration',
  'pragma database_list',
  "pragma enable_profiling = 'json'",
  'install httpfs',
  'load httpfs',
  "load '/tmp/evil.so'",
  'create table t as select 1',
  'create or replace view input as select 1',
  'create macro f() as 1',
  'create sequence s',
  "create secret (type s3, key_id 'a', secret 'b')",
  'drop view input',
  'alter view input rename to gone',
  'insert into input values (1)',
  'update input set n = 1',
  'delete from input',
  'truncate input',
  'begin transaction',
  'commit',
  'checkpoint',
  'vacuum',
  'call pragma_version()',
  'prepare p as select 1',
  'execute p',
  'deallocate p',
  'explain select 1',
  'explain analyze select 1',
  'show tables',
  'describe input',
  'summarize input',
  'from (show all tables)',
  'pivot input on city',
  'select ?',
  'select $1',
  'select $text',
  // Files.
  "select * from '/etc/passwd'",
  'select * from "/etc/passwd"',
  "from '%'",
  "from read_csv('/etc/passwd')",
  "from read_csv_auto('/etc/passwd')",
  "from read_text('/etc/passwd')",
  "from read_blob('/etc/passwd')",
  "from read_json('/etc/passwd')",
  "from read_ndjson_objects('/etc/passwd')",
  "from read_parquet('%')",
  "from parquet_scan('%')",
  "from parquet_metadata('%')",
  "from parquet_kv_metadata('%')",
  "from sniff_csv('/etc/passwd')",
  "from glob('/*')",
  "from read_duckdb('/tmp/x.db')",
  "from read_csv('https://example.com/x.csv')",
  'with "/etc/passwd" as (select 1) select * from (from "/etc/passwd") union all from \'/etc/hostname\'',
  'select * from (with "/etc/hostname" as (select 1) select 1) a, "/etc/hostname"',
  "select (from read_text('/etc/passwd') select content limit 1)",
  "select case when exists (from read_text('/etc/passwd')) then 1 end",
  "from input where n in (from read_text('/etc/passwd') select 1)",
  "from input order by (from glob('/*') select count(*))",
  "select 1 limit (from glob('/*') select count(*))",
  "from range((from glob('/*') select count(*)))",
  "select count(*) filter (exists (from glob('/*'))) over (order by (from glob('/*') select 1))",
  "select list_transform([1], lambda x: (from glob('/*') select count(*)))",
  "from input join (from glob('/*')) g on true",
  "pivot input on city in ('a') using count((from glob('/*') select 1))",
  "values ((from glob('/*') select count(*)))",
  // Settings, paths, the catalog, logs, secrets, variables.
  "select getenv('HOME')",
  "select current_setting('temp_directory')",
  'from duckdb_settings()',
  'from duckdb_views()',
  'from duckdb_tables()',
  'from duckdb_databases()',
  'from duckdb_secrets()',
  'from duckdb_logs',
  'from duckdb_logs()',
  'from duckdb_temporary_files()',
  'from duckdb_extensions()',
  'from information_schema.tables',
  'from pg_catalog.pg_views',
  'from pg_views',
  'from sqlite_master',
  'from main.input',
  'from memory.main.input',
  'from system.information_schema.tables',
  "from enable_logging(storage = 'file', storage_path = '/tmp/stolen')",
  "from enable_logging('QueryLog')",
  'from disable_logging()',
  'from truncate_duckdb_logs()',
  "select write_log('x')",
  "select getvariable('x')",
  'select current_query()',
  "from pragma_table_info('input')",
  "from pragma_storage_info('input')",
  'from pragma_database_size()',
  "from which_secret('s3://x', 's3')",
  'from checkpoint()',
  "select nextval('s')",
  'select setseed(0.5)',
  'select pg_sleep(100)',
  'select sleep_ms(100)',
  'select txid_current()',
  'select pg_get_viewdef(1)',
  'select version()',
  // Text that would run as SQL.
  "from query('select 1')",
  "from query_table('input')",
  "from query_table(['input'])",
  "from json_execute_serialized_sql(json_serialize_sql('select 1'))",
  "select json_serialize_plan('from input')",
  "select json_deserialize_sql('{}')",
  "from sql_auto_complete('sel')",
  'from histogram_values(input, n)',
  'from summary((from input))',
  'from arrow_scan(1, 2, 3)',
  'from seq_scan()',
  'from test_all_types()',
  'select system.main.lower(city) from input',
  'select pg_catalog.version()',
]

describe('what a SELECT may not do', () => {
  test('each way out is refused before anything runs', async () => {
    for (const way of waysOut) {
      const text = way.replaceAll('%', input.file)
      await assert.rejects(
        gate(text),
        error => {
          assert.match((error as { code: string }).code, /^sql_(refused|syntax)$/, text)
          return true
        },
        text,
      )
    }
  })

  test('and in the sandbox itself, which leaves the input as it was', async () => {
    const before = digest()
    for (const way of waysOut.filter((_, index) => index % 9 === 0)) {
      const text = way.replaceAll('%', input.file)
      await assert.rejects(run(text), { code: /^sql_(refused|syntax)$/ }, text)
    }
    assert.equal(digest(), before)
    assert.equal(existsSync('/tmp/stolen.csv'), false)
  })

  test('random letters around a refused call do not let it through', async () => {
    for (const quoted of [
      '"read_text"',
      'READ_TEXT',
      'Read_Text',
      '"READ_TEXT"',
      'read_text/**/',
      'main.read_text',
    ])
      await assert.rejects(gate(`from ${quoted}('/etc/passwd')`), { code: 'sql_refused' })
    await assert.rejects(gate('select city.getenv() from input'), { code: 'sql_refused' })
    await assert.rejects(gate("select U&'x', current_setting/**/('home_directory')"), { code: /sql_/ })
  })

  test('endless work is stopped by its time', async () => {
    const endless = [
      'with recursive r as (select 1 n union all select n + 1 from r) select count(*) from r',
      "select levenshtein(repeat('a', 200000), repeat('b', 200000))",
      'select count(*) from range(10000000) a, range(10000000) b where a.range * b.range = 7',
    ]
    for (const text of endless)
      await assert.rejects(run(text, { timeoutMs: 1500 }), { code: 'sql_timeout' }, text)
  })

  test('memory has a ceiling, for what DuckDB counts and for what it does not', async () => {
    const greedy = [
      'select len(range(1000000000))',
      "select length(repeat('x', 4000000000))",
      'select list(i) from range(2000000000) t(i)',
      "select length(string_agg(repeat('x', 1000), '')) from range(100000000)",
      'select len(list_sort(range(500000000)))',
    ]
    for (const text of greedy)
      await assert.rejects(
        run(text, { timeoutMs: 60_000 }),
        error => {
          assert.match((error as { code: string }).code, /^sql_(memory|failed)$/, `${text}: ${error}`)
          return true
        },
        text,
      )
  })

  test('a sort that is larger than the memory works on disk', async () => {
    assert.equal((await run('select i from range(4000000) t(i) order by md5(i::varchar)')).rows, 4_000_000)
  })

  test('what is called off ends, also while it waits for its turn', async () => {
    const texts = ['', '', ''].map(
      () => 'with recursive r as (select 1 n union all select n + 1 from r) select count(*) from r',
    )
    const controller = new AbortController()
    const runs = texts.map(text =>
      assert.rejects(run(text, { signal: controller.signal }), { message: 'enough' }),
    )
    setTimeout(() => controller.abort(new Error('enough')), 200)
    await Promise.all(runs)
    assert.deepEqual(await select('select 1 as n'), [{ n: 1 }])
  })

  test('nothing but results is left in the folder', () => {
    assert.deepEqual(
      readdirSync(stages()).filter(entry => !/^\d+\.parquet$/.test(entry)),
      [],
    )
  })

  test('closing ends a run', async () => {
    const other = new Sandbox({ memoryMb: 300 })
    const table = { name: 'input', file: input.file, columns: input.columns }
    const text = 'with recursive r as (select 1 n union all select n + 1 from r) select count(*) from r'
    const running = assert.rejects(other.run(text, [table], nextFile(), { timeoutMs: 60_000 }), {
      code: /^(sql_memory|table_closed)$/,
    })
    setTimeout(() => other.close(), 100)
    await running
    await assert.rejects(other.run('select 1', [table], nextFile(), { timeoutMs: 60_000 }), {
      code: 'table_closed',
    })
  })
})

async function gate(text: string): Promise<void> {
  // As the child does: a zero byte would end the text for DuckDB's parser.
  if (text.includes('\0')) throw Object.assign(new Error('zero byte'), { code: 'sql_syntax' })
  const [tree] = await database.column(sql`SELECT json_serialize_sql(${bind(text, 'VARCHAR')})`)
  checkSelect(JSON.parse(tree!), ['input', 'odd-one'])
}

const digest = () => createHash('sha256').update(readFileSync(input.file)).digest('hex')

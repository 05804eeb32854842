import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commands } from '../../src/commands/index.ts'
import { StageFailure } from '../../src/engine/failure.ts'
import type { Row } from '../../src/language/json.ts'
import { Harness } from './harness.ts'

const harness = new Harness(commands)
before(() => harness.open())
after(() => harness.close())

const columnCommands = commands.filter(command => command.group === 'columns' && 'reduce' in command)

test('a table without rows goes through every command', async () => {
  for (const command of columnCommands) {
    const [stage] = command.examples[0]!.query.split(' || ')
    const { rows } = await harness.run(stage!, [])
    assert.deepEqual(rows, [], command.name)
  }
})

test('columns come through a mapper as they were: order, long integers, letter case, missing in every row', async () => {
  const input: Row[] = [
    { z: null, Id: 9007199254740993n, id: 'x', '': 1, 'a b': [1.5, null], xml: '<a/>' },
    { id: 'y', z: null },
  ]
  for (const stage of ['parseXML xml', 'parseURL id', 'jsonpath xml "$..a"', 'hash id --algorithm sha512']) {
    const { rows, columns } = await harness.run(`${stage} || drop xml`, input)
    assert.deepEqual(columns.slice(0, 5), ['z', 'Id', 'id', '', 'a b'], stage)
    assert.equal(rows[0]!.Id, 9007199254740993n)
    assert.deepEqual(rows[0]!['a b'], [1.5, null])
  }
})

test('a mapper keeps the order that an earlier stage gave', async () => {
  const input = Array.from({ length: 5000 }, (_, n) => ({ n, csv: `v\n${n}\n${n + 0.5}` }))
  const { rows } = await harness.run('sort n --order descending || parseCSV csv || table v || head 3', input)
  assert.deepEqual(rows, [{ v: 4999 }, { v: 4999.5 }, { v: 4998 }])
})

test('values that cannot be read are counted, with the first reason', async () => {
  const xml = await harness.run('parseXML x', [{ x: '<a>' }, { x: '<b/>' }, { x: 'text' }])
  assert.deepEqual(
    xml.warnings.map(({ code, message }) => [code, message]),
    [['xml_not_read', '2 values could not be read. The first: Line 1, column 4: <a> is never closed.']],
  )
  const csv = await harness.run('parseCSV x', [{ x: 'a\n"b"c' }])
  assert.deepEqual(
    csv.warnings.map(({ code, message }) => [code, message]),
    [['csv_not_read', '1 value could not be read. The first: On line 2 text follows a closing quote.']],
  )
  assert.deepEqual((await harness.run('parseURL x', [{ x: 'https://a.example' }, { y: 1 }])).warnings, [])
})

test('a path may be the name of a column', async () => {
  const input = [{ 'a.b': ' x ', a: { b: ' y ' } }]
  const run = async (query: string) => (await harness.run(query, input)).rows
  assert.deepEqual(await run('trim a.b'), [{ 'a.b': 'x', a: { b: ' y ' } }])
  assert.deepEqual(await run('drop a.b'), [{ a: { b: ' y ' } }])
  assert.deepEqual(await run('rename a.b c'), [{ c: ' x ', a: { b: ' y ' } }])
  assert.deepEqual(await run('table a.b'), [{ 'a.b': ' x ' }])
})

test('several items of one array are taken out by the numbers they had', async () => {
  const { rows } = await harness.run('drop v.0 v.2 v.3.x', [{ v: ['a', 'b', 'c', { x: 1, y: 2 }] }])
  assert.deepEqual(rows, [{ v: ['b', { y: 2 }] }])
})

test('rename does all pairs at once, nested ones too', async () => {
  const cases: [string, Row, Row][] = [
    ['rename a.b b b a.b', { a: { b: 1 }, b: 2 }, { a: { b: 2 }, b: 1 }],
    ['rename a b', { a: 1, b: 2, c: 3 }, { b: 1, c: 3 }],
    ['rename a b b c c a', { a: 1, b: 2, c: 3 }, { b: 1, c: 2, a: 3 }],
    ['rename a.b a', { a: { b: 1, c: 2 } }, { a: 1 }],
    ['rename v.0 first v.1 second', { v: [1, 2, 3] }, { v: [3], first: 1, second: 2 }],
    ['rename a x.y', { a: 1, x: { q: 1 } }, { x: { q: 1, y: 1 } }],
  ]
  for (const [query, before, after] of cases) {
    const { rows } = await harness.run(query, [before])
    assert.deepEqual(rows, [after], query)
    assert.deepEqual(Object.keys(rows[0]!), Object.keys(after), query)
  }
})

test('normalize gives its columns the types that their values have', async () => {
  const { rows } = await harness.run('normalize v', [
    { v: [{ n: 1 }, { n: 9007199254740993n }, { n: 18446744073709551615n }, { n: 1.5 }, { n: 'x' }] },
  ])
  assert.deepEqual(
    rows.map(row => row.n),
    [1, 9007199254740993n, 18446744073709551615n, 1.5, 'x'],
  )
  const summed = await harness.run('normalize v || stats "sum(n), max(t)"', [
    {
      v: [
        { n: 1, t: 'a' },
        { n: 2.5, t: 'b' },
      ],
    },
  ])
  assert.deepEqual(summed.rows, [{ sum_n: 3.5, max_t: 'b' }])
})

test('a fresh UUID stays the same for all that look at it', async () => {
  const input = [{ n: 1 }, { n: 2 }]
  for (const stage of ['guid', 'addcolumn _guid "$GUID$"', 'eval _guid "uuid()"']) {
    const { rows } = await harness.run(
      `${stage} --labelStage made || join _guid --stage made || count`,
      input,
    )
    assert.deepEqual(rows, [{ count: 2 }], stage)
  }
})

test('rows are counted for $ROW.INDEX$ in the order they have', async () => {
  const { rows } = await harness.run('sort n || addcolumn i "no. $ROW.INDEX$" || addcolumn j $ROW.INDEX$', [
    { n: 2 },
    { n: 1 },
  ])
  assert.deepEqual(rows, [
    { n: 1, i: 'no. 0', j: 0 },
    { n: 2, i: 'no. 1', j: 1 },
  ])
})

test('what is wrong with an argument is said before any row is touched', async () => {
  const cases: [query: string, code: string, hint: RegExp][] = [
    ['extract t "x"', 'extract_no_groups', /\(\?<price>/],
    [String.raw`replace t "(x)" "\2"`, 'replace_group', /brackets/],
    ['bin t 0', 'bin_size', /above 0/],
    ['bin t 5lightyears', 'bin_size', /1mo/],
    ['parseTimestamp t --format "%Q"', 'bad_format', /%Y/],
    ['formatTimestamp t "%"', 'bad_format', /%%/],
    ['parseTimestamp t --timezone Oslo', 'bad_timezone', /Europe\/Oslo/],
    ['formatTimestamp t "%Y" --timezone +02:00', 'bad_timezone', /UTC/],
    ['jsonpath t "$[?(@.a"', 'bad_jsonpath', /items/],
    ['jsonpath t "items"', 'bad_jsonpath', /items/],
    ['parseCSV t --separator ""', 'csv_separator', /;/],
    ['absurl t', 'absurl_base', /https/],
    ['rename u v', 'unknown_column', /t/],
    ['hash t u', 'unknown_column', /t/],
    ['addcolumn n "$u$"', 'unknown_column', /t/],
  ]
  for (const [query, code, hint] of cases) {
    await assert.rejects(harness.run(query, [{ t: 'x' }]), (failure: unknown) => {
      assert.ok(failure instanceof StageFailure, query)
      assert.equal(failure.error.code, code, query)
      assert.match(failure.error.hint ?? failure.error.message, hint, query)
      return true
    })
  }
})

test('a path that finds too much in one row fails instead of filling the memory', async () => {
  const wide = { v: Array.from({ length: 400 }, () => [Array.from({ length: 400 }, (_, n) => n)]) }
  await assert.rejects(harness.run('jsonpath v "$..*"', [{ v: wide }]), /more than 100000 values/)
})

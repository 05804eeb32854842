import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AGGREGATES } from '../../src/language/expression/aggregates.ts'
import { parseAggregates } from '../../src/language/expression/parse.ts'
import type { Json, Row } from '../../src/language/json.ts'
import { scanToken } from '../../src/language/tokens.ts'
import type { Template } from '../../src/language/values.ts'
import { compileAggregate } from '../../src/sql/aggregate.ts'
import { ExpressionError, readFailure } from '../../src/sql/errors.ts'
import { patternOf } from '../../src/sql/flat/pattern.ts'
import { ARRAY, BOOLEAN, EMPTY, NUMBER, OBJECT, TEXT, Tree } from '../../src/sql/flat/tree.ts'
import { ranked } from '../../src/sql/order.ts'
import { type Column, project, type Relation } from '../../src/sql/relation.ts'
import { bind, join, name, sql } from '../../src/sql/sql.ts'
import { templateText } from '../../src/sql/template.ts'
import { numberText } from '../../src/sql/value.ts'
import fc from '../support/fast-check.ts'
import { Database } from './duckdb.ts'

let db: Database
before(async () => {
  db = await Database.open()
})
after(() => db.close())

test('the text of a double is the shortest that reads back as it', async () => {
  const doubles = fc.sample(
    fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    ),
    {
      numRuns: 10_000,
      seed: 7,
    },
  )
  const relation = await db.table(
    doubles.map(x => ({ x })),
    { x: 'DOUBLE' },
  )
  const texts = await db.query(sql`SELECT ${numberText(sql`x`)} FROM (${relation.sql}) ORDER BY _rn`)
  for (const [index, [text]] of texts.entries()) {
    const expected = String(doubles[index]! + 0).replace('e+', 'e')
    assert.equal(text, expected)
  }
  for (const special of ['inf', '-inf', 'nan'])
    assert.equal(await db.value(sql`SELECT ${numberText(sql`(${bind(special, 'VARCHAR')})::DOUBLE`)}`), null)
})

const COLUMN_NAMES = [
  'a',
  'A',
  'a.b',
  '',
  'quote"',
  "tick'",
  'line\nbreak',
  '_rn',
  'file_row_number',
  'é👍',
  '~0',
  '__proto__x',
  'back\\slash',
  '`',
  '\u0000',
]
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.constantFrom(9007199254740993n, -9223372036854775808n),
  fc.constantFrom(0.5, 1e21, -1.5e-9, 123456.789),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
  fc.constantFrom('', '\u0000', '"', '\\', "'; DROP TABLE t; --", '\n', 'null', '{}'),
)
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('k', 'x y', ''), scalar, { maxKeys: 2, noNullPrototype: true }),
)

test('rows come back as they went in, whatever their names and values', async () => {
  for (let round = 0; round < 10; round++) {
    const shape = fc.record(Object.fromEntries(COLUMN_NAMES.map(key => [key, value])), {
      requiredKeys: [],
      noNullPrototype: true,
    })
    const rows = fc.sample(shape, { numRuns: 1000, seed: round }) as Row[]
    const present = rows.map(row =>
      Object.fromEntries(Object.entries(row).filter(([, item]) => item !== null)),
    )
    assert.deepEqual(await db.rows(await db.table(rows)), present)
  }
})

test('columns of one type keep it, and what is no number in JSON is left out', async () => {
  const relation: Relation = {
    columns: ['i', 'd', 's', 'b', 'j', 'n', 'inf'].map(
      (id, index): Column => ({
        name: id,
        id,
        type: (['BIGINT', 'DOUBLE', 'VARCHAR', 'BOOLEAN', 'JSON', 'JSON', 'DOUBLE'] as const)[index]!,
      }),
    ),
    order: [{ id: '_rn' }],
    sql: sql`SELECT 9223372036854775807::BIGINT AS i, 5::DOUBLE AS d, 'x"' AS s, false AS b, '{"k": [1]}'::JSON AS j, 'null'::JSON AS n, 'inf'::DOUBLE AS inf, 0 AS _rn`,
  }
  assert.deepEqual(await db.rows(relation), [
    { i: 9223372036854775807n, d: 5, s: 'x"', b: false, j: { k: [1] } },
  ])
  assert.deepEqual(await db.rows({ ...relation, columns: [] }), [{}])
})

function template(text: string): Template {
  const parts: Template['parts'][number][] = []
  for (let at = 0; at < text.length; ) {
    const found = text[at] === '$' ? scanToken(text, at) : undefined
    parts.push(found ? found.token : text[at]!)
    at = found?.end ?? at + 1
  }
  return { parts }
}

test('templates take the values of the row as text', async () => {
  const row: Row = {
    n: 2.0,
    f: 2.5,
    s: 'a b&c',
    o: { list: [1, 'x'] },
    yes: true,
    gone: null,
    big: 9007199254740993n,
  }
  const relation = await db.table([row], { gone: 'VARCHAR' })
  const cases: readonly (readonly [string, string])[] = [
    ['plain', 'plain'],
    ['', ''],
    ['$n$ and $f$', '2 and 2.5'],
    ['<$gone$>', '<>'],
    ['$o.list.1$/$o.list$', 'x/[1,"x"]'],
    ['$s|url$', 'a%20b%26c'],
    ['$s|json$ $n|json$', '"a b&c" 2'],
    ['$big$ $yes$', '9007199254740993 true'],
    ['#$ROW.INDEX$', '#0'],
    ['$5 and $', '$5 and $'],
  ]
  for (const [text, expected] of cases) {
    const fragment = templateText(template(text), relation.columns, { rowIndex: name('_rn') })
    assert.equal(await db.value(sql`SELECT ${fragment} FROM (${relation.sql})`), expected, text)
  }
  const whole = await db.value(
    sql`SELECT ${templateText(template('$ROW$'), relation.columns)} FROM (${relation.sql})`,
  )
  assert.equal(whole, '{"n":2,"f":2.5,"s":"a b&c","o":{"list":[1,"x"]},"yes":true,"big":9007199254740993}')
  assert.throws(() => templateText(template('$PROMPTS.x$'), relation.columns), ExpressionError)
})

async function aggregated(text: string, rows: readonly Row[], by?: string): Promise<Json[]> {
  const { aggregates, diagnostics } = parseAggregates(text, offset => offset)
  assert.deepEqual(diagnostics, [], text)
  const { relation, rank } = ranked(await db.table(rows))
  const compiled = compileAggregate(aggregates![0]!, relation.columns, { rank })
  const column: Column = { name: 'value', id: 'value', type: compiled.type }
  const group = by ? sql`GROUP BY ${name(by)}` : sql``
  const result: Relation = {
    columns: [column],
    order: [{ id: '_rn' }],
    sql: sql`SELECT ${compiled.sql} AS value, min(${rank}) AS _rn FROM (${relation.sql}) ${group}`,
  }
  return (await db.rows(result)).map(row => row.value ?? null)
}

test('every example of an aggregate gives what it says', async () => {
  for (const { example } of AGGREGATES) {
    const [result] = await aggregated(example.expression, example.rows)
    if (typeof example.result === 'number')
      assert.ok(Math.abs(Number(result) - example.result) < 1e-9, example.expression)
    else assert.deepEqual(result, example.result, example.expression)
  }
})

test('aggregates over mixed, missing and nested values', async () => {
  const rows: Row[] = [
    { g: 'a', n: 2, t: 'x', p: '10', o: { v: 3 }, at: '2024-01-02' },
    { g: 'b', n: 5, t: 'y', p: '9', o: { v: '12' }, at: '2024-01-01' },
    { g: 'a', n: 3, t: 'x', p: '100' },
    { g: 'b', o: { v: 'word' } },
  ]
  const cases: readonly (readonly [string, Json[]])[] = [
    ['count()', [2, 2]],
    ['count(n)', [2, 1]],
    ['count(n > 2)', [1, 1]],
    ['count(o.v)', [1, 2]],
    ['dc(t)', [1, 1]],
    ['sum(n)', [5, 5]],
    ['sum(n * 1.5)', [7.5, 7.5]],
    ['sum(p)', [110, 9]],
    ['sum(t)', [null, null]],
    ['avg(o.v)', [3, 12]],
    ['min(p)', ['10', '9']],
    ['max(p)', ['100', '9']],
    ['max(o.v)', [3, 'word']],
    ['min(t)', ['x', 'y']],
    ['max(time(at))', ['2024-01-02T00:00:00.000Z', '2024-01-01T00:00:00.000Z']],
    ['first(o.v)', [3, '12']],
    ['last(n)', [3, 5]],
    ['first(o)', [{ v: 3 }, { v: '12' }]],
    ['list(n)', [[2, 3], [5]]],
    ['list(o.v)', [[3], ['12', 'word']]],
    ['list(upper(t))', [['X', 'X'], ['Y']]],
    ['mode(t)', ['x', 'y']],
    ['mode(o.v)', [3, '12']],
    ['mode(n)', [2, 5]],
    ['stdev(n)', [Math.SQRT1_2, null]],
    ['P50(n)', [2.5, 5]],
  ]
  for (const [text, expected] of cases) {
    const found = await aggregated(text, rows, 'g')
    for (const [index, want] of expected.entries())
      if (typeof want === 'number')
        assert.ok(Math.abs(Number(found[index]) - want) < 1e-12, `${text}: ${found}`)
      else assert.deepEqual(found[index], want, text)
  }
  assert.deepEqual(
    await aggregated(
      'count()',
      [{ a: 1 }].filter(() => false),
    ),
    [0],
  )
  assert.deepEqual(await aggregated('sum(n)', [{ n: 9223372036854775806n }, { n: 1 }]), [
    9223372036854775807n,
  ])
  await assert.rejects(
    () => aggregated('sum(n)', [{ n: 9223372036854775807n }, { n: 1 }]),
    (error: Error) => readFailure(error.message)?.span?.length === 6,
  )
})

test('first, last and list follow the order of the rows, not that of the table', async () => {
  const table = await db.table([
    { n: 1, k: 3 },
    { n: 2, k: 1 },
    { n: 3, k: 2 },
  ])
  const sorted: Relation = {
    ...table,
    sql: sql`SELECT *, k AS _k1 FROM (${table.sql})`,
    order: [{ id: '_k1', descending: true }, { id: '_rn' }],
  }
  const { relation, rank } = ranked(sorted)
  const { aggregates } = parseAggregates('first(n), last(n), list(n) as l', offset => offset)
  const parts = aggregates!.map(aggregate => compileAggregate(aggregate, relation.columns, { rank }).sql)
  assert.deepEqual(
    (await db.query(sql`SELECT ${join(parts, ', ')} FROM (${relation.sql})`)).map(([first, last, list]) => [
      first,
      last,
      String(list),
    ]),
    [[1n, 2n, '[1,3,2]']],
  )
})

test('a projection carries the order along', async () => {
  const relation = await db.table([{ n: 2 }, { n: 1 }])
  const column: Column = { name: 'm', id: 'm', type: 'BIGINT' }
  assert.deepEqual(await db.rows(project(relation, [{ column, sql: sql`n * 10` }])), [{ m: 20 }, { m: 10 }])
})

const isNested = (value: Json): value is Json[] | Row => typeof value === 'object' && value !== null

function kindsOf(value: Json): number {
  if (isNested(value))
    return (Array.isArray(value) ? ARRAY : OBJECT) | (Object.keys(value).length === 0 ? EMPTY : 0)
  if (value === null) return 0
  return typeof value === 'string' ? TEXT : typeof value === 'boolean' ? BOOLEAN : NUMBER
}

/** What discovery finds in these values. */
function treeOf(values: readonly Json[], below: readonly string[] = []): Tree {
  const tree = new Tree({ name: 'j', id: 'j', type: 'JSON' }, below)
  tree.kinds = values.reduce<number>((kinds, value) => kinds | kindsOf(value), 0)
  const parts = values.filter(isNested).flatMap(value => Object.entries(value))
  tree.children = [...Map.groupBy(parts, ([key]) => key)].map(([key, found]) =>
    treeOf(
      found.map(([, part]) => part),
      [...below, key],
    ),
  )
  return tree
}

const has = (tree: Tree, value: Json): boolean =>
  (kindsOf(value) & ~tree.kinds) === 0 &&
  (!isNested(value) ||
    Object.entries(value).every(([key, part]) =>
      tree.children.some(child => child.below.at(-1) === key && has(child, part)),
    ))

test('the pattern of a tree matches JSON that it was found in, and none with anything new in it', () => {
  const { value: document } = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<Json[]>(null, true, 1, -0.5, 1e300, '', 'a', '","a":"', '\\"}', ']\n{é👍'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', '0', '1', '2', '"', '.*', ''), tie('value'), { maxKeys: 3 }),
    ),
  }))
  const matches = (tree: Tree, value: Json) =>
    new RegExp(`^(?:${patternOf(tree)})$`, 'u').test(JSON.stringify(value))
  let found = 0
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 4 }), document, (values, other) => {
      assert.ok(matches(treeOf(values.slice(0, 1)), values[0]!))
      const tree = treeOf(values)
      if (!matches(tree, other)) return
      assert.ok(has(tree, other), `${JSON.stringify(values)} ${JSON.stringify(other)}`)
      found++
    }),
    { numRuns: 4000 },
  )
  assert.ok(found > 100, `${found}`)
})

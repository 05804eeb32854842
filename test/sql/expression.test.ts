import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { LIFTED } from '../../src/commands/mappers/lifted.ts'
import { FUNCTIONS } from '../../src/language/expression/functions.ts'
import { parseExpression } from '../../src/language/expression/parse.ts'
import { resolveExpression } from '../../src/language/expression/resolve.ts'
import type { Expression } from '../../src/language/expression/tree.ts'
import type { Json, Row } from '../../src/language/json.ts'
import { readFailure, UnknownColumn } from '../../src/sql/errors.ts'
import { compile, compileCondition } from '../../src/sql/expression.ts'
import { IMPLEMENTATIONS } from '../../src/sql/functions/index.ts'
import { applyLifted, type LiftedColumn, withLifted, withoutLifted } from '../../src/sql/lift.ts'
import { project, type Relation, where } from '../../src/sql/relation.ts'
import { join, type SqlType, sql } from '../../src/sql/sql.ts'
import { Database } from './duckdb.ts'

let db: Database
before(async () => {
  db = await Database.open()
})
after(() => db.close())

const STARTED = Date.UTC(2024, 1, 29, 12, 30)
const scope = { constant: (token: { kind: string }) => (token.kind === 'timestamp' ? STARTED : undefined) }

function parsed(text: string): Expression {
  const { expression, diagnostics } = parseExpression(text, offset => offset)
  assert.deepEqual(diagnostics, [], text)
  return resolveExpression(expression!, scope)
}

/** What the worker threads do: the rows with their lifted columns filled in, under the columns they had. */
async function computed(relation: Relation, lifted: readonly LiftedColumn[]): Promise<Relation> {
  const types = relation.columns
    .filter(column => lifted.every(call => call.column !== column.name))
    .map(column => [column.name, column.type])
  const rows = (await db.rows(relation)).map(row => applyLifted(row, lifted, LIFTED))
  return db.table(rows, Object.fromEntries(types))
}

/** The values of an expression, one for each row; missing is null. */
async function values(
  text: string,
  rows: readonly Row[],
  types: Record<string, SqlType> = {},
): Promise<Json[]> {
  const table = await db.table(rows, types)
  const { relation, compiled } = await withLifted(table, columns => compile(parsed(text), columns), computed)
  const column = { name: 'value', id: 'value', type: compiled.type }
  const result = await db.rows(project(relation, [{ column, sql: compiled.sql }]))
  return result.map(row => row.value ?? null)
}

async function value(text: string, row: Row = { _: 0 }, types: Record<string, SqlType> = {}): Promise<Json> {
  return (await values(text, [row], types))[0] ?? null
}

/** `[expression, value]` over one row. */
function table(
  title: string,
  row: Row,
  cases: readonly (readonly [string, Json])[],
  types?: Record<string, SqlType>,
): void {
  test(title, async () => {
    for (const [text, expected] of cases) assert.deepEqual(await value(text, row, types), expected, text)
  })
}

const MIXED: Row = {
  int: 12,
  float: 2.5,
  text: 'abc',
  numeric: '12.50',
  padded: ' 5 ',
  zip: '007',
  yes: true,
  no: false,
  missing: null,
  empty: '',
  o: {
    n: 5,
    t: 'x',
    f: false,
    nothing: null,
    list: [1, 'two', null, { k: 'v' }],
    'odd key': 1,
    big: 9007199254740993n,
  },
  list: ['b', 'a', 10, 9, null, 'b'],
  'odd name': 'odd',
  'a.b': 'own',
  a: { b: 'nested', c: 'inner' },
}
const TYPES: Record<string, SqlType> = { missing: 'VARCHAR' }

table(
  'literals, paths and odd names',
  MIXED,
  [
    ['12', 12],
    ['-1.5', -1.5],
    ['1e3', 1000],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ["'it\\'s'", "it's"],
    ['"x\\n"', 'x\n'],
    ['true', true],
    ['null', null],
    ['o.n', 5],
    ['o.list.1', 'two'],
    ['o.list.3.k', 'v'],
    ['o.`odd key`', 1],
    ['o.big', 9007199254740993n],
    ['o.nothing', null],
    ['o.no.such.thing', null],
    ['text.below', null],
    ['`odd name`', 'odd'],
    ['a.b', 'own'],
    ['`a`.b', 'nested'],
    ['a.c', 'inner'],
    ['list', ['b', 'a', 10, 9, null, 'b']],
  ],
  TYPES,
)

table(
  'comparisons have two values of truth',
  MIXED,
  [
    ['int == 12', true],
    ['int = 12', true],
    ['int != 12', false],
    ['int <> 13', true],
    ['int >= 12 and int <= 12', true],
    ['text == "abc"', true],
    ['text < "abd"', true],
    ['missing == 1', false],
    ['missing != 1', false],
    ['missing < 1', false],
    ['not (missing == 1)', true],
    ['missing == null', true],
    ['missing != null', false],
    ['null == missing', true],
    ['int == null', false],
    ['int != null', true],
    ['int > null', false],
    ['o.nothing == null', true],
    ['o.n != null', true],
    ['o.nothing != 5', false],
    ['missing is null', true],
    ['int is not null', true],
    ['yes', true],
    ['not yes', false],
    ['! no', true],
    ['yes && no || yes', true],
    ['missing and yes', false],
    ['yes == true', true],
    ['o.f == false', true],
    ['yes != no', true],
  ],
  TYPES,
)

table(
  'numbers in text compare as numbers, but only plain ones',
  MIXED,
  [
    ['numeric > 10', true],
    ['numeric == 12.5', true],
    ['10 < numeric', true],
    ["int == '12'", true],
    ["int == '12.0'", true],
    ["int == 'x'", false],
    ["int != 'x'", true],
    ["int < 'x'", false],
    ['padded == 5', false],
    ['padded != 5', true],
    ['zip == 7', false],
    ["zip == '007'", true],
    ['text > 1', false],
    ['text != 1', true],
    ['numeric == "12.5"', false],
    ['o.n == 5', true],
    ["o.n == '5'", true],
    ["o.n == '5.0'", true],
    ['o.n > numeric', false],
    ['o.t == "x"', true],
    ['o.t > 1', false],
    ['o.t != 1', true],
    ['o.list.0 < o.n', true],
    ['o.list.0 < o.list.1', false],
    ['yes == 1', false],
    ['yes != 1', true],
    ['o.big == 9007199254740993', true],
    ['o.big == 9007199254740992', false],
    ["9007199254740993 == '9007199254740993'", true],
    ['number(padded) == 5', true],
  ],
  TYPES,
)

table(
  'in, between, like and patterns',
  MIXED,
  [
    ["text in ('abc', 'x')", true],
    ["text in ('x')", false],
    ["text not in ('x')", true],
    ["missing in ('x')", false],
    ["missing not in ('x')", false],
    ['numeric in (1, 12.5)', true],
    ['o.n in (4, 5)', true],
    ["o.t in ('x', 'y')", true],
    ["o.n in ('5')", true],
    ['int in (1, text)', false],
    ['int between 12 and 13', true],
    ['int not between 1 and 5', true],
    ['missing between 1 and 5', false],
    ['missing not between 1 and 5', false],
    ['numeric between 12 and 13', true],
    ['o.n between 1 and 5', true],
    ["text like 'a%'", true],
    ["text like '_b_'", true],
    ["text not like 'a%'", false],
    ["missing not like 'a%'", false],
    ["text =~ '^a.c$'", true],
    ["text !~ 'z'", true],
    ["missing !~ 'z'", false],
    ["text =~ '(?<x>b)'", true],
    ["text =~ '\\u0062'", true],
    ["text =~ '(?i)ABC'", true],
    ["text contains 'bc'", true],
    ["text startswith 'ab'", true],
    ["text endswith 'bc'", true],
    ["missing contains 'a'", false],
    ["list contains 'a'", true],
    ['list contains 10', true],
    ["list contains 'z'", false],
    ["o contains 'two'", true],
  ],
  TYPES,
)

table(
  'arithmetic and defaults',
  MIXED,
  [
    ['int + 1', 13],
    ['int * float', 30],
    ['int - 20', -8],
    ['int / 8', 1.5],
    ['int % 5', 2],
    ['-int', -12],
    ['-(int) + 2 * 3', -6],
    ['(1 + 2) * 3', 9],
    ['numeric * 2', 25],
    ['o.n * 2', 10],
    ['text * 2', null],
    ['missing + 1', null],
    ['9223372036854775806 + 1', 9223372036854775807n],
    ['3037000499 * 3037000499', 9223372030926249001n],
    ['int / 0', null],
    ['int % 0', null],
    ['float % 0', null],
    ['int / (int - 12)', null],
    ['missing ?? 5', 5],
    ['missing ?? o.nothing ?? text', 'abc'],
    ['int ?? 5 > 11', true],
    ["missing ?? 'a' == 'a'", true],
    ['time("2024-01-02") - time("2024-01-01")', 86400],
    ["if(int > 10, 'many', 0)", 'many'],
    ["if(int > 99, 'many', 0)", 0],
    ['if(missing, 1, 2.5)', 2.5],
    ['round(int * 1.1 * 1.1, 2)', 14.52],
    ['abs(-9223372036854775807)', 9223372036854775807n],
  ],
  TYPES,
)

table(
  'functions of text',
  MIXED,
  [
    ['lower(missing)', null],
    ['upper(int)', '12'],
    ["len('👍é')", 2],
    ['len(list)', 6],
    ['len(missing)', null],
    ['trim("\\n\u00a0 x \\t")', 'x'],
    ["substr('abc', -2)", 'bc'],
    ["substr('abc', -9, 2)", 'ab'],
    ["substr('abc', 1)", 'bc'],
    ["substr('abc', 9)", ''],
    ["substr('abc', 0, -1)", ''],
    ["concat('a', missing, 1, true, 2.0)", 'a1true2'],
    ['concat(o.list)', '[1,"two",null,{"k":"v"}]'],
    ["split('a||b', '||')", ['a', 'b']],
    ["split(missing, ',')", null],
    ["slug('  Ünïcode — 日本 ')", 'unicode-日本'],
    ["lpad('abc', 2, 'x')", 'abc'],
    ["lpad('abc', 5, '')", 'abc'],
    ["rpad(int, 4, '.')", '12..'],
    ["lpad('x', 10000 + 5)", `${' '.repeat(9999)}x`],
    ["reverse('añ')", 'ña'],
    ["similarity('', '')", 1],
    ["replace('aXbX', 'X', '')", 'ab'],
    ['text(1e21)', '1e21'],
    ['text(0.1)', '0.1'],
    ['text(yes)', 'true'],
    ['contains(missing, "a")', false],
  ],
  TYPES,
)

table(
  'functions of numbers',
  MIXED,
  [
    ["number('1.299,00 €')", 1299],
    ["number('-$5.50')", -5.5],
    ["number('$-5.50')", -5.5],
    ["number('1,299')", 1299],
    ["number('3,5')", 3.5],
    ["number('1 234')", 1],
    ["number('12%')", 12],
    ["number('A-12')", 12],
    ["number('about 1,234,567 people')", 1234567],
    ["number('1.234.567')", 1234567],
    ["number('no digits')", null],
    ["number('')", null],
    ["number('1e3')", 1000],
    ["number('.5')", 0.5],
    ["number('CHF 1\\'299.50')", 1299.5],
    ['number(yes)', 1],
    ['number(o.n)', 5],
    ['round(-2.5)', -3],
    ['round(1234.5, -2)', 1200],
    ['floor(-0.5)', -1],
    ['ceil(int)', 12],
    ['sqrt(-1)', null],
    ['log(0)', null],
    ['log(8, 2)', 3],
    ['log(81, 3)', 4],
    ['log(5, 1)', null],
    ['pow(-8, 1 / 3)', null],
    ['min(int, float, missing)', 2.5],
    ['max(int, 3)', 12],
    ['min(list)', 9],
    ['max(missing)', null],
    ['max(time("2024-01-02"), time("2024-01-01"))', '2024-01-02T00:00:00.000Z'],
    ['abs(numeric)', 12.5],
  ],
  TYPES,
)

table(
  'functions of values, patterns and lists',
  MIXED,
  [
    ["bool('off')", false],
    ["bool('maybe')", null],
    ['bool(0)', false],
    ['bool(o.n)', true],
    ['coalesce(missing, o.nothing, o.t)', 'x'],
    ['isnull(o.nothing)', true],
    ['isempty(empty)', true],
    ['isempty(o.nothing)', true],
    ["isempty(parsejson('[]'))", true],
    ['isempty(int)', false],
    ['typeof(missing)', 'null'],
    ['typeof(o.n)', 'number'],
    ['typeof(o.t)', 'string'],
    ['typeof(o.f)', 'boolean'],
    ['typeof(o)', 'object'],
    ["typeof(split(text, ''))", 'array'],
    ['keys(o.list.3)', ['k']],
    ['keys(text)', null],
    ['json(o.list)', '[1,"two",null,{"k":"v"}]'],
    ['json(2.0)', '2'],
    ["at(parsejson('{\"a\": [1, 2.5]}'), 'a')", [1, 2.5]],
    ["parsejson('nonsense')", null],
    ["parsejson('NaN')", null],
    ["parsejson('[-Infinity]')", null],
    ['parsejson(\'"NaN"\')', 'NaN'],
    ["parsejson('null')", null],
    ["parsejson('9007199254740993')", 9007199254740993n],
    ['at(list, 0)', 'b'],
    ['at(list, -2)', null],
    ['at(list, -3)', 9],
    ['at(list, o.n)', 'b'],
    ['at(list, 1 - 4)', 9],
    ["at(o, 'odd key')", 1],
    ["at(o, concat('odd', ' key'))", 1],
    ['at(o, missing)', null],
    ["matches(missing, 'a')", false],
    ["extract(text, 'b(.)')", 'c'],
    ["extract(text, 'b.')", 'bc'],
    ["extract(text, 'z')", null],
    ["extract(text, 'a(z?)b')", ''],
    ["extract(text, '(a)(b)', 2)", 'b'],
    ["extract(text, '(a)(b)', 0)", 'ab'],
    ["extractall('a1b2', '[a-z](\\d)')", ['1', '2']],
    ["extractall(text, 'z')", []],
    ['count(list)', 6],
    ['count(text)', 1],
    ['count(missing)', 0],
    ['first(list)', 'b'],
    ['last(o.list)', { k: 'v' }],
    ['first(int)', 12],
    ['join(list)', 'b,a,10,9,b'],
    ["join(list, '')", 'ba109b'],
    ['join(list, text)', 'babcaabc10abc9abcb'],
    ["join(parsejson('[]'), text)", ''],
    ['sum(list)', 19],
    ['avg(list)', 9.5],
    ["sum(parsejson('[]'))", null],
    ['unique(list)', ['b', 'a', 10, 9]],
    ['sort(list)', [9, 10, 'a', 'b', 'b']],
    ["join(sort(unique(split('c,a,c', ','))), '-')", 'a-c'],
  ],
  TYPES,
)

const AT = '2024-02-03T04:05:06.000Z'
test('times in many forms', async () => {
  const forms: readonly (readonly [Json, string | null])[] = [
    ['2024-02-03T04:05:06Z', AT],
    ['2024-02-03T06:05:06+02:00', AT],
    ['2024-02-03T06:05:06+0200', AT],
    ['2024-02-03 04:05:06', AT],
    ['2024-02-03T04:05:06.123456Z', '2024-02-03T04:05:06.123Z'],
    ['2024-02-03T04:05Z', '2024-02-03T04:05:00.000Z'],
    ['2024-02-03T06:05+02:00', '2024-02-03T04:05:00.000Z'],
    ['2024-02-03 04:05', '2024-02-03T04:05:00.000Z'],
    ['2024-02-03', '2024-02-03T00:00:00.000Z'],
    ['2024-02-30', null],
    ['20240203', '2024-02-03T00:00:00.000Z'],
    ['2024-02', '2024-02-01T00:00:00.000Z'],
    ['Sat, 03 Feb 2024 04:05:06 GMT', AT],
    ['Sat, 03 Feb 2024 06:05:06 +0200', AT],
    ['03/Feb/2024:06:05:06 +0200', AT],
    ['02/03/2024', '2024-02-03T00:00:00.000Z'],
    ['2/3/2024 4:05 PM', '2024-02-03T16:05:00.000Z'],
    ['03.02.2024', '2024-02-03T00:00:00.000Z'],
    ['3 February 2024', '2024-02-03T00:00:00.000Z'],
    ['Feb 3, 2024', '2024-02-03T00:00:00.000Z'],
    [' 2024-02-03 ', '2024-02-03T00:00:00.000Z'],
    ['1706933106', AT],
    ['1706933106000', AT],
    [1706933106, AT],
    [1706933106000, AT],
    [1706933106.5, '2024-02-03T04:05:06.500Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-86400, '1969-12-31T00:00:00.000Z'],
    [1e300, null],
    [true, null],
    [{ a: 1 }, null],
    ['infinity', null],
    ['soon', null],
    ['', null],
    [null, null],
  ]
  const rows = forms.map(([at]) => ({ at }))
  // Whatever the machine's own zone is, a time without one is UTC.
  await db.query(sql`SET TimeZone = 'America/New_York'`)
  assert.deepEqual(
    await values('time(at)', rows),
    forms.map(([, expected]) => expected),
  )
})

table('functions of time', { at: AT, late: '2024-02-03T23:30:00Z', bad: 'x' }, [
  ['now()', '2024-02-29T12:30:00.000Z'],
  ["ago('1h')", '2024-02-29T11:30:00.000Z'],
  ["ago('1mo')", '2024-01-29T12:30:00.000Z'],
  ["ago('1y')", '2023-02-28T12:30:00.000Z'],
  ["at < ago('3d')", true],
  ["time(at) == '2024-02-03T05:05:06+01:00'", true],
  ["time(at) != 'x'", true],
  ['time(bad) == at', false],
  ["time('03|02|24', '%d|%m|%y')", '2024-02-03T00:00:00.000Z'],
  ["time('03.02.2024 06:05:06 +0200', '%d.%m.%Y %H:%M:%S %z')", AT],
  ["formattime(at, '%H:%M', 'Asia/Tokyo')", '13:05'],
  ["formattime(bad, '%H')", null],
  ['epoch(at)', 1706933106],
  ['hour(late)', 23],
  ['year(bad)', null],
  ["weekday('2024-02-04')", 7],
  ["bin(at, '1w')", '2024-01-29T00:00:00.000Z'],
  ["bin(at, '1mo')", '2024-02-01T00:00:00.000Z'],
  ["bin(at, '1y')", '2024-01-01T00:00:00.000Z'],
  ["bin(at, '15m')", '2024-02-03T04:00:00.000Z'],
  ["bin(bad, '15m')", null],
  ['bin(17, 5)', 15],
  ['bin(-17, 5)', -20],
  ['bin(1.25, 0.5)', 1],
  ['bin(0.35, 0.1)', 0.3],
  ['bin(0.3, 0.1)', 0.3],
  ['bin(0.7, 0.1)', 0.7],
  ['bin(-0.3, 0.1)', -0.3],
  ['bin(-0.35, 0.1)', -0.4],
  ['bin(0.29999999999999993, 0.1)', 0.2],
  ['bin(7, 0.1)', 7],
  ['bin(1.1, 0.05)', 1.1],
  ['bin(123456.789, 0.001)', 123456.789],
  ['bin(5.5e-7, 1e-7)', 5e-7],
  ['bin(3.5e-17, 1e-17)', 3e-17],
  ['bin(1e300, 0.1)', 1e300],
  ["bin('1e999', 0.1)", null],
  ["bin('7.5', 5)", 5],
  ['date(1706933106)', '2024-02-03'],
  ['typeof(now())', 'string'],
  ["concat(time(at), '!')", `${AT}!`],
  ["if(true, time(at), 'x')", AT],
])

table(
  'functions of addresses and codings',
  { u: 'HTTPS://u:p@Shop.Example.COM:8443/a%20b/c.html?x=1&y=a+b%21&flag#f', missing: null },
  [
    ['scheme(u)', 'https'],
    ['host(u)', 'shop.example.com'],
    ['domain(u)', 'example.com'],
    ['path(u)', '/a%20b/c.html'],
    ['query(u)', 'x=1&y=a+b%21&flag'],
    ["query(u, 'y')", 'a b!'],
    ["query(u, 'flag')", ''],
    ["query(u, 'fla')", null],
    ["query(u, '.')", null],
    ["path('https://a.example')", '/'],
    ["path('/just/a/path')", null],
    ["host('//cdn.example/x')", 'cdn.example'],
    ["host('http://[::1]:80/')", '[::1]'],
    ["host('no address')", null],
    ["domain('a.b.co.uk')", 'b.co.uk'],
    ["domain('http://192.168.1.5/x')", '192.168.1.5'],
    ["domain('localhost')", 'localhost'],
    ["domain('www.example.com.')", 'example.com'],
    ["domain('')", null],
    ["urldecode('%ff')", null],
    ["urldecode('50%')", '50%'],
    ["unbase64('###')", null],
    ["unbase64('/w==')", null],
    ["base64('')", ''],
    ['md5(missing)', null],
    ["absurl('/x', 'https://a.example/b/c')", 'https://a.example/x'],
    ["absurl('https://b.example', missing)", 'https://b.example/'],
    ["absurl('/x', 'nonsense')", null],
    ['absurl(missing, u)', null],
    ["absurl(htmltext('<b>/x</b>'), 'https://a.example')", 'https://a.example/x'],
    [
      'htmltext(\'<script>if (a < b) {}</script>1 < 2 &amp; &eacute;&#8364;&#x41; &unknown; <a title=">">x</a><br>y<!-- z -->\')',
      '1 < 2 & é€A &unknown; x\ny',
    ],
    ["htmltext('<p')", ''],
    ["upper(htmltext('<i>a</i>')) == 'A'", true],
  ],
  { missing: 'VARCHAR' },
)

test('every example of a function gives what it says', async () => {
  for (const { name, example } of FUNCTIONS) {
    const result = await value(example.expression, example.row)
    if (example.result !== undefined) assert.deepEqual(result, example.result, example.expression)
    else assert.match(String(result), /^[0-9a-f-]{36}$|^2024-02-/, name)
  }
})

test('every declared function has its SQL, and no other has', () => {
  const resolved = ['now', 'ago']
  assert.deepEqual(
    [...Object.keys(IMPLEMENTATIONS), ...resolved].toSorted(),
    FUNCTIONS.map(declaration => declaration.name).toSorted(),
  )
})

test('a condition keeps the same rows, strictly or in a WHERE', async () => {
  const rows: Row[] = [
    MIXED,
    { int: 3 },
    { text: 'abc', yes: false },
    { o: { n: '7', t: null } },
    { numeric: 'N/A', list: [] },
  ]
  const conditions = [
    'int > 5',
    'numeric > 10 or int == 3',
    'not (int > 5)',
    'int != 12 and text is null',
    'o.n > 4',
    "not (text =~ 'b' or yes)",
    "o.t == 'x' and not no",
    'yes',
    'numeric',
    'int between 1 and 5 or o.n between 6 and 9',
    'int not in (3) or list is null',
  ]
  const table = await db.table(rows, TYPES)
  for (const text of conditions) {
    const { sql: strictly, where: loosely } = compileCondition(parsed(text), table.columns)
    const kept = await db.rows(where(table, loosely))
    const flags = await db.query(sql`SELECT ${strictly} FROM (${table.sql}) ORDER BY _rn`)
    assert.ok(
      flags.every(([flag]) => typeof flag === 'boolean'),
      text,
    )
    assert.equal(kept.length, flags.filter(([flag]) => flag).length, text)
  }
})

test('a column that the table has not is reported with the nearest name and the place', async () => {
  const relation = await db.table([{ price: 1, name: 'x' }])
  assert.throws(
    () => compile(parsed('1 + prize > 5'), relation.columns),
    (error: unknown) => {
      assert.ok(error instanceof UnknownColumn)
      assert.deepEqual(error.span, { offset: 4, length: 5 })
      assert.equal(error.suggestion, 'price')
      assert.match(error.message, /no column prize.*price, name/)
      return true
    },
  )
  assert.equal(compile(parsed('prize'), relation.columns, { missing: 'null' }).type, 'VARCHAR')
  assert.doesNotThrow(() => compile(parsed('name.below'), relation.columns))
})

test('overflow is an error with its place, and only where it is computed', async () => {
  const overflows: readonly (readonly [string, number, number])[] = [
    ['1 + n * n', 0, 9],
    ['n * 9223372036854775807', 0, 23],
    ['-(n - 9223372036854775807 - 100) * 2', 0, 36],
    ['1e308 * n', 0, 9],
    ['pow(n, 300)', 0, 11],
    ["concat('x', n * n * n * n)", 12, 13],
    ['n * n > 5 and true', 0, 5],
  ]
  const relation = await db.table([{ n: 4_000_000_000 }])
  for (const [text, offset, length] of overflows) {
    const { sql: formula } = compile(parsed(text), relation.columns)
    await assert.rejects(
      () => db.query(sql`SELECT ${formula} FROM (${relation.sql})`),
      (error: Error) => {
        const failure = readFailure(error.message)
        assert.equal(failure?.code, 'number_overflow', text)
        assert.deepEqual(failure?.span, { offset, length }, text)
        return true
      },
    )
  }
  assert.equal(readFailure('Binder Error: something else'), undefined)
  const big = { n: 4_000_000_000 }
  assert.equal(await value('if(n < 10, n * n, -1)', big), -1)
  assert.equal(await value('n < 10 and n * n > 5', big), false)
  assert.equal(await value('n > 10 or n * n > 5', big), true)
  assert.equal(await value('n ?? (n * n)', big), 4_000_000_000)
})

test('divisions by zero can be counted, and only those that are made', async () => {
  const rows: Row[] = [{ a: 1, b: 0 }, { a: 1, b: 2 }, { a: 4, b: 0 }, { a: 1 }]
  const counts: readonly (readonly [string, number])[] = [
    ['a / b', 2],
    ['a % b', 2],
    ['a / 2', 0],
    ['a / 0', 4],
    ['a / (b - 2) + a / b', 3],
    ['if(b != 0, a / b, 0)', 0],
    ['if(b == 0, 0, a / b)', 0],
    ['b != 0 and a / b > 1', 0],
    ['b == 0 or a / b > 1', 0],
    ['a ?? a / b', 0],
    ['a / len(text(b) ?? "")', 1],
    ['a / (len(text(b)) - 1)', 3],
  ]
  const relation = await db.table(rows)
  for (const [text, expected] of counts) {
    const { divisions } = compile(parsed(text), relation.columns)
    const any =
      divisions.length > 0
        ? join(
            divisions.map(zero => sql`(${zero})`),
            ' OR ',
          )
        : sql`false`
    const found = await db.value(sql`SELECT count(*) FILTER (WHERE ${any}) FROM (${relation.sql})`)
    assert.equal(Number(found), expected, text)
  }
  assert.deepEqual(compile(parsed('a / 2 + a % 7'), relation.columns).divisions, [])
})

test('long chains and deep nesting stay within what DuckDB takes', async () => {
  const chain = Array.from({ length: 400 }, (_, n) => `int == ${n}`).join(' or ')
  assert.equal(await value(chain, { int: 399 }), true)
  assert.equal(await value(Array.from({ length: 60 }, () => 'int').join(' + '), { int: 1 }), 60)
  const nested = `${'round('.repeat(25)}x * 1.5${' + 1)'.repeat(25)}`
  assert.equal(await value(nested, { x: 2 }), 28)
  const json = `${'if(o.n == 5, o.n, '.repeat(20)}0${')'.repeat(20)}`
  assert.equal(await value(json, MIXED, TYPES), 5)
})

test('uuid is known to differ each time, and differs between rows', async () => {
  const relation = await db.table([{ a: 1 }, { a: 2 }])
  assert.equal(compile(parsed('uuid()'), relation.columns).volatile, true)
  assert.equal(compile(parsed('now()'), relation.columns).volatile, false)
  const [one, two] = await values('uuid()', [{ a: 1 }, { a: 2 }])
  assert.notEqual(one, two)
})

test('lifted columns leave no trace', async () => {
  const table: Relation = await db.table([{ h: '<b>x</b>' }])
  const { relation } = await withLifted(table, columns => compile(parsed('htmltext(h)'), columns), computed)
  assert.equal(relation.columns.length, 2)
  assert.deepEqual(await db.rows(withoutLifted(relation)), [{ h: '<b>x</b>' }])
})

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { commands } from '../../src/commands/index.ts'
import { StageFailure } from '../../src/engine/failure.ts'
import type { Row } from '../../src/language/json.ts'
import fc from '../support/fast-check.ts'
import { Harness } from './harness.ts'

const harness = new Harness(commands)
before(() => harness.open())
after(() => harness.close())

const rowsOf = async (query: string, input?: readonly Row[]) => (await harness.run(query, input)).rows

async function failureOf(query: string, input?: readonly Row[]): Promise<StageFailure['error']> {
  const outcome = await harness.run(query, input).catch((error: unknown) => error)
  assert(outcome instanceof StageFailure, `${query} should fail`)
  return outcome.error
}

describe('failures name what is wrong and what to do', () => {
  const cases: readonly (readonly [query: string, code: string, message: RegExp, hint: RegExp])[] = [
    ['seed 5', 'seed_not_rows', /not a number/, /value: 5/],
    ['seed [{a: 1}, "x"]', 'seed_not_rows', /item 1 .* text/, /value: "x"/],
    ['range 1 5 n --step 0', 'range_step', /steps of 0/, /above 0/],
    ['range 1 3 n || join --stage 0', 'join_keys', /which columns/, /--on/],
    ['range 1 3 n || join n', 'join_stage', /what to join with/, /--stage/],
    ['range 1 3 n || join --on n --stage 0', 'join_on', /"n"/, /id=code/],
    [
      'range 1 3 n || sort n --order descending --order ascending',
      'sort_orders',
      /2 orders/,
      /once for each/,
    ],
    ['range 1 3 n || stats "count() as n" --by n', 'duplicate_column', /called n/, /another name/],
    ['range 1 1001 n || transpose', 'transpose_rows', /1000 rows/, /head 1000/],
    ['range 1 1001 n || pivot n n "count()"', 'too_many_columns', /n has more than 1000/, /filter/],
    ['range 1 3 n || timechart soon "count()" --time n', 'bad_duration', /"soon"/, /1h/],
    [
      'seed [{t: "2000-01-01"}, {t: "2020-01-01"}] || timechart 1s "count()" --time t',
      'too_many_stretches',
      /t span/,
      /larger/,
    ],
    ['range 1 3 price || sort prise', 'unknown_column', /no column prise.*price/s, /price/],
    ['range 1 3 n || find "(" --regex', 'bad_regex', /\(/, /backslash/],
  ]
  for (const [query, code, message, hint] of cases) {
    test(query, async () => {
      const error = await failureOf(query)
      assert.equal(error.code, code)
      assert.match(error.message, message)
      assert.match(error.hint ?? '', hint)
    })
  }

  test('assert counts the rows that break it and shows the first', async () => {
    const query = 'range 1 10 n || assert "n < 7" --message "too many"'
    const error = await failureOf(query)
    assert.equal(error.code, 'assertion_failed')
    assert.equal(error.message, 'too many')
    assert.match(error.hint ?? '', /^4 rows/)
    assert.deepEqual(error.sample, [{ n: 7 }, { n: 8 }, { n: 9 }])
  })
})

describe('order', () => {
  test('a sort by a later command keeps the earlier one where rows are equal', async () => {
    const input = [5, 3, 4, 1, 2].map(n => ({ n, odd: n % 2 === 1 }))
    assert.deepEqual(
      (await rowsOf('sort n --order descending || sort odd', input)).map(row => row.n),
      [4, 2, 5, 3, 1],
    )
  })

  test('append after a sort, head, tail and reverse keep what they were given', async () => {
    const query = 'range 1 3 n --labelStage up || sort n --order descending || append up'
    assert.deepEqual(
      (await rowsOf(query)).map(row => row.n),
      [3, 2, 1, 1, 2, 3],
    )
    assert.deepEqual(
      (await rowsOf(`${query} || append up || tail 4`)).map(row => row.n),
      [3, 1, 2, 3],
    )
    assert.deepEqual(
      (await rowsOf(`${query} || reverse || head 4`)).map(row => row.n),
      [3, 2, 1, 1],
    )
    assert.deepEqual(
      (await rowsOf(`${query} || dedup --last`)).map(row => row.n),
      [1, 2, 3],
    )
    assert.deepEqual(await rowsOf(`${query} || stats "first(n) as a, last(n) as z, list(n) as all"`), [
      { a: 3, z: 3, all: [3, 2, 1, 1, 2, 3] },
    ])
  })

  test('sorting any values is stable, puts missing ones last and loses none', async () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: -5, max: 5 }).map(String),
    )
    const rows = fc.array(value, { maxLength: 12 }).map(list => list.map((v, id) => ({ id, v })))
    const property = fc.asyncProperty(rows, fc.boolean(), async (input, descending) => {
      const order = descending ? 'descending' : 'ascending'
      const sign = descending ? -1 : 1
      const expected = [...input]
        .sort((a, b) =>
          a.v === null || b.v === null
            ? Number(a.v === null) - Number(b.v === null)
            : sign * (Number(a.v) - Number(b.v)),
        )
        .map(row => row.id)
      const sorted = input.length > 0 ? await rowsOf(`sort v --order ${order}`, input) : []
      assert.deepEqual(
        sorted.map(row => row.id),
        expected,
      )
    })
    await fc.assert(property, { numRuns: 60 })
  })
})

describe('values', () => {
  const long = 9007199254740993n

  test('long integers stay exact through sort, min, stats, append and transpose', async () => {
    const input = [{ id: long }, { id: long - 1n }, { id: 5 }]
    assert.deepEqual(await rowsOf('sort id --order descending || head 1', input), [{ id: long }])
    assert.deepEqual(await rowsOf('max id', input), [{ id: long }])
    assert.deepEqual(await rowsOf('stats "max(id) as most, list(id) as all"', input), [
      { most: long, all: [long, long - 1n, 5] },
    ])
    assert.deepEqual(await rowsOf('append 0 || dedup', [...input, { id: 0.5 }].slice(0, 3)), input)
    assert.deepEqual(await rowsOf('transpose', input), [
      { column: 'id', row0: long, row1: long - 1n, row2: 5 },
    ])
  })

  test('long integers in text and inside objects are not taken for equal doubles', async () => {
    const input = [{ a: { id: String(long) } }, { a: { id: String(long - 1n) } }]
    assert.deepEqual(await rowsOf('sort a.id', input), [...input].reverse())
    assert.deepEqual(await rowsOf('min a.id', input), [input[1]])
    const query = `seed [{id: "${long}"}] --labelStage one || seed [{id: ${long}}, {id: ${long - 1n}}] || join id --stage one`
    assert.deepEqual(await rowsOf(query), [{ id: long }])
  })

  test('columns with odd names come through every kind of command', async () => {
    const odd: Row = {
      'a b': 1,
      A: 2,
      a: 3,
      '': 4,
      "it's": 5,
      'x"y': 6,
      'p.q': 7,
      file_row_number: 8,
      _rn: 9,
      _k1: 10,
    }
    const twin: Row = { ...odd, a: 30 }
    assert.deepEqual(await rowsOf('sort a --order descending || reverse || dedup A', [odd, twin]), [odd])
    assert.deepEqual(await rowsOf('append 0 || head 1', [odd]), [odd])
    assert.deepEqual(await rowsOf('groupBy p.q', [odd]), [{ 'p.q': 7, _group: [odd] }])
    assert.deepEqual(await rowsOf('stats "max(a) as most" --by A --by `a b` --by _k1,_rn', [odd, twin]), [
      { A: 2, 'a b': 1, _k1: 10, _rn: 9, most: 30 },
    ])
    assert.deepEqual(
      (await rowsOf('summarize', [odd])).map(row => row.column),
      Object.keys(odd),
    )
  })

  test('summarize tells of many columns in their order', async () => {
    const wide = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`c${n}`, n]))
    assert.deepEqual(
      (await rowsOf('summarize || table column max', [wide])).map(row => [row.column, row.max]),
      Object.entries(wide),
    )
  })

  test('a second join keeps what the first one put under _right', async () => {
    const query = [
      'seed [{id: 1, name: "x", n: 1}] --labelStage one',
      'seed [{id: 1, size: 9, name: "y"}] --labelStage two',
      'seed [{id: 1, n: 5, size: 7}]',
      'join id --stage one',
      'join id --stage two',
    ].join(' || ')
    assert.deepEqual(await rowsOf(query), [
      { id: 1, n: 5, size: 7, name: 'x', _right: { n: 1, size: 9, name: 'y' } },
    ])
  })

  test('join repeats a row for each it meets, in the order of the other side, and right rows come last', async () => {
    const query =
      'seed [{k: 2, r: 1}, {k: 1, r: 2}, {k: 2, r: 3}] --labelStage other || seed [{k: 2, l: 1}, {l: 2}] || join k --stage other'
    const pairs = (rows: readonly Row[]) => rows.map(row => [row.l ?? null, row.r ?? null])
    assert.deepEqual(pairs(await rowsOf(query)), [
      [1, 1],
      [1, 3],
    ])
    assert.deepEqual(pairs(await rowsOf(`${query} --type left`)), [
      [1, 1],
      [1, 3],
      [2, null],
    ])
    assert.deepEqual(pairs(await rowsOf(`${query} --type right`)), [
      [1, 1],
      [1, 3],
      [null, 2],
    ])
    assert.deepEqual(pairs(await rowsOf(`${query} --type full`)), [
      [1, 1],
      [1, 3],
      [2, null],
      [null, 2],
    ])
    assert.deepEqual(pairs(await rowsOf(`${query} --type semi`)), [[1, null]])
    assert.deepEqual(pairs(await rowsOf(`${query} --type anti`)), [[2, null]])
  })

  test('failed rows are counted when asked for', async () => {
    const input: Row[] = [{ n: 1 }, { _error: { code: 'x', message: 'y' } }]
    assert.deepEqual(await rowsOf('stats "count() as n" --errors true', input), [{ n: 2 }])
    assert.deepEqual(await rowsOf('count', input), [{ count: 2 }])
  })
})

describe('expressions in commands', () => {
  test('functions that only JavaScript can do work in conditions and figures', async () => {
    const input = [
      { html: '<b>One</b>', x: null },
      { html: '<i>Two</i>', x: null },
    ]
    assert.deepEqual(await rowsOf(`filter "htmltext(html) == 'Two'"`, input), [{ html: '<i>Two</i>' }])
    assert.deepEqual(
      await rowsOf(
        'stats "list(htmltext(html)) as texts, max(htmltext(html)) as last, count(x) as xs"',
        input,
      ),
      [{ texts: ['One', 'Two'], last: 'Two', xs: 0 }],
    )
  })

  test('a division by zero is missing and counted', async () => {
    const input = [
      { a: 1, b: 0 },
      { a: 1, b: 2 },
    ]
    const outcome = await harness.run('filter "a / b > 0"', input)
    assert.deepEqual(outcome.rows, [{ a: 1, b: 2 }])
    assert.deepEqual(
      outcome.warnings.map(({ code, stage }) => ({ code, stage })),
      [{ code: 'division_by_zero', stage: 1 }],
    )
  })

  test('rows without a readable time are left out with a warning', async () => {
    const input: Row[] = [{ t: '2026-01-01' }, { t: 'soon' }, { n: 1 }]
    const outcome = await harness.run('timechart 1d "count() as n" --time t', input)
    assert.deepEqual(outcome.rows, [{ _time: '2026-01-01T00:00:00.000Z', n: 1 }])
    assert.match(outcome.warnings[0]?.message ?? '', /^2 rows have no readable time in t/)
  })
})

describe('tables without rows or columns', () => {
  const empty = 'seed [] ||'
  for (const query of [
    'sort x',
    'dedup',
    'dedup x',
    'reverse',
    'head 3',
    'tail 3',
    'sample 2',
    'filter "x > 1"',
    'find a',
    'min x',
    'max x',
    'top 3 x',
    'rare 3 x',
    'groupBy x',
    'count x',
    'stats "sum(n)" --by x',
    'histogram x',
    'outliers x',
    'transpose',
    'summarize',
    'filldown x',
    'fill x 1',
    'assert "x > 1"',
    'unpivot x y',
    'pivot x y "count()"',
    'append 0',
    'timechart 1d "count()" --time x',
    'join x --stage 0',
  ])
    test(query, async () => assert.deepEqual(await rowsOf(`${empty} ${query}`), []))

  test('rows without columns', async () => {
    assert.deepEqual(await rowsOf('seed [{}, {}] || dedup'), [{}])
    assert.deepEqual(await rowsOf('seed [{}, {}] || count'), [{ count: 2 }])
    assert.deepEqual(await rowsOf('seed [{}, {}] || append 0 || reverse'), [{}, {}, {}, {}])
  })
})

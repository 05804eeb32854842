import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Json, Row } from '../../src/language/json.ts'
import { valueAt } from '../../src/language/paths.ts'
import type { Path } from '../../src/language/values.ts'
import { UnknownColumn } from '../../src/sql/errors.ts'
import { deletePath, readPath, selectPaths, writePath } from '../../src/sql/path.ts'
import { type Column, project, type Relation } from '../../src/sql/relation.ts'
import { sql } from '../../src/sql/sql.ts'
import { jsonOf } from '../../src/sql/text.ts'
import { constant, typed } from '../../src/sql/value.ts'
import fc from '../support/fast-check.ts'
import { Database } from './duckdb.ts'

let db: Database
before(async () => {
  db = await Database.open()
})
after(() => db.close())

const path = (...segments: string[]): Path => ({ text: segments.join('.'), segments })

const KEYS = [
  'a',
  'b',
  'A',
  '0',
  '1',
  '2',
  '01',
  'x y',
  '~',
  '/',
  '"',
  "'",
  'é👍',
  '',
  '$',
  '`',
  '\u0000',
  'key',
]
const key = fc.constantFrom(...KEYS)
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.constantFrom(9007199254740993n, -9223372036854775808n),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map(number => (Number.isInteger(number) ? 0.5 : number)),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const { document } = fc.letrec<{ document: Json }>(tie => ({
  document: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('document'), { maxLength: 3 }),
    fc.dictionary(key, tie('document'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const deep = fc.oneof(
  { weight: 1, arbitrary: document },
  { weight: 3, arbitrary: fc.dictionary(key, document, { minKeys: 1, maxKeys: 5, noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.array(document, { minLength: 1, maxLength: 4 }) },
)
const segments = fc.array(key, { minLength: 1, maxLength: 4 })

/** 50 paths over 200 documents each: 10,000 cases in as many statements as there are paths. */
const PATHS = 50
const DOCUMENTS = 200
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number, seed: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed })

async function documents(seed: number): Promise<{ rows: Row[]; relation: Relation }> {
  const rows = sample(deep, DOCUMENTS, seed).map(d => ({ d }))
  return { rows, relation: await db.table(rows, { d: 'JSON' }) }
}

/** Missing and null are the same at the top of a row, and so is a document that became empty of itself. */
const withoutNull = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isIndex = (segment: string): boolean => /^(0|[1-9]\d*)$/.test(segment)
const child = (value: Json | undefined, segment: string): Json | undefined => {
  if (Array.isArray(value)) return isIndex(segment) ? value[Number(segment)] : undefined
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
}

function set(value: Json | undefined, [segment, ...rest]: readonly string[], given: Json): Json {
  if (segment === undefined) return given
  const inner = set(child(value, segment) ?? null, rest, given)
  if (Array.isArray(value) && isIndex(segment)) {
    if (Number(segment) < value.length) return value.with(Number(segment), inner)
    return inner === null ? value : [...value, inner]
  }
  if (isObject(value)) {
    if (inner !== null) return Object.fromEntries([...Object.entries(value), [segment, inner]])
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== segment))
  }
  return inner === null ? (value ?? null) : Object.fromEntries([[segment, inner]])
}

function remove(value: Json, [segment, ...rest]: readonly string[]): Json {
  const inner = segment === undefined ? undefined : child(value, segment)
  if (inner === undefined) return value
  if (Array.isArray(value)) {
    const index = Number(segment)
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, remove(inner, rest))
  }
  if (rest.length === 0)
    return Object.fromEntries(Object.entries(value as Row).filter(([name]) => name !== segment))
  return Object.fromEntries(
    Object.entries(value as Row).map(([name, item]) => [name, name === segment ? remove(item, rest) : item]),
  )
}

function select(value: Json, paths: readonly (readonly string[])[]): Json | undefined {
  if (paths.some(segments => segments.length === 0)) return value
  if (typeof value !== 'object' || value === null) return undefined
  const heads = [...new Set(paths.map(([first]) => first!))]
  const picked = heads.flatMap(head => {
    const inner = child(value, head)
    const below = paths.filter(([first]) => first === head).map(segments => segments.slice(1))
    const kept = inner === undefined ? undefined : select(inner, below)
    return kept === undefined ? [] : [[head, kept] as const]
  })
  if (!Array.isArray(value)) return picked.length > 0 ? Object.fromEntries(picked) : undefined
  const present = picked.filter(([, kept]) => kept !== null)
  if (present.length === 0) return undefined
  const last = Math.max(...heads.filter(isIndex).map(Number))
  const items = new Map(picked.map(([head, kept]) => [Number(head), kept]))
  return value.slice(0, last + 1).map((_, index) => items.get(index) ?? null)
}

test('reading a path equals walking the document', async () => {
  for (const [index, below] of sample(segments, PATHS, 1).entries()) {
    const { rows, relation } = await documents(1000 + index)
    const wanted = path('d', ...below)
    const value = readPath(relation.columns, wanted)
    const column: Column = { name: 'v', id: 'v', type: 'JSON' }
    const text: Column = { name: 't', id: 't', type: 'VARCHAR' }
    const found = await db.rows(
      project(relation, [
        { column, sql: jsonOf(value) },
        { column: text, sql: value.text! },
      ]),
    )
    const expected = rows.map(row => valueAt(row, wanted) ?? null)
    assert.deepEqual(
      found.map(row => row.v ?? null),
      expected,
      JSON.stringify(below),
    )
    const strings = expected.map(value => (typeof value === 'string' ? value : null))
    assert.deepEqual(
      found.map((row, at) => (strings[at] === null ? null : row.t)),
      strings,
    )
  }
})

test('writing into a path equals writing into the document', async () => {
  for (const [index, below] of sample(segments, PATHS, 2).entries()) {
    const { rows, relation } = await documents(2000 + index)
    const given = sample(document, 1, index)[0]!
    const written = writePath(relation, path('d', ...below), given === null ? constant(null) : json(given))
    const expected = rows.map(row => withoutNull({ d: set(row.d, below, given) }))
    assert.deepEqual(await db.rows(written), expected, JSON.stringify(below))
  }
})

test('deleting a path equals deleting from the document', async () => {
  for (const [index, below] of sample(segments, PATHS, 3).entries()) {
    const { rows, relation } = await documents(3000 + index)
    const expected = rows.map(row => withoutNull({ d: remove(row.d!, below) }))
    assert.deepEqual(
      await db.rows(deletePath(relation, path('d', ...below))),
      expected,
      JSON.stringify(below),
    )
  }
})

test('selecting paths keeps just those parts of the document', async () => {
  const lists = sample(fc.array(segments, { minLength: 1, maxLength: 4 }), PATHS, 4)
  for (const [index, paths] of lists.entries()) {
    const { rows, relation } = await documents(4000 + index)
    const expected = rows.map(row => withoutNull({ d: select(row.d!, paths) ?? null }))
    const found = selectPaths(
      relation,
      paths.map(below => path('d', ...below)),
    )
    assert.deepEqual(await db.rows(found), expected, JSON.stringify(paths))
  }
})

const json = (value: Json) => {
  const text = JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `#${item}#` : item))
  return typed(sql`${constant(text.replace(/"#(-?\d+)#"/g, '$1')).sql}::JSON`, 'JSON')
}

test('columns are written in place, added at the end, and win over nesting', async () => {
  const relation = await db.table([{ id: 1, Id: 'x', 'a.b': 2, a: { b: 3 }, n: 5 }])
  const names = (changed: Relation): string[] => changed.columns.map(column => column.name)
  const own = writePath(relation, path('a', 'b'), constant('new'))
  assert.deepEqual(await db.rows(own), [{ id: 1, Id: 'x', 'a.b': 'new', a: { b: 3 }, n: 5 }])
  assert.deepEqual(names(own), ['id', 'Id', 'a.b', 'a', 'n'])
  const inside = writePath(relation, { text: '`a`.b', segments: ['a', 'b'] }, constant(1.5))
  assert.deepEqual(await db.rows(inside), [{ id: 1, Id: 'x', 'a.b': 2, a: { b: 1.5 }, n: 5 }])
  const added = writePath(relation, path('ID'), constant(true))
  assert.deepEqual(await db.rows(added), [{ id: 1, Id: 'x', 'a.b': 2, a: { b: 3 }, n: 5, ID: true }])
  const nested = writePath(relation, path('x', '0', 'y'), constant('z'))
  assert.deepEqual((await db.rows(nested))[0]?.x, { 0: { y: 'z' } })
  const intoNumber = writePath(relation, path('n', 'k'), constant(1))
  assert.deepEqual((await db.rows(intoNumber))[0]?.n, { k: 1 })
  const time = writePath(relation, path('at'), typed(sql`TIMESTAMP '2024-02-03 04:05:06'`, 'TIMESTAMP'))
  assert.deepEqual((await db.rows(time))[0]?.at, '2024-02-03T04:05:06.000Z')
  assert.deepEqual(await db.rows(deletePath(relation, path('Id'))), [{ id: 1, 'a.b': 2, a: { b: 3 }, n: 5 }])
  assert.deepEqual(await db.rows(deletePath(relation, path('n', 'k'))), await db.rows(relation))
})

test('a selection keeps the order it was written in, with stars', async () => {
  const relation = await db.table([{ a: { x: 1, y: 2, z: 3 }, b: 4, c: 5, d: 'text' }])
  const rows = async (...paths: Path[]): Promise<[string[], Row | undefined]> => {
    const selected = selectPaths(relation, paths)
    return [selected.columns.map(column => column.name), (await db.rows(selected))[0]]
  }
  const star = (...segments: string[]): Path => ({
    text: [...segments, '*'].join('.'),
    segments,
    wildcard: true,
  })
  assert.deepEqual(await rows(path('c'), path('a', 'z'), path('b'), path('a', 'x')), [
    ['c', 'a', 'b'],
    { c: 5, a: { z: 3, x: 1 }, b: 4 },
  ])
  assert.deepEqual(await rows(star('a')), [['a'], { a: { x: 1, y: 2, z: 3 } }])
  assert.deepEqual(await rows(path('d'), star(), path('a', 'x')), [
    ['d', 'b', 'c', 'a'],
    { d: 'text', b: 4, c: 5, a: { x: 1 } },
  ])
  assert.deepEqual(await rows(path('a', 'x'), path('a')), [['a'], { a: { x: 1, y: 2, z: 3 } }])
  assert.deepEqual(await rows(path('d', 'below')), [['d'], {}])
})

test('a column that does not exist is an error everywhere, unless told otherwise', async () => {
  const relation = await db.table([{ price: 1 }])
  const wrong = path('prise')
  for (const attempt of [
    () => readPath(relation.columns, wrong),
    () => deletePath(relation, wrong),
    () => selectPaths(relation, [wrong]),
  ])
    assert.throws(attempt, error => error instanceof UnknownColumn && error.suggestion === 'price')
  assert.deepEqual(readPath(relation.columns, wrong, { missing: 'null' }).constant, null)
  assert.equal(deletePath(relation, wrong, { missing: 'null' }), relation)
  assert.deepEqual(selectPaths(relation, [wrong], { missing: 'null' }).columns, [])
})

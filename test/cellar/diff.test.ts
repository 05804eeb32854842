import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { forage } from '../support/service.ts'

const data = await mkdtemp(join(tmpdir(), 'forage-diff-'))
const app = await forage({ data })
after(() => rm(data, { recursive: true, force: true }))

interface Diffed {
  readonly [column: string]: unknown
  readonly _diff: { readonly kind: string; readonly before?: object; readonly id: string }
}

async function diff(rows: readonly object[], flags: string, rest = ''): Promise<Diffed[]> {
  const { json } = await app.query(`seed ${JSON.stringify(rows)} || diff ${flags}${rest}`)
  assert.equal(json.status, 'completed', JSON.stringify(json.error))
  return json.results.map((row: { content: Diffed }) => row.content)
}

const kinds = (rows: readonly Diffed[]) =>
  rows.map(({ _diff: { kind, before }, ...row }) => [kind, row, before])

test('rows are told apart by their key, and the old values are kept', async () => {
  assert.deepEqual(
    kinds(
      await diff(
        [
          { id: 1, p: 5 },
          { id: 2, p: 6 },
          { id: 3, p: 7 },
        ],
        'keyed --key id',
      ),
    ),
    [
      ['added', { id: 1, p: 5 }, undefined],
      ['added', { id: 2, p: 6 }, undefined],
      ['added', { id: 3, p: 7 }, undefined],
    ],
  )
  const next = [
    { id: 4, p: 1 },
    { id: 2, p: 6 },
    { id: 1, p: '9', q: true },
  ]
  assert.deepEqual(kinds(await diff(next, 'keyed --key id --all')), [
    ['added', { id: 4, p: 1 }, undefined],
    ['unchanged', { id: 2, p: 6 }, undefined],
    ['changed', { id: 1, p: '9', q: true }, { p: 5, q: null }],
    ['removed', { id: 3, p: 7 }, undefined],
  ])
  assert.deepEqual(await diff(next, 'keyed --key id'), [])
  assert.deepEqual(kinds(await diff([next[0]!], 'keyed --key id --removed')), [
    ['removed', { id: 2, p: 6 }, undefined],
    ['removed', { id: 1, p: '9', q: true }, undefined],
  ])
  assert.equal((await diff([], 'keyed --key id --removed')).length, 1)
  assert.equal((await diff([{ id: 4, p: 1 }], 'keyed --key id')).length, 1)
})

test('without a key the whole row counts, whatever the order of its columns', async () => {
  await diff([{ a: 1, b: { c: 2 } }, { a: 2 }], 'whole')
  assert.deepEqual(kinds(await diff([{ b: { c: 2 }, a: 1 }, { a: 3 }], 'whole --removed')), [
    ['added', { a: 3 }, undefined],
    ['removed', { a: 2 }, undefined],
  ])
})

test('columns with _ and those that are ignored do not count, parts of them neither', async () => {
  await diff([{ id: 1, seen: 'a', _x: 1, v: { at: 1, n: 1 } }], 'quiet --key id')
  const flags = 'quiet --key id --ignore seen,v.at'
  assert.deepEqual(await diff([{ id: 1, seen: 'b', _x: 2, v: { at: 2, n: 1 } }], flags), [])
  const changed = await diff([{ id: 1, seen: 'c', _x: 3, v: { at: 3, n: 2 } }], flags)
  assert.deepEqual(changed[0]?._diff.before, { v: { n: 1 } })
})

test('a key that comes twice fails the query and moves nothing', async () => {
  await diff([{ id: 1 }], 'twice --key id')
  const repeated = await app.query('seed [{id: 2}, {id: 2}] || diff twice --key id')
  assert.equal(repeated.json.error.code, 'diff_key')
  const whole = await app.query('seed [{id: 2}, {id: 2}] || diff twice')
  assert.equal(whole.json.error.code, 'diff_key')
  assert.deepEqual(await diff([{ id: 1 }], 'twice --key id'), [])
})

test('the baseline moves only when the whole query completes', async () => {
  const query = (end: string) => app.query(`seed [{id: 1}, {id: 2}] || diff whole-query --key id${end}`)
  const failed = await query(' || assert "id < 2"')
  assert.equal(failed.json.status, 'failed')
  const again = await query(' || assert "id < 2" --message "still"')
  assert.equal(again.json.status, 'failed')
  const first = await query('')
  assert.deepEqual(
    first.json.results.map((row: { content: Diffed }) => row.content._diff.kind),
    ['added', 'added'],
  )
  assert.equal((await query('')).json.results.length, 0)
})

test('the same change against the same baseline has the same id, whichever run finds it', async () => {
  const rows = [{ id: 1, p: 1 }]
  const ids = async (end: string) => {
    const label = `seed ${JSON.stringify(rows)} || diff ids --key id --labelStage d || freeze ids-seen${end}`
    await app.query(label)
    const { json } = await app.query('thaw ids-seen')
    return json.results.map((row: { content: Diffed }) => row.content._diff.id)
  }
  const first = await ids(' || assert "id > 1"')
  assert.deepEqual(await ids(''), first)
  rows[0]!.p = 2
  const second = await ids(' || assert "id > 1"')
  assert.deepEqual(await ids(''), second)
  rows[0]!.p = 1
  // Back to what it was: another change, although the rows are those of the first time.
  assert.notDeepEqual(await ids(''), first)
})

test('rows that failed before are left out and keep the baseline where it is', async () => {
  const good = `${app.demo}/api/products/1`
  const bad = 'http://127.0.0.1:1/nothing'
  const query = (urls: readonly string[], columns: string) =>
    app.query(
      `seed ${JSON.stringify(urls.map((url, n) => ({ url, n })))} || api get $url$ --enrich --retry 0 || table ${columns} || diff failures --key n`,
    )
  const failing = await query([good, bad], 'n _error')
  assert.deepEqual([failing.json.status, failing.json.failedRows], ['completed', 1])
  assert.equal(failing.json.results.length, 1)
  assert.match(failing.json.warnings.join(), /baseline failures stays/)
  assert.equal((await query([good], 'n')).json.results.length, 1, 'still new')
  assert.equal((await query([good], 'n')).json.results.length, 0)
})

test('names are of a kind of their own, and survive a restart', async () => {
  await diff([{ id: 1 }], 'own')
  assert.equal((await app.query('thaw own')).json.error.code, 'no_cellar_file')
  await app.stop()
  const next = await forage({ data })
  const { json } = await next.query('seed [{id: 1}, {id: 2}] || diff own')
  assert.deepEqual(
    json.results.map((row: { content: Diffed }) => row.content.id),
    [2],
  )
})

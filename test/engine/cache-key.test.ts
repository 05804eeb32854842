import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commands } from '../../src/commands/index.ts'
import { cacheKeys } from '../../src/engine/cache-key.ts'
import type { Json, Row } from '../../src/language/json.ts'
import { valueAt } from '../../src/language/paths.ts'
import { plan } from '../../src/language/planner.ts'

/** The key of a query's last stage. */
function keyOf(query: string, values: Row = {}): string | null {
  const planned = plan(query, { commands })
  assert.deepEqual(planned.diagnostics, [])
  const keys = cacheKeys(planned.plan!.stages, token => valueAt(values, token.path))
  assert.equal(keys.length, planned.plan!.stages.length)
  return keys.at(-1)!
}

const filter = (condition: string): string => `seed {a: 1} || filter "${condition}"`

test('a key tells queries apart by what decides their rows, not by how they are written', () => {
  const key = keyOf(filter('a == 1 and b == 2'))
  assert.match(key!, /^[0-9a-f]{64}$/)
  assert.equal(keyOf(filter('a ==   1 and (b == 2)')), key)
  const others = [
    'a == 1 or b == 2',
    'b == 2 and a == 1',
    `a == 1 and b == '2'`,
    'a == 1 and b == 2 and c == 3',
  ]
  for (const condition of others) assert.notEqual(keyOf(filter(condition)), key, condition)
  assert.notEqual(keyOf(filter('a in (1, 2) and b in (3)')), keyOf(filter('a in (1) and b in (2, 3)')))
  assert.notEqual(keyOf(filter('a == 9007199254740993')), keyOf(filter('a == 9007199254740992')))
})

test('there is no key from the first stage on that nobody could foresee', () => {
  assert.equal(keyOf(filter('a == now()')), null)
  assert.equal(keyOf('seed {a: "$GUID$"}'), null)
  assert.equal(keyOf('seed {a: 1} --guid true || head 1'), null)
})

test('a condition of very many parts has a key, and every part counts', () => {
  const conditions = Array.from({ length: 20_000 }, (_, n) => `a == ${n}`)
  const key = keyOf(filter(conditions.join(' or ')))
  assert.match(key!, /^[0-9a-f]{64}$/)
  for (const index of [0, 10_000, 19_999])
    assert.notEqual(keyOf(filter(conditions.with(index, 'a == -1').join(' or '))), key)
  assert.equal(keyOf(filter(conditions.with(10_000, 'a == now()').join(' or '))), null)
})

test('all that a value of a template holds counts, whatever its keys are called', () => {
  const key = (row: Json) => keyOf('seed $template.row$', { row })
  const values: Json[] = [
    { span: 1 },
    { span: 2 },
    { kind: 'constant', value: 1 },
    { kind: 'constant', value: 1, more: 2 },
    { source: 'a', span: 1 },
    { source: 'a', span: 2 },
    9007199254740993n,
    '9007199254740993n',
    null,
    'null',
  ]
  assert.equal(new Set(values.map(key)).size, values.length)
  assert.equal(key({ span: 1 }), key({ span: 1 }))
})

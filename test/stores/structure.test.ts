import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'

const root = new URL('../..', import.meta.url)
const stores = globSync('src/stores/*.ts', { cwd: root }).filter(
  file => !['index.ts', 'store.ts'].includes(basename(file)),
)

describe('each file of src/stores', () => {
  it('is a store with a type of its own, a schema and a test', async () => {
    const types = new Set<unknown>()
    for (const file of stores) {
      const store = (await import(new URL(file, root).href)).default
      assert.equal(store?.type, basename(file, '.ts'), `${file} declares its type`)
      assert.equal(store.schema?.type, 'object', `${file} declares its configuration`)
      assert.ok(
        existsSync(new URL(`test/stores/${basename(file, '.ts')}.test.ts`, root)),
        `${file} has a test`,
      )
      types.add(store.type)
    }
    assert.equal(types.size, stores.length)
  })
})

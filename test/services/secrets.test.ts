import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { Fault } from '../../src/fault.ts'
import { Keys } from '../../src/services/secrets/keys.ts'
import { loadMasterKey } from '../../src/services/secrets/master-key.ts'
import { SignInLinks } from '../../src/services/secrets/sign-in-links.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()
let count = 0
const newCatalog = () => openSqliteCatalog({ path: join(folder, `${++count}.sqlite`) })
const all = { offset: 0, limit: 100 }

describe('API keys', () => {
  it('are shown once; the catalog keeps a hash', async () => {
    const catalog = newCatalog()
    const keys = new Keys(catalog)
    const { key, ...record } = await keys.create('ci')
    assert.match(key, /^forage_[\w-]{43}$/)
    assert.ok(key.startsWith(record.prefix))
    assert.deepEqual(await keys.get(record.id), record)
    const stored = JSON.stringify(await catalog.db.selectFrom('api_keys').selectAll().execute())
    assert.ok(!stored.includes(key.slice(record.prefix.length)))
    await catalog.close()
  })

  it('are verified, and their use is noted', async () => {
    const catalog = newCatalog()
    const keys = new Keys(catalog)
    const { key, id } = await keys.create('ci')
    assert.equal((await keys.verify(key))?.id, id)
    assert.match((await keys.get(id))?.lastUsedAt ?? '', /^\d{4}-/)
    for (const wrong of ['', key.slice(0, -1), `${key}x`, key.toUpperCase()])
      assert.equal(await keys.verify(wrong), undefined)
    await catalog.close()
  })

  it('are listed by page and deleted once', async () => {
    const catalog = newCatalog()
    const keys = new Keys(catalog)
    for (const name of ['a', 'b', 'c']) await keys.create(name)
    const { items, total } = await keys.list({ offset: 1, limit: 1 })
    assert.deepEqual([items.length, total], [1, 3])
    const victim = (await keys.list(all)).items[0]!
    assert.equal(await keys.delete(victim.id), true)
    assert.equal(await keys.delete(victim.id), false)
    assert.equal(await keys.get(victim.id), undefined)
    await catalog.close()
  })

  it('given from outside replace the one given before, and nothing else', async () => {
    const catalog = newCatalog()
    const keys = new Keys(catalog)
    const made = await keys.create('FORAGE_API_KEY')
    await keys.adopt('outside-1')
    await keys.adopt('outside-1')
    assert.equal((await keys.list(all)).total, 2)
    await keys.adopt('outside-2')
    assert.equal(await keys.verify('outside-1'), undefined)
    assert.equal((await keys.verify('outside-2'))?.name, 'FORAGE_API_KEY')
    assert.equal((await keys.verify(made.key))?.id, made.id)
    const shown = (await keys.verify('outside-2'))!.prefix
    assert.ok(shown.length <= 'outside-2'.length / 4, 'a short key is not shown')
    await catalog.close()
  })
})

describe('sign-in links', () => {
  it('work once and for 15 minutes', async () => {
    const catalog = newCatalog()
    const links = new SignInLinks(catalog)
    const token = await links.create()
    assert.equal(await links.redeem(`${token}x`), false)
    const both = await Promise.all([links.redeem(token), links.redeem(token)])
    assert.deepEqual(both.sort(), [false, true])
    const late = await links.create()
    assert.equal(await links.redeem(late, new Date(Date.now() + 15 * 60_000)), false)
    assert.equal(await links.redeem(late, new Date(Date.now() + 14 * 60_000)), true)
    assert.equal(await links.hasUsers(), false)
    await catalog.close()
  })
})

describe('the master key', () => {
  const refused = (message: RegExp) => (error: unknown) =>
    error instanceof Fault && error.code === 'master_key' && message.test(error.message)

  it('is made once, in a file for its owner alone', async () => {
    const catalog = newCatalog()
    const file = join(folder, 'made.key')
    const key = await loadMasterKey({ given: undefined, file, catalog })
    assert.equal(key.length, 32)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(await loadMasterKey({ given: undefined, file, catalog }), key)
    assert.deepEqual(await loadMasterKey({ given: key.toString('base64'), file, catalog }), key)
    await catalog.close()
  })

  it('from outside leaves no file', async () => {
    const catalog = newCatalog()
    const file = join(folder, 'never.key')
    const given = 'ab'.repeat(32)
    assert.equal((await loadMasterKey({ given, file, catalog })).toString('hex'), given)
    assert.equal(existsSync(file), false)
    await catalog.close()
  })

  it('is refused when it is another one, gone or damaged, and never shown', async () => {
    const catalog = newCatalog()
    const file = join(folder, 'refused.key')
    await loadMasterKey({ given: undefined, file, catalog })
    const other = 'cd'.repeat(32)
    await assert.rejects(loadMasterKey({ given: other, file, catalog }), (error: Error) => {
      assert.ok(!error.message.includes(other))
      return refused(/not the one that this data folder was made with/)(error)
    })
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, 20))
    await assert.rejects(loadMasterKey({ given: undefined, file, catalog }), refused(/not 32 bytes/))
    rmSync(file)
    await assert.rejects(loadMasterKey({ given: undefined, file, catalog }), refused(/is gone/))
    await catalog.close()
  })
})

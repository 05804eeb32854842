import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Catalog } from '../../src/storage/catalog/catalog.ts'
import { countRows } from '../../src/storage/catalog/count-rows.ts'
import { listPage } from '../../src/storage/catalog/page.ts'

const policy = (id: string, domain = `${id}.example`) => ({
  id,
  name: id,
  domain,
  policy: '{}',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
})

const query = (id: string) => ({
  id,
  query: 'seed [1]',
  mode: 'comprehensive' as const,
  status: 'queued' as const,
  created_at: '2026-01-01T00:00:00.000Z',
  ttl: 60,
})

const stage = (query_id: string, file: string | null = null) => ({
  query_id,
  idx: 0,
  kind: 'source' as const,
  command: 'seed',
  status: 'queued' as const,
  file,
})

/** What any catalog has to do. `reopen` closes it and opens the same one again. */
export function catalogSuite(name: string, open: () => Catalog): void {
  describe(name, () => {
    it('gives back what was written, with the defaults of the table', async () => {
      const catalog = open()
      await catalog.db.insertInto('queries').values(query('q1')).execute()
      const found = await catalog.db.selectFrom('queries').selectAll().executeTakeFirstOrThrow()
      assert.equal(found.query, 'seed [1]')
      assert.equal(found.warnings, '[]')
      assert.equal(found.revision, 1)
      assert.equal(found.started_at, null)
      await catalog.close()
    })

    it('gives pages whose records may fail by themselves, however busy it is', async () => {
      const catalog = open()
      await catalog.db
        .insertInto('policies')
        .values([policy('a'), policy('b')])
        .execute()
      const others: Promise<unknown>[] = []
      const record = async ({ id }: { id: string }) => {
        others.push(catalog.transaction(() => new Promise(setImmediate)))
        throw new Error(`no record of ${id}`)
      }
      const sorted = catalog.db.selectFrom('policies').selectAll().orderBy('id')
      const { items, total } = await listPage(sorted, { offset: 1, limit: 5 }, record)
      await assert.rejects(Promise.all(items), /no record of b/)
      assert.deepEqual([items.length, total], [1, 2])
      await Promise.all(others)
      await catalog.close()
    })

    it('does all of a transaction or nothing', async () => {
      const catalog = open()
      const failing = catalog.transaction(async db => {
        await db.insertInto('policies').values(policy('a')).execute()
        throw new Error('half way')
      })
      await assert.rejects(failing, /half way/)
      assert.equal(await countRows(catalog.db.selectFrom('policies')), 0)
      await catalog.transaction(async db => {
        await db.insertInto('policies').values(policy('a')).execute()
        await db.insertInto('policies').values(policy('b')).execute()
      })
      assert.equal(await countRows(catalog.db.selectFrom('policies')), 2)
      await catalog.close()
    })

    it('runs transactions that overlap one after the other', async () => {
      const catalog = open()
      await catalog.db.insertInto('meta').values({ name: 'n', value: '0' }).execute()
      const increment = () =>
        catalog.transaction(async db => {
          const { value } = await db.selectFrom('meta').select('value').executeTakeFirstOrThrow()
          await new Promise(resolve => setImmediate(resolve))
          await db
            .updateTable('meta')
            .set({ value: String(Number(value) + 1) })
            .execute()
        })
      await Promise.all(Array.from({ length: 20 }, increment))
      const { value } = await catalog.db.selectFrom('meta').select('value').executeTakeFirstOrThrow()
      assert.equal(value, '20')
      await catalog.close()
    })

    it('refuses a statement beside its own transaction instead of waiting for ever', async () => {
      const catalog = open()
      const wrong = catalog.transaction(() => countRows(catalog.db.selectFrom('policies')))
      await assert.rejects(wrong, /has to use the transaction/)
      assert.equal(await countRows(catalog.db.selectFrom('policies')), 0)
      await catalog.close()
    })

    it('keeps names unique and references whole', async () => {
      const catalog = open()
      await catalog.db.insertInto('policies').values(policy('a', 'x.example')).execute()
      await assert.rejects(
        catalog.db.insertInto('policies').values(policy('b', 'x.example')).execute(),
        /unique/i,
      )
      await assert.rejects(catalog.db.insertInto('stages').values(stage('nobody')).execute(), /foreign key/i)
      await catalog.db.insertInto('queries').values(query('q1')).execute()
      await catalog.db.insertInto('files').values({ name: 'f', bytes: 1, created_at: '' }).execute()
      await catalog.db.insertInto('stages').values(stage('q1', 'f')).execute()
      await assert.rejects(catalog.db.deleteFrom('files').execute(), /foreign key/i)
      await catalog.db.deleteFrom('queries').execute()
      assert.equal(await countRows(catalog.db.selectFrom('stages')), 0)
      await catalog.db.deleteFrom('files').execute()
      await catalog.close()
    })

    it('binds values: what looks like SQL is only text', async () => {
      const catalog = open()
      const nasty = `'; drop table policies; -- "\u0000é𝄞`
      await catalog.db
        .insertInto('policies')
        .values({ ...policy('a'), name: nasty })
        .execute()
      const found = await catalog.db.selectFrom('policies').selectAll().where('name', '=', nasty).execute()
      assert.equal(found[0]?.name, nasty)
      await catalog.close()
    })
  })
}

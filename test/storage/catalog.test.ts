import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { FaultCode } from '../../src/fault.ts'
import { Fault } from '../../src/fault.ts'
import { migrations } from '../../src/storage/catalog/migrations.ts'
import { inspectSqliteCatalog, openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { Idempotency } from '../../src/storage/idempotency.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { catalogSuite } from './catalog-suite.ts'

const folder = temporaryFolder()
let files = 0
const newPath = () => join(folder, `${++files}.sqlite`)

catalogSuite('the SQLite catalog', () => openSqliteCatalog({ path: newPath() }))

const faultOf = (code: FaultCode, message: RegExp) => (error: unknown) =>
  error instanceof Fault && error.code === code && message.test(error.message) && error.remedy !== ''

const note = { name: 'note', value: 'kept' }

describe('opening a SQLite catalog', () => {
  it('migrates once, in order, and keeps what is there', async () => {
    const path = newPath()
    const first = openSqliteCatalog({ path })
    await first.db.insertInto('meta').values(note).execute()
    await first.close()
    const again = openSqliteCatalog({ path })
    assert.deepEqual(await again.db.selectFrom('meta').selectAll().execute(), [note])
    await again.close()
    const database = new DatabaseSync(path)
    const applied = database.prepare('select number, name from migrations order by number').all()
    database.close()
    assert.deepEqual(
      applied.map(row => ({ ...row })),
      migrations.map(({ name }, index) => ({ number: index + 1, name })),
    )
  })

  it('copies an older catalog before it migrates it', async () => {
    const path = join(temporaryFolder(), 'catalog.sqlite')
    const old = openSqliteCatalog({ path, migrations: migrations.slice(0, 1) })
    await old.db.insertInto('meta').values(note).execute()
    // Not closed: what is still in the write-ahead log belongs into the copy too.
    const migrated = openSqliteCatalog({ path })
    assert.deepEqual(await migrated.db.selectFrom('queries').selectAll().execute(), [])
    const [copy, ...more] = readdirSync(join(path, '..', 'backups'))
    assert.deepEqual(more, [])
    assert.match(copy!, /^catalog-version-1-/)
    const copied = openSqliteCatalog({
      path: join(path, '..', 'backups', copy!),
      migrations: migrations.slice(0, 1),
    })
    assert.deepEqual(await copied.db.selectFrom('meta').selectAll().execute(), [note])
    for (const catalog of [copied, migrated, old]) await catalog.close()
  })

  it('leaves a catalog as it was when a migration fails', async () => {
    const path = newPath()
    const broken = [...migrations, { name: 'broken', statements: ['create table t (a)', 'not SQL'] }]
    assert.throws(() => openSqliteCatalog({ path, migrations: broken }), /syntax error/)
    const catalog = openSqliteCatalog({ path })
    await catalog.close()
    const database = new DatabaseSync(path)
    assert.equal(database.prepare("select 1 from sqlite_master where name = 't'").get(), undefined)
    database.close()
  })

  it('refuses a newer catalog and does not touch it', async () => {
    const path = newPath()
    const future = [...migrations, { name: 'future', statements: ['create table future (a text)'] }]
    await openSqliteCatalog({ path, migrations: future }).close()
    const before = readFileSync(path)
    assert.throws(() => openSqliteCatalog({ path }), faultOf('newer_version', /newer Forage/))
    assert.throws(() => openSqliteCatalog({ path, as: 'guest' }), faultOf('newer_version', /newer Forage/))
    assert.deepEqual(readFileSync(path), before)
  })

  it('refuses an older catalog to a guest, who may not migrate', async () => {
    const path = newPath()
    await openSqliteCatalog({ path, migrations: migrations.slice(0, 1) }).close()
    assert.throws(() => openSqliteCatalog({ path, as: 'guest' }), faultOf('failure', /older Forage/))
    assert.equal(inspectSqliteCatalog(path).version, 1)
  })

  it('names a damaged catalog and what to do', async () => {
    const text = newPath()
    writeFileSync(
      text,
      'this is a letter, not a database, and it is long enough to have a header of 100 bytes'.repeat(9),
    )
    assert.throws(() => openSqliteCatalog({ path: text }), faultOf('catalog_damaged', /not a database/))

    const whole = newPath()
    const catalog = openSqliteCatalog({ path: whole })
    for (let i = 0; i < 500; i++)
      await catalog.db
        .insertInto('meta')
        .values({ name: `n${i}`, value: 'v'.repeat(200) })
        .execute()
    await catalog.close()
    const holed = newPath()
    const bytes = readFileSync(whole)
    bytes.fill(0xa5, 4096, bytes.length - 4096)
    writeFileSync(holed, bytes)
    assert.throws(() => openSqliteCatalog({ path: holed }), faultOf('catalog_damaged', /is damaged/))
    assert.throws(() => inspectSqliteCatalog(holed), faultOf('catalog_damaged', /is damaged/))

    const truncated = newPath()
    copyFileSync(whole, truncated)
    writeFileSync(truncated, readFileSync(whole).subarray(0, 10_000))
    assert.throws(() => openSqliteCatalog({ path: truncated }), faultOf('catalog_damaged', /is damaged/))
  })

  it('says that a folder is in the way', () => {
    assert.throws(() => openSqliteCatalog({ path: folder }), faultOf('folder_unusable', /cannot be opened/))
  })

  it('waits for the disk at every commit', async () => {
    const path = newPath()
    const catalog = openSqliteCatalog({ path })
    await catalog.db.insertInto('meta').values(note).execute()
    assert.ok(existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0, 'it has a write-ahead log')
    const { rows } = await catalog.db.executeQuery<{ synchronous: number }>({
      sql: 'pragma synchronous',
      parameters: [],
      query: { kind: 'RawNode', sqlFragments: ['pragma synchronous'], parameters: [] },
      queryId: { queryId: 'test' },
    })
    assert.equal(rows[0]?.synchronous, 2)
    await catalog.close()
  })
})

describe('idempotency keys', () => {
  const request = { scope: 'me', key: 'k', request: 'hash' }
  const answer = { status: 201, headers: { location: '/x' }, body: '{"a":1}' }

  it('answers the second time as the first', async () => {
    const catalog = openSqliteCatalog({ path: newPath() })
    const idempotency = new Idempotency(catalog)
    assert.deepEqual(await idempotency.claim(request), { state: 'new' })
    assert.deepEqual(await idempotency.claim(request), { state: 'running' })
    await idempotency.complete(request, answer)
    assert.deepEqual(await idempotency.claim(request), { state: 'done', answer })
    assert.deepEqual(await idempotency.claim({ ...request, request: 'other' }), { state: 'mismatch' })
    assert.deepEqual(await idempotency.claim({ ...request, scope: 'you' }), { state: 'new' })
    await catalog.close()
  })

  it('lets one of many at once through', async () => {
    const catalog = openSqliteCatalog({ path: newPath() })
    const idempotency = new Idempotency(catalog)
    const claims = await Promise.all(Array.from({ length: 10 }, () => idempotency.claim(request)))
    assert.equal(claims.filter(claim => claim.state === 'new').length, 1)
    await catalog.close()
  })

  it('forgets after 24 hours, when abandoned, and what a crash left unfinished', async () => {
    const catalog = openSqliteCatalog({ path: newPath() })
    const idempotency = new Idempotency(catalog)
    await idempotency.claim(request)
    await idempotency.abandon(request)
    assert.equal((await idempotency.claim(request)).state, 'new')
    await idempotency.open()
    assert.equal((await idempotency.claim(request)).state, 'new')
    await idempotency.complete(request, answer)
    await idempotency.abandon(request)
    await idempotency.open()
    assert.equal((await idempotency.claim(request)).state, 'done')
    const tomorrow = new Date(Date.now() + 24 * 3600_000 + 1)
    assert.equal((await idempotency.claim(request, tomorrow)).state, 'new')
    await catalog.close()
  })
})

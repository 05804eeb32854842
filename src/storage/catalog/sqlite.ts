import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { Fault } from '../../fault.ts'
import type { Catalog } from './catalog.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations as allMigrations } from './migrations.ts'
import type { Schema } from './schema.ts'
import { SqliteDialect } from './sqlite-dialect.ts'
import { damaged, sqliteFault } from './sqlite-fault.ts'

export interface SqliteOptions {
  readonly path: string
  /**
   * `owner`: this process owns the data folder and may migrate. `guest`: another one does, and the catalog must already
   * be of our version (how `forage key` works beside a running server).
   */
  readonly as?: 'owner' | 'guest'
  readonly migrations?: readonly Migration[]
}

/** Opens the catalog, checked and migrated; an older one is copied first. */
export function openSqliteCatalog({
  path,
  as = 'owner',
  migrations = allMigrations,
}: SqliteOptions): Catalog {
  const isNew = !existsSync(path)
  const database = guard(path, () => open(path))
  try {
    guard(path, () => {
      if (!isNew) check(database, path)
      if (as === 'owner') migrate(database, path, migrations)
      else requireVersion(database, path, migrations.length)
    })
  } catch (error) {
    database.close()
    throw error
  }
  const dialect = new SqliteDialect(database, path)
  const db = new Kysely<Schema>({ dialect })
  return {
    db,
    transaction: work => db.transaction().execute(trx => dialect.insideTransaction(() => work(trx))),
    async close() {
      await db.destroy()
      database.close()
    },
  }
}

/** Checks a catalog without changing it. Gives the versions: of the catalog, and what this Forage writes. */
export function inspectSqliteCatalog(path: string): { readonly version: number; readonly ours: number } {
  return guard(path, () => {
    const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      check(database, path)
      const version = versionOf(database)
      if (version > allMigrations.length) throw newer(path, version, allMigrations.length)
      return { version, ours: allMigrations.length }
    } finally {
      database.close()
    }
  })
}

function guard<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sqliteFault(error, path)
  }
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true })
  try {
    // FULL: a commit is on the disk before anybody is told of it. In WAL mode NORMAL would lose the last ones with the power.
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 1000')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function check(database: DatabaseSync, path: string): void {
  const [first] = database.prepare('pragma quick_check(1)').all()
  const verdict = String(Object.values(first ?? {})[0])
  if (verdict !== 'ok') throw damaged(path, verdict)
}

function versionOf(database: DatabaseSync): number {
  const table = database.prepare("select 1 from sqlite_master where name = 'migrations'").get()
  if (table === undefined) return 0
  return Number(database.prepare('select max(number) as version from migrations').get()?.version ?? 0)
}

function migrate(database: DatabaseSync, path: string, migrations: readonly Migration[]): void {
  const version = versionOf(database)
  if (version > migrations.length) throw newer(path, version, migrations.length)
  if (version === migrations.length) return
  if (version > 0) copy(database, path, version)
  database.exec(
    'create table if not exists migrations (number integer primary key, name text not null, applied_at text not null)',
  )
  for (const [index, migration] of migrations.entries()) {
    if (index >= version) apply(database, index + 1, migration)
  }
}

function apply(database: DatabaseSync, number: number, migration: Migration): void {
  database.exec('begin immediate')
  try {
    for (const statement of migration.statements) database.exec(statement)
    database
      .prepare('insert into migrations (number, name, applied_at) values (?, ?, ?)')
      .run(number, migration.name, new Date().toISOString())
    database.exec('commit')
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

/** A whole copy, its write-ahead log included, on the disk before the first change. */
function copy(database: DatabaseSync, path: string, version: number): void {
  const folder = join(dirname(path), 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const target = join(folder, `catalog-version-${version}-${stamp}.sqlite`)
  database.prepare('vacuum into ?').run(target)
  for (const written of [target, folder]) {
    const handle = openSync(written, 'r')
    fsyncSync(handle)
    closeSync(handle)
  }
}

function requireVersion(database: DatabaseSync, path: string, ours: number): void {
  const version = versionOf(database)
  if (version > ours) throw newer(path, version, ours)
  if (version < ours)
    throw new Fault(
      'failure',
      `the catalog ${path} is in use by an older Forage (version ${version} of the catalog, this one writes ${ours})`,
      'Stop the running one and start it anew in this version, then try again.',
    )
}

const newer = (path: string, version: number, ours: number) =>
  new Fault(
    'newer_version',
    `the catalog ${path} was written by a newer Forage (version ${version} of the catalog; this one knows ${ours})`,
    'Start that newer version, or put back the copy of the catalog that it made in the folder "backups". Nothing was changed.',
  )

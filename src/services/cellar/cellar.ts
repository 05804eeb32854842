import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Selectable, Transaction } from 'kysely'
import type { CellarAccess, FreezeMode, KeptTable, StageId } from '../../engine/cellar.ts'
import { type Export, type ExportOptions, exportTable } from '../../engine/tables/export.ts'
import { type Page, type PageOptions, readPage, shownColumns } from '../../engine/tables/results.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import { ForageError } from '../../errors.ts'
import type { Column } from '../../sql/relation.ts'
import { unionAll } from '../../sql/union.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import { type Page as FilePage, listPage, type PageRequest } from '../../storage/catalog/page.ts'
import type { CellarFileTable, Schema } from '../../storage/catalog/schema.ts'
import { Baselines } from './baselines.ts'
import { fileRow, keptTable } from './kept-table.ts'

export type CellarFormat = CellarFileTable['format']

export interface CellarFileFacts {
  name: string
  format: CellarFormat
  bytes: number
  rows: number
  columns: { name: string; type: string }[]
  createdAt: string
  updatedAt: string
}

interface NewFile {
  readonly format: CellarFormat
  readonly table: StageFile
  /** How large it was when it came. */
  readonly bytes: number
}

/** Tables that people keep under names. Names are in the catalog; the files have names of ours. */
export class Cellar implements CellarAccess {
  readonly #catalog: Catalog
  readonly #tables: Tables
  readonly #baselines: Baselines
  /** Writes to one name happen one after the other: what an append adds to must not change meanwhile. */
  readonly #writing = new Map<string, Promise<void>>()
  /** Files that are being read at this moment, and by how many. */
  readonly #reading = new Map<string, number>()

  constructor(catalog: Catalog, tables: Tables) {
    this.#catalog = catalog
    this.#tables = tables
    this.#baselines = new Baselines(catalog, tables.folder)
  }

  /** Files that must not be taken away now, by path. */
  get filesInUse(): string[] {
    return [...this.#reading.keys()]
  }

  list(page: PageRequest): Promise<FilePage<CellarFileFacts>> {
    const all = this.#catalog.db.selectFrom('cellar_files').selectAll()
    return listPage(all.orderBy('name'), page, facts)
  }

  async has(name: string): Promise<boolean> {
    return (await this.#row(name)) !== undefined
  }

  /** Puts a new file under a name; one that is there is replaced only when that is asked for. */
  async add(name: string, file: NewFile, replace: boolean): Promise<CellarFileFacts> {
    return this.#alone(name, () =>
      this.#catalog.transaction(async db => {
        if (!replace && (await this.#row(name, db))) throw nameTaken(name)
        return facts(await put(db, name, file))
      }),
    )
  }

  async page(name: string, options: PageOptions): Promise<Page> {
    return this.#read(name, table => readPage(this.#tables.database, table, { ...options, wrapped: true }))
  }

  async export(name: string, mode: 'csv' | 'ndjson', options: ExportOptions): Promise<Export> {
    return this.#read(name, table => exportTable(this.#tables.database, table, mode, options))
  }

  async delete(name: string): Promise<void> {
    const result = await this.#alone(name, () =>
      this.#catalog.db.deleteFrom('cellar_files').where('name', '=', name).executeTakeFirst(),
    )
    if (touched(result) === 0) throw noSuchFile(name)
  }

  async find(name: string): Promise<KeptTable | undefined> {
    const row = await this.#row(name)
    return row && keptTable(this.#tables.folder, row)
  }

  async freeze(
    name: string,
    table: StageFile,
    mode: FreezeMode,
    by: StageId,
    signal: AbortSignal,
  ): Promise<boolean> {
    return this.#alone(name, async () => {
      if (await this.#hasWritten(by)) return false
      const before = mode === 'append' ? await this.find(name) : undefined
      const whole = before ? await this.#appended(before.table, table, signal) : table
      try {
        await this.#catalog.transaction(async db => {
          await put(db, name, { format: 'parquet', table: whole, bytes: whole.bytes })
          await db.insertInto('cellar_writes').values({ query_id: by.queryId, stage: by.stage }).execute()
        })
      } catch (error) {
        if (whole !== table) await rm(whole.file, { force: true })
        throw error
      }
      return whole === table
    })
  }

  baseline(name: string): Promise<KeptTable | undefined> {
    return this.#baselines.find(name)
  }

  prepareBaseline(name: string, table: StageFile, by: StageId): Promise<void> {
    return this.#baselines.prepare(name, table, by)
  }

  /** The end of a query, as a part of the transaction that writes it down: only now does what it saw become the baseline. */
  async settle(queryId: string, completed: boolean, db: Transaction<Schema>): Promise<void> {
    await this.#baselines.settle(queryId, completed, db)
    await db.deleteFrom('cellar_writes').where('query_id', '=', queryId).execute()
  }

  async #hasWritten({ queryId, stage }: StageId): Promise<boolean> {
    const found = await this.#catalog.db
      .selectFrom('cellar_writes')
      .select('stage')
      .where('query_id', '=', queryId)
      .where('stage', '=', stage)
      .executeTakeFirst()
    return found !== undefined
  }

  #appended(before: StageFile, added: StageFile, signal: AbortSignal): Promise<StageFile> {
    const both = unionAll(this.#tables.relation(before), this.#tables.relation(added))
    return this.#tables.materialize(both, signal)
  }

  async #read<T>(name: string, read: (table: StageFile) => Promise<T>): Promise<T> {
    const { table } = (await this.find(name)) ?? missing(name)
    const { file } = table
    this.#reading.set(file, (this.#reading.get(file) ?? 0) + 1)
    try {
      return await read(table)
    } finally {
      const others = this.#reading.get(file)! - 1
      if (others > 0) this.#reading.set(file, others)
      else this.#reading.delete(file)
    }
  }

  #row(name: string, db: Transaction<Schema> | Catalog['db'] = this.#catalog.db) {
    return db.selectFrom('cellar_files').selectAll().where('name', '=', name).executeTakeFirst()
  }

  async #alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#writing.get(name) ?? Promise.resolve()
    const mine = before.then(work)
    const settled = mine.then(
      () => {},
      () => {},
    )
    this.#writing.set(name, settled)
    try {
      return await mine
    } finally {
      if (this.#writing.get(name) === settled) this.#writing.delete(name)
    }
  }
}

/** The new rows under the name, in one step: whoever reads has the old ones or the new ones, whole. */
async function put(
  db: Transaction<Schema>,
  name: string,
  { format, table, bytes }: NewFile,
): Promise<Selectable<CellarFileTable>> {
  const now = new Date().toISOString()
  await db
    .insertInto('files')
    .values(fileRow(table, now))
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const row = {
    format,
    file: basename(table.file),
    columns: JSON.stringify(table.columns),
    rows: table.rows,
    bytes,
    version: randomUUID(),
    updated_at: now,
  }
  return db
    .insertInto('cellar_files')
    .values({ name, created_at: now, ...row })
    .onConflict(conflict => conflict.column('name').doUpdateSet(row))
    .returningAll()
    .executeTakeFirstOrThrow()
}

const facts = (row: Selectable<CellarFileTable>): CellarFileFacts => ({
  name: row.name,
  format: row.format,
  bytes: Number(row.bytes),
  rows: Number(row.rows),
  columns: shownColumns(JSON.parse(row.columns) as Column[]),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const nameTaken = (name: string): ForageError =>
  new ForageError(
    'name_taken',
    `There is a cellar file named ${shown(name)} already. ?replace=true puts this one in its place.`,
  )

const noSuchFile = (name: string): ForageError =>
  new ForageError('not_found', `There is no cellar file named ${shown(name)}.`)

function missing(name: string): never {
  throw noSuchFile(name)
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 79)}…` : name)

import type { Selectable, Transaction } from 'kysely'
import type { Static } from 'typebox'
import { ForageError } from '../../errors.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { ManifestTable, Schema } from '../../storage/catalog/schema.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { CellarManifest } from '../sirp/cellar-records.ts'

export type ManifestRecord = Static<typeof CellarManifest>
export type ManifestType = ManifestRecord['type']

export interface NewManifest {
  readonly name: string
  readonly store: string
  readonly type: ManifestType
  /** `[hash]` or `[hash, stage]` each. */
  readonly screenshots?: readonly (readonly unknown[])[]
  readonly attributesContext?: Record<string, unknown>
}

/** What was delivered where. A manifest keeps the screenshots alive that it names. */
export class Manifests {
  readonly #catalog: Catalog
  readonly #screenshots: Pick<Screenshots, 'keepFor'>

  constructor(catalog: Catalog, screenshots: Pick<Screenshots, 'keepFor'>) {
    this.#catalog = catalog
    this.#screenshots = screenshots
  }

  list(page: PageRequest): Promise<Page<ManifestRecord>> {
    const all = this.#catalog.db.selectFrom('manifests').selectAll()
    return listPage(all.orderBy('name'), page, record)
  }

  async get(name: string): Promise<ManifestRecord> {
    const row = await this.#catalog.db
      .selectFrom('manifests')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst()
    return record(row ?? missing(name))
  }

  add(manifest: NewManifest): Promise<ManifestRecord> {
    return this.#catalog.transaction(db => this.addIn(db, manifest))
  }

  /** As a part of something larger. */
  async addIn(db: Transaction<Schema>, manifest: NewManifest): Promise<ManifestRecord> {
    const { name, store, type, screenshots = [], attributesContext } = manifest
    const added = await db
      .insertInto('manifests')
      .values({
        name,
        store,
        type,
        screenshots: JSON.stringify(screenshots),
        attributes_context: attributesContext ? JSON.stringify(attributesContext) : null,
      })
      .onConflict(conflict => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!added) throw new ForageError('name_taken', `There is a manifest named ${name} already.`)
    await this.#screenshots.keepFor(name, screenshots.map(hashOf), db)
    return record(added)
  }

  async delete(name: string): Promise<void> {
    await this.#catalog.transaction(async db => {
      const result = await db.deleteFrom('manifests').where('name', '=', name).executeTakeFirst()
      if (touched(result) === 0) missing(name)
      await this.#screenshots.keepFor(name, [], db)
    })
  }

  /** A delivery happened now. Its screenshots stay alive. */
  touch(name: string): Promise<ManifestRecord> {
    return this.#catalog.transaction(db => this.touchIn(db, name, { rows: 0, bytes: 0 }))
  }

  /** As a part of something larger. */
  async touchIn(
    db: Transaction<Schema>,
    name: string,
    { rows, bytes }: { readonly rows: number; readonly bytes: number },
  ): Promise<ManifestRecord> {
    const row = await db
      .updateTable('manifests')
      .set(eb => ({
        touched_at: new Date().toISOString(),
        deliveries: eb('deliveries', '+', 1),
        rows: eb('rows', '+', rows),
        bytes: eb('bytes', '+', bytes),
      }))
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst()
    const touchedNow = record(row ?? missing(name))
    await this.#screenshots.keepFor(name, touchedNow.screenshots.map(hashOf), db)
    return touchedNow
  }

  /** Counts an error now. */
  async touchErrors(name: string, message: string | null): Promise<ManifestRecord> {
    const row = await this.#catalog.db
      .updateTable('manifests')
      .set(eb => ({
        error_count: eb('error_count', '+', 1),
        error_at: new Date().toISOString(),
        error_message: message,
      }))
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst()
    return record(row ?? missing(name))
  }
}

const hashOf = (reference: readonly unknown[]): string => String(reference[0])

const record = (row: Selectable<ManifestTable>): ManifestRecord => ({
  name: row.name,
  store: row.store,
  type: row.type as ManifestType,
  screenshots: JSON.parse(row.screenshots) as unknown[][],
  attributesContext: row.attributes_context === null ? null : JSON.parse(row.attributes_context),
  touchedAt: row.touched_at,
  deliveries: Number(row.deliveries),
  rows: Number(row.rows),
  bytes: Number(row.bytes),
  errors: { count: Number(row.error_count), at: row.error_at, message: row.error_message },
})

function missing(name: string): never {
  throw new ForageError('not_found', `There is no manifest named ${name}.`)
}

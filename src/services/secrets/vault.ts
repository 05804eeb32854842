import type { Kysely } from 'kysely'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import { derivedKey, type Place, Seal } from './seal.ts'

/** The catalog, or a transaction on it: what is sealed is written together with the record that it belongs to. */
export type Database = Kysely<Schema>

export const keyVersionName = 'master_key_version'

/** Everything that only the master key opens. */
export class Vault {
  readonly #catalog: Catalog
  readonly #masterKey: Buffer
  readonly #seal: Seal

  static async open(catalog: Catalog, masterKey: Buffer): Promise<Vault> {
    return new Vault(catalog, masterKey, await keyVersion(catalog.db))
  }

  private constructor(catalog: Catalog, masterKey: Buffer, version: number) {
    this.#catalog = catalog
    this.#masterKey = masterKey
    this.#seal = new Seal(masterKey, version)
  }

  /** A key for a purpose that needs one of its own, the same at every start. */
  keyFor(purpose: string): Buffer {
    return derivedKey(this.#masterKey, purpose)
  }

  async put(place: Place, text: string, db: Database = this.#catalog.db): Promise<void> {
    const values = { key_version: this.#seal.version, sealed: this.#seal.seal(place, text) }
    const { type, name } = place
    await db
      .insertInto('vault')
      .values({ type, name, ...values })
      .onConflict(conflict => conflict.columns(['type', 'name']).doUpdateSet(values))
      .execute()
  }

  async get({ type, name }: Place, db: Database = this.#catalog.db): Promise<string | undefined> {
    const found = await db
      .selectFrom('vault')
      .select('sealed')
      .where('type', '=', type)
      .where('name', '=', name)
      .executeTakeFirst()
    return found && this.#seal.open({ type, name }, found.sealed)
  }

  async delete({ type, name }: Place, db: Database = this.#catalog.db): Promise<void> {
    await db.deleteFrom('vault').where('type', '=', type).where('name', '=', name).execute()
  }
}

/** How often the master key was changed, from 1. */
export async function keyVersion(db: Database): Promise<number> {
  const found = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', keyVersionName)
    .executeTakeFirst()
  return Number(found?.value ?? 1)
}

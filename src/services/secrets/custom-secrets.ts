import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { SecretTable } from '../../storage/catalog/schema.ts'
import type { Guard } from './named-texts.ts'
import type { secretTypes } from './records.ts'
import type { Database, Vault } from './vault.ts'

export type SecretType = (typeof secretTypes)[number]

/** What is known of a secret; its value is answered to nobody. */
export interface Secret {
  readonly name: string
  readonly type: SecretType
  readonly providerType: string | null
  readonly metadata: Record<string, unknown> | null
  readonly createdAt: string
  readonly updatedAt: string
}

export interface GivenSecret {
  readonly name: string
  readonly type?: SecretType | undefined
  readonly providerType?: string | undefined
  readonly secret?: string | undefined
  readonly metadata?: Record<string, unknown> | undefined
}

/** Secrets by themselves. Whatever its type says, a secret is never another resource. */
export class CustomSecrets {
  readonly #catalog: Catalog
  readonly #vault: Vault

  constructor(catalog: Catalog, vault: Vault) {
    this.#catalog = catalog
    this.#vault = vault
  }

  list(page: PageRequest): Promise<Page<Secret>> {
    const all = this.#catalog.db.selectFrom('secrets').selectAll()
    return listPage(all.orderBy('name').orderBy('type'), page, record)
  }

  async create({ name, type = 'custom', providerType, secret, metadata }: GivenSecret): Promise<Secret> {
    const now = new Date().toISOString()
    const row = {
      name,
      type,
      provider_type: providerType ?? null,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
      version: randomUUID(),
      created_at: now,
      updated_at: now,
    }
    await this.#catalog.transaction(async db => {
      if (await this.#find(type, name, db))
        throw new ForageError('name_taken', `There is a secret of type ${type} named ${name} already.`)
      await db.insertInto('secrets').values(row).execute()
      if (secret !== undefined) await this.#vault.put(place(type, name), secret, db)
    })
    return record(row)
  }

  /** Of these names of secrets for queries the ones that are there, with their versions. */
  async versions(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map()
    const found = await this.#catalog.db
      .selectFrom('secrets')
      .select(['name', 'version'])
      .where('type', '=', 'custom')
      .where('name', 'in', names)
      .execute()
    return new Map(found.map(({ name, version }) => [name, version]))
  }

  /** The value of a secret for queries. */
  value(name: string): Promise<string | undefined> {
    return this.#vault.get(place('custom', name))
  }

  /** Whether there was one. */
  async delete(type: SecretType, name: string, guard: Guard<Secret>): Promise<boolean> {
    return this.#catalog.transaction(async db => {
      const present = await this.#find(type, name, db)
      if (present === undefined) return false
      guard(record(present))
      await db.deleteFrom('secrets').where('type', '=', type).where('name', '=', name).execute()
      await this.#vault.delete(place(type, name), db)
      return true
    })
  }

  #find(type: SecretType, name: string, db: Database) {
    return db
      .selectFrom('secrets')
      .selectAll()
      .where('type', '=', type)
      .where('name', '=', name)
      .executeTakeFirst()
  }
}

const place = (type: SecretType, name: string) => ({ type: `secret:${type}`, name })

const record = (row: Selectable<SecretTable>): Secret => ({
  name: row.name,
  type: row.type as SecretType,
  providerType: row.provider_type,
  metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

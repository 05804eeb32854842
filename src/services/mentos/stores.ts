import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import type { DeliveryOutcome } from '../../engine/deliveries.ts'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { StoreTable } from '../../storage/catalog/schema.ts'
import { storeKinds } from '../../stores/index.ts'
import type { StoreConfig, StoreType } from '../../stores/store.ts'
import { invalidBody } from '../secrets/mask.ts'
import type { Guard } from '../secrets/named-texts.ts'
import type { StoreRecord } from '../secrets/records.ts'
import type { Database, Vault } from '../secrets/vault.ts'
import { hideSecrets, openMasks, type Secrets, withSecrets } from './store-secrets.ts'

export type Store = Static<typeof StoreRecord>

/** As it is sent and answered. */
export interface GivenStore {
  readonly type: string
  readonly config: {
    readonly store: { readonly name: string }
    readonly configuration: Readonly<Record<string, unknown>>
    readonly processors?: readonly string[]
    readonly credentials?: Readonly<Record<string, unknown>>
  }
}

/** A store as only deliveries get it: its secrets are in it. */
export interface OpenStore {
  readonly name: string
  readonly kind: StoreType
  readonly config: StoreConfig
  readonly processors: readonly string[]
}

/** Says what is wrong with the text of processors, if anything is. */
export type CheckProcessors = (processors: readonly string[]) => string | undefined

const place = (name: string) => ({ type: 'store', name })

/** The stores: what may be shown in the catalog, what may not in the vault, both changed together. */
export class Stores {
  readonly #catalog: Catalog
  readonly #vault: Vault
  readonly #checkProcessors: CheckProcessors

  constructor(catalog: Catalog, vault: Vault, checkProcessors: CheckProcessors) {
    this.#catalog = catalog
    this.#vault = vault
    this.#checkProcessors = checkProcessors
  }

  list(page: PageRequest): Promise<Page<Store>> {
    return listPage(this.#catalog.db.selectFrom('stores').selectAll().orderBy('name'), page, record)
  }

  async names(): Promise<ReadonlySet<string>> {
    const rows = await this.#catalog.db.selectFrom('stores').select('name').execute()
    return new Set(rows.map(({ name }) => name))
  }

  async get(name: string): Promise<Store> {
    return record((await find(name, this.#catalog.db)) ?? missing(name))
  }

  async open(name: string): Promise<OpenStore> {
    return this.#catalog.transaction(async db => {
      const { type, config } = record((await find(name, db)) ?? missing(name)) as unknown as GivenStore
      const credentials = withSecrets(config.credentials ?? {}, await this.#secrets(name, db))
      return {
        name,
        kind: kindOf(type),
        config: { configuration: config.configuration, credentials },
        processors: config.processors ?? [],
      }
    })
  }

  async create(given: GivenStore): Promise<Store> {
    const { name } = given.config.store
    return this.#catalog.transaction(async db => {
      if (await find(name, db))
        throw new ForageError('name_taken', `There is a store named ${name} already. Update that one.`)
      const now = new Date().toISOString()
      const { columns, secrets } = this.#read(given, {})
      const row = await db
        .insertInto('stores')
        .values({ name, ...columns, created_at: now, updated_at: now })
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.#vault.put(place(name), JSON.stringify(secrets), db)
      return record(row)
    })
  }

  async update(name: string, given: GivenStore, guard: Guard<Store>): Promise<Store> {
    if (given.config.store.name !== name)
      throw invalidBody([
        { path: '$.config.store.name', message: 'must be the name in the path: stores are not renamed' },
      ])
    return this.#catalog.transaction(async db => {
      const present = (await find(name, db)) ?? missing(name)
      guard(record(present))
      const kept = present.type === given.type ? await this.#secrets(name, db) : {}
      const { columns, secrets } = this.#read(given, kept)
      const row = await db
        .updateTable('stores')
        .set({ ...columns, updated_at: new Date().toISOString() })
        .where('name', '=', name)
        .returningAll()
        .executeTakeFirstOrThrow()
      await this.#vault.put(place(name), JSON.stringify(secrets), db)
      return record(row)
    })
  }

  async delete(name: string, guard: Guard<Store>): Promise<void> {
    await this.#catalog.transaction(async db => {
      guard(record((await find(name, db)) ?? missing(name)))
      await db.deleteFrom('stores').where('name', '=', name).execute()
      await this.#vault.delete(place(name), db)
    })
  }

  /** A delivery arrived. */
  async delivered(db: Database, name: string, { rows, bytes, refused }: DeliveryOutcome): Promise<void> {
    await db
      .updateTable('stores')
      .set(eb => ({
        deliveries: eb('deliveries', '+', 1),
        rows: eb('rows', '+', rows),
        bytes: eb('bytes', '+', bytes),
        refused: eb('refused', '+', refused),
        success_at: new Date().toISOString(),
      }))
      .where('name', '=', name)
      .execute()
  }

  async failed(name: string, message: string): Promise<void> {
    await this.#catalog.db
      .updateTable('stores')
      .set({ error_at: new Date().toISOString(), error: message })
      .where('name', '=', name)
      .execute()
  }

  /** Checks what the schema cannot say, and takes the secrets out. */
  #read({ type, config }: GivenStore, kept: Secrets) {
    const kind = kindOf(type)
    const { configuration, processors = [] } = config
    const credentials = openMasks(kind, config.credentials ?? {}, kept)
    const wrong = [...(kind.problems?.({ configuration, credentials }) ?? [])]
    const message = processors.length > 0 ? this.#checkProcessors(processors) : undefined
    if (message) wrong.push({ path: '$.config.processors', message })
    if (wrong.length > 0) throw invalidBody(wrong)
    const { shown, secrets } = hideSecrets(kind, credentials)
    const saved = { store: config.store, configuration, processors, credentials: shown }
    return { columns: { type, config: JSON.stringify(saved), version: randomUUID() }, secrets }
  }

  async #secrets(name: string, db: Database): Promise<Secrets> {
    return JSON.parse((await this.#vault.get(place(name), db)) ?? '{}') as Secrets
  }
}

export function kindOf(type: string): StoreType {
  const kind = storeKinds[type]
  if (kind) return kind
  const message = `cannot be ${type} yet: this version has ${Object.keys(storeKinds).join(', ')}`
  throw invalidBody([{ path: '$.type', message }])
}

const find = (name: string, db: Database) =>
  db.selectFrom('stores').selectAll().where('name', '=', name).executeTakeFirst()

function missing(name: string): never {
  throw new ForageError('not_found', `There is no store named ${name}.`)
}

const record = (row: Selectable<StoreTable>): Store => ({
  name: row.name,
  type: row.type as Store['type'],
  config: JSON.parse(row.config) as Store['config'],
  deliveries: Number(row.deliveries),
  rows: Number(row.rows),
  bytes: Number(row.bytes),
  refused: Number(row.refused),
  lastSuccessAt: row.success_at,
  lastError: row.error_at === null ? null : { at: row.error_at, message: row.error ?? '' },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

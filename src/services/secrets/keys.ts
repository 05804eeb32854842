import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { countRows } from '../../storage/catalog/count-rows.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { ApiKeyTable } from '../../storage/catalog/schema.ts'

/** What is known of an API key; the key itself is shown once, when it is made. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** Where the catalog keeps the id of the key that FORAGE_API_KEY gave. */
const givenKey = 'given_api_key'
/** `lastUsedAt` is written at most this often for a key: every write waits for the disk. */
const useInterval = 60_000

export class Keys {
  readonly #catalog: Catalog
  readonly #noted = new Map<string, number>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  async create(name: string): Promise<ApiKey & { readonly key: string }> {
    const key = `forage_${randomBytes(32).toString('base64url')}`
    return { ...(await this.#insert(name, key)), key }
  }

  /** Makes a key from outside valid, in place of the one that was given before. */
  async adopt(key: string): Promise<void> {
    if ((await this.#find(key)) !== undefined) return
    const values = row('FORAGE_API_KEY', key)
    await this.#catalog.transaction(async db => {
      const before = await db
        .selectFrom('meta')
        .select('value')
        .where('name', '=', givenKey)
        .executeTakeFirst()
      if (before !== undefined) await db.deleteFrom('api_keys').where('id', '=', before.value).execute()
      await db.insertInto('api_keys').values(values).execute()
      await db
        .insertInto('meta')
        .values({ name: givenKey, value: values.id })
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value: values.id }))
        .execute()
    })
  }

  /** The key's record if it is one of ours; notes that it was used. */
  async verify(key: string): Promise<ApiKey | undefined> {
    const found = await this.#find(key)
    if (found === undefined) return undefined
    await this.#noteUse(found.id)
    return record(found)
  }

  list(page: PageRequest): Promise<Page<ApiKey>> {
    const all = this.#catalog.db.selectFrom('api_keys').selectAll()
    return listPage(all.orderBy('created_at').orderBy('id'), page, record)
  }

  async get(id: string): Promise<ApiKey | undefined> {
    const found = await this.#catalog.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return found && record(found)
  }

  /** Whether there was one. The last key is not deleted while nobody could sign in without it. */
  async delete(id: string, guard: (present: ApiKey) => void = () => {}): Promise<boolean> {
    const deleted = await this.#catalog.transaction(async db => {
      const found = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
      if (found === undefined) return false
      guard(record(found))
      const keys = await countRows(db.selectFrom('api_keys'))
      if (keys === 1 && (await countRows(db.selectFrom('users'))) === 0)
        throw new ForageError(
          'wrong_state',
          'This is the last API key, and there is no user: make another key or a user first.',
        )
      await db.deleteFrom('api_keys').where('id', '=', id).execute()
      return true
    })
    this.#noted.delete(id)
    return deleted
  }

  async #insert(name: string, key: string): Promise<ApiKey> {
    const values = row(name, key)
    await this.#catalog.db.insertInto('api_keys').values(values).execute()
    return record(values)
  }

  // Asked of the catalog every time: a key that `forage key delete` removed beside the server is void at once.
  #find(key: string): Promise<Selectable<ApiKeyTable> | undefined> {
    return this.#catalog.db
      .selectFrom('api_keys')
      .selectAll()
      .where('hash', '=', hashOf(key))
      .executeTakeFirst()
  }

  async #noteUse(id: string): Promise<void> {
    const now = Date.now()
    if (now - (this.#noted.get(id) ?? 0) < useInterval) return
    this.#noted.set(id, now)
    const last_used_at = new Date(now).toISOString()
    // A full disk must not lock everybody out: the time of use is the least of its worries.
    await this.#catalog.db
      .updateTable('api_keys')
      .set({ last_used_at })
      .where('id', '=', id)
      .execute()
      .catch(() => this.#noted.delete(id))
  }
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

const row = (name: string, key: string): Selectable<ApiKeyTable> => ({
  id: randomUUID(),
  name,
  prefix: prefixOf(key),
  hash: hashOf(key),
  created_at: new Date().toISOString(),
  last_used_at: null,
})

/** Enough to know a key by, too little to guess it: at most a quarter of it. */
const prefixOf = (key: string): string => key.slice(0, Math.min(12, Math.floor(key.length / 4)))

const record = (found: Selectable<ApiKeyTable>): ApiKey => ({
  id: found.id,
  name: found.name,
  prefix: found.prefix,
  createdAt: found.created_at,
  lastUsedAt: found.last_used_at,
})

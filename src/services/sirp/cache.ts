import type { FindCached } from '../../engine/cached-stages.ts'
import type { StageCache } from '../../engine/run-options.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { ActiveQuery } from './active-query.ts'
import { storedTable } from './stored-stages.ts'

/** Results of earlier queries. An entry's life counts from when it was made; reading does not renew it. */
export class ResultCache {
  readonly #catalog: Catalog
  readonly #folder: string
  readonly #ttlSeconds: number

  constructor(catalog: Catalog, folder: string, ttlSeconds: number) {
    this.#catalog = catalog
    this.#folder = folder
    this.#ttlSeconds = ttlSeconds
  }

  /** The cache as one query sees it: what it keeps is saved along with the query itself. */
  for(query: ActiveQuery): StageCache {
    return {
      find: this.find,
      fetchesAnew: query.row.scheduled_id !== null,
      keep: async (key, table, ttlSeconds) => {
        const seconds = ttlSeconds ?? this.#ttlSeconds
        if (seconds > 0) query.keepInCache({ key, table, expiresAt: new Date(Date.now() + seconds * 1000) })
      },
    }
  }

  readonly find: FindCached = async (key, maxAgeSeconds) => {
    const now = Date.now()
    const entry = await this.#catalog.db
      .selectFrom('cache')
      .select(['file', 'columns', 'rows', 'created_at'])
      .where('key', '=', key)
      .where('expires_at', '>', new Date(now).toISOString())
      .executeTakeFirst()
    if (!entry || now - Date.parse(entry.created_at) > (maxAgeSeconds ?? Number.POSITIVE_INFINITY) * 1000)
      return null
    return storedTable(this.#folder, entry) ?? null
  }
}

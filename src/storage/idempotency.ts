import { type Catalog, touched } from './catalog/catalog.ts'

/** What was answered the first time, to be answered again. */
export interface StoredAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Claim =
  /** The first one: do it, then `complete` or `abandon`. */
  | { readonly state: 'new' }
  /** It was done: answer like this. */
  | { readonly state: 'done'; readonly answer: StoredAnswer }
  /** The same request is being worked on at this moment. */
  | { readonly state: 'running' }
  /** The key was used for another request. */
  | { readonly state: 'mismatch' }

export interface Request {
  /** Who asks: the id of the API key, or of the session's user. */
  readonly scope: string
  /** The Idempotency-Key header. */
  readonly key: string
  /** A hash of method, route and body. */
  readonly request: string
}

const lifetime = 24 * 3600_000

/** Answers kept for 24 hours under the client's own key, so that a request sent twice happens once. */
export class Idempotency {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /**
   * Forgets what has expired, and what was being worked on when the process died: whoever asks again gets it done.
   * Called once, before the first request.
   */
  async open(now = new Date()): Promise<void> {
    await this.#catalog.db
      .deleteFrom('idempotency')
      .where(or => or.or([or('status', 'is', null), or('expires_at', '<=', now.toISOString())]))
      .execute()
  }

  async claim({ scope, key, request }: Request, now = new Date()): Promise<Claim> {
    return this.#catalog.transaction(async db => {
      await db.deleteFrom('idempotency').where('expires_at', '<=', now.toISOString()).execute()
      const found = await db
        .selectFrom('idempotency')
        .selectAll()
        .where('scope', '=', scope)
        .where('key', '=', key)
        .executeTakeFirst()
      if (found === undefined) {
        const expires_at = new Date(now.getTime() + lifetime).toISOString()
        await db
          .insertInto('idempotency')
          .values({ scope, key, request, created_at: now.toISOString(), expires_at })
          .execute()
        return { state: 'new' }
      }
      if (found.request !== request) return { state: 'mismatch' }
      if (found.status === null) return { state: 'running' }
      const headers = JSON.parse(found.headers ?? '{}') as Record<string, string>
      return { state: 'done', answer: { status: found.status, headers, body: found.body ?? '' } }
    })
  }

  async complete({ scope, key }: Request, { status, headers, body }: StoredAnswer): Promise<void> {
    const result = await this.#catalog.db
      .updateTable('idempotency')
      .set({ status, headers: JSON.stringify(headers), body })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirst()
    if (touched(result) === 0) throw new Error(`no request was claimed under the idempotency key ${key}`)
  }

  /** It failed in a way that trying again may mend: the key is free for the next attempt. */
  async abandon({ scope, key }: Request): Promise<void> {
    await this.#catalog.db
      .deleteFrom('idempotency')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('status', 'is', null)
      .execute()
  }
}

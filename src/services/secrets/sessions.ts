import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'

export interface Session {
  /** Null after signing in by a link, before there is a user. */
  readonly username: string | null
  /** What state-changing requests have to send along. */
  readonly csrfToken: string
  /** When it ends if nothing is asked of it before. */
  readonly expiresAt: string
}

/** However busy it is, a session ends after this. */
const longestMs = 30 * 24 * 3600_000
/** `seen_at` is written at most this often: every write waits for the disk. */
const noteEveryMs = 60_000

/** Signed-in browsers. Only the hash of a session's token is kept. */
export class Sessions {
  readonly #catalog: Catalog
  readonly #idleMs: number

  constructor(catalog: Catalog, idleMinutes: number) {
    this.#catalog = catalog
    this.#idleMs = idleMinutes * 60_000
  }

  /** Begins a session and gives its token. */
  async create(username: string | null, now = new Date()): Promise<{ token: string; session: Session }> {
    const token = randomBytes(32).toString('base64url')
    const at = now.toISOString()
    await this.#catalog.transaction(async db => {
      await db.deleteFrom('sessions').where('seen_at', '<=', this.#oldestSeen(now)).execute()
      await db.deleteFrom('sessions').where('created_at', '<=', before(now, longestMs)).execute()
      const row = { hash: hashOf(token), username, created_at: at, seen_at: at }
      await db.insertInto('sessions').values(row).execute()
    })
    return { token, session: this.#session(token, username, now) }
  }

  /** The session of a token, if it has not ended; notes that it was used. */
  async find(token: string, now = new Date()): Promise<Session | undefined> {
    const hash = hashOf(token)
    const found = await this.#catalog.db
      .selectFrom('sessions')
      .selectAll()
      .where('hash', '=', hash)
      .where('seen_at', '>', this.#oldestSeen(now))
      .where('created_at', '>', before(now, longestMs))
      .executeTakeFirst()
    if (found === undefined) return undefined
    if (now.getTime() - Date.parse(found.seen_at) >= noteEveryMs) {
      const seen = { seen_at: now.toISOString() }
      await this.#catalog.db.updateTable('sessions').set(seen).where('hash', '=', hash).execute()
    }
    return this.#session(token, found.username, now)
  }

  /** Whether there was one. */
  async end(token: string): Promise<boolean> {
    const result = await this.#catalog.db
      .deleteFrom('sessions')
      .where('hash', '=', hashOf(token))
      .executeTakeFirst()
    return touched(result) > 0
  }

  #oldestSeen(now: Date): string {
    return before(now, this.#idleMs)
  }

  #session(token: string, username: string | null, now: Date): Session {
    const expiresAt = new Date(now.getTime() + this.#idleMs).toISOString()
    return { username, csrfToken: csrfTokenOf(token), expiresAt }
  }
}

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString()

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Made of the token, so that nothing more has to be kept; the token cannot be had from it. */
const csrfTokenOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url')

/** In the same time wherever they differ. */
export function isSameToken(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(a!, b!)
}

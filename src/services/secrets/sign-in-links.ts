import { createHash, randomBytes } from 'node:crypto'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'

const lifetime = 15 * 60_000

/** One-time links into the web application. Only the hash of a link's token is kept. */
export class SignInLinks {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** A token that signs in once within 15 minutes. */
  async create(now = new Date()): Promise<string> {
    const token = randomBytes(32).toString('base64url')
    await this.#catalog.transaction(async db => {
      await db.deleteFrom('sign_in_links').where('expires_at', '<=', now.toISOString()).execute()
      const expires_at = new Date(now.getTime() + lifetime).toISOString()
      await db
        .insertInto('sign_in_links')
        .values({ hash: hashOf(token), expires_at })
        .execute()
    })
    return token
  }

  /** Uses the token up; whether it was good. Two clients with one token: one of them gets in. */
  async redeem(token: string, now = new Date()): Promise<boolean> {
    const result = await this.#catalog.db
      .deleteFrom('sign_in_links')
      .where('hash', '=', hashOf(token))
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirst()
    return touched(result) > 0
  }

  /** Whether anybody can sign in without a link. */
  async hasUsers(): Promise<boolean> {
    const user = await this.#catalog.db.selectFrom('users').select('username').limit(1).executeTakeFirst()
    return user !== undefined
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

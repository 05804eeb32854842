import type { Selectable } from 'kysely'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { countRows } from '../../storage/catalog/count-rows.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { UserTable } from '../../storage/catalog/schema.ts'
import type { Guard } from './named-texts.ts'
import { Passwords } from './passwords.ts'
import { Patience } from './patience.ts'
import type { Database } from './vault.ts'

export interface User {
  readonly username: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface Login {
  readonly username: string
  readonly password: string
}

export class Users {
  readonly #catalog: Catalog
  readonly #passwords = new Passwords()
  readonly #patience: Patience

  constructor(catalog: Catalog, now?: () => number) {
    this.#catalog = catalog
    this.#patience = new Patience(now)
  }

  list(page: PageRequest): Promise<Page<User>> {
    const all = this.#catalog.db.selectFrom('users').selectAll()
    return listPage(all.orderBy('username'), page, record)
  }

  async get(username: string): Promise<User | undefined> {
    const found = await this.#find(username, this.#catalog.db)
    return found && record(found)
  }

  async create({ username, password }: Login): Promise<User> {
    return this.#insert({ username, password }, async db => {
      if (await this.#find(username, db))
        throw new ForageError('name_taken', `There is a user named ${username} already.`)
    })
  }

  /** The user that whoever came by a sign-in link makes; a second one is refused. */
  async createFirst(login: Login): Promise<User> {
    return this.#insert(login, async db => {
      if ((await countRows(db.selectFrom('users'))) > 0)
        throw new ForageError('wrong_state', 'There is a user already. Sign in, and make further ones there.')
    })
  }

  /** Whether this is a user and its password. Both wrong answers take as long and say the same. */
  async verify({ username, password }: Login): Promise<boolean> {
    return this.#passwords.inTurn(async () => {
      this.#patience.check(username)
      const found = await this.#find(username, this.#catalog.db)
      const valid = await this.#passwords.matches(password, found?.password_hash)
      if (valid) this.#patience.succeeded(username)
      else this.#patience.failed(username)
      return valid
    })
  }

  /** Sets a new password and ends the user's sessions; undefined when there is no such user. */
  async update(
    { username, password }: Login,
    oldPassword: string,
    guard: Guard<User>,
  ): Promise<User | undefined> {
    const present = await this.#find(username, this.#catalog.db)
    if (present === undefined) return undefined
    if (!(await this.verify({ username, password: oldPassword })))
      throw new ForageError('forbidden', 'The old password is not right.')
    const password_hash = await this.#passwords.hash(password)
    return this.#catalog.transaction(async db => {
      const now = await this.#find(username, db)
      if (now === undefined) return undefined
      guard(record(now))
      // The old password was checked before this transaction: somebody else may have set another one meanwhile.
      if (now.password_hash !== present.password_hash)
        throw new ForageError('changed_meanwhile', 'The password was changed meanwhile.')
      const values = { password_hash, updated_at: new Date().toISOString() }
      await db.updateTable('users').set(values).where('username', '=', username).execute()
      await db.deleteFrom('sessions').where('username', '=', username).execute()
      return record({ ...now, ...values })
    })
  }

  /** Whether there was one. The last way in is not deleted. */
  async delete(username: string, guard: Guard<User>): Promise<boolean> {
    return this.#catalog.transaction(async db => {
      const present = await this.#find(username, db)
      if (present === undefined) return false
      guard(record(present))
      const users = await countRows(db.selectFrom('users'))
      if (users === 1 && (await countRows(db.selectFrom('api_keys'))) === 0)
        throw new ForageError(
          'wrong_state',
          'Without this user nobody could sign in: there is neither another user nor an API key.',
        )
      await db.deleteFrom('sessions').where('username', '=', username).execute()
      await db.deleteFrom('users').where('username', '=', username).execute()
      return true
    })
  }

  async #insert({ username, password }: Login, allow: (db: Database) => Promise<void>): Promise<User> {
    const password_hash = await this.#passwords.hash(password)
    const now = new Date().toISOString()
    const row = { username, password_hash, created_at: now, updated_at: now }
    await this.#catalog.transaction(async db => {
      await allow(db)
      await db.insertInto('users').values(row).execute()
    })
    return record(row)
  }

  #find(username: string, db: Database) {
    return db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
  }
}

const record = (row: Selectable<UserTable>): User => ({
  username: row.username,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

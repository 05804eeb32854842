import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  type CredentialFields,
  type CredentialTypeName,
  fieldPath,
} from '../../credentials/credential-type.ts'
import { credentialTypes } from '../../credentials/types.ts'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { CredentialTable } from '../../storage/catalog/schema.ts'
import { readHostPattern } from './hosts.ts'
import { invalidBody, masked, unmasked } from './mask.ts'
import type { Guard } from './named-texts.ts'
import type { Database, Vault } from './vault.ts'

/** As it is sent and answered: the name and the hosts, and the fields of its type under the name of the type. */
export interface CredentialConfig {
  readonly credential: { readonly name: string; readonly hosts?: readonly string[] | undefined }
  readonly credentials: Readonly<Partial<Record<CredentialTypeName, CredentialFields>>>
}

export interface GivenCredential {
  readonly type: CredentialTypeName
  readonly config: CredentialConfig
}

/** A credential with its secrets masked. */
export interface Credential extends GivenCredential {
  readonly name: string
  /** Another after every change. */
  readonly version: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** A credential as only requests get it. */
export interface OpenCredential {
  readonly name: string
  readonly type: CredentialTypeName
  readonly version: string
  readonly hosts: readonly string[] | undefined
  readonly fields: CredentialFields
}

const credentialPlace = (name: string) => ({ type: 'credential', name })
export const tokenPlace = (name: string) => ({ type: 'oauth-token', name })

/** The credentials: what may be shown in the catalog, what may not in the vault, both changed together. */
export class Credentials {
  readonly #catalog: Catalog
  readonly #vault: Vault

  constructor(catalog: Catalog, vault: Vault) {
    this.#catalog = catalog
    this.#vault = vault
  }

  list(page: PageRequest): Promise<Page<Credential>> {
    const all = this.#catalog.db.selectFrom('credentials').selectAll()
    return listPage(all.orderBy('name'), page, record)
  }

  async get(name: string): Promise<Credential | undefined> {
    const found = await find(name, this.#catalog.db)
    return found && record(found)
  }

  /** Names, types and versions of these credentials, as far as they are there. */
  async among(names: readonly string[]): Promise<Pick<OpenCredential, 'name' | 'type' | 'version'>[]> {
    if (names.length === 0) return []
    const rows = await this.#catalog.db
      .selectFrom('credentials')
      .select(['name', 'type', 'version'])
      .where('name', 'in', names)
      .execute()
    return rows.map(row => ({ ...row, type: row.type as CredentialTypeName }))
  }

  async open(name: string): Promise<OpenCredential | undefined> {
    return this.#catalog.transaction(async db => {
      const found = await find(name, db)
      if (found === undefined) return undefined
      const { type, version, config } = record(found)
      const fields = { ...config.credentials[type], ...(await this.#secrets(name, db)) }
      return { name, type, version, hosts: config.credential.hosts, fields }
    })
  }

  async create(given: GivenCredential): Promise<Credential> {
    const { name } = given.config.credential
    return this.#catalog.transaction(async db => {
      if (await find(name, db))
        throw new ForageError('name_taken', `There is a credential named ${name} already. Update that one.`)
      const now = new Date().toISOString()
      const { columns, secrets } = readGiven(given, {})
      const row = { name, ...columns, created_at: now, updated_at: now }
      await db.insertInto('credentials').values(row).execute()
      await this.#vault.put(credentialPlace(name), JSON.stringify(secrets), db)
      return record(row)
    })
  }

  /** The credential as it is then; undefined when there is none of that name. A token that was fetched with the old one is dropped. */
  async update(
    name: string,
    given: GivenCredential,
    guard: Guard<Credential>,
  ): Promise<Credential | undefined> {
    if (given.config.credential.name !== name)
      throw invalidBody([
        {
          path: '$.config.credential.name',
          message: 'must be the name in the path: credentials are not renamed',
        },
      ])
    return this.#catalog.transaction(async db => {
      const present = await find(name, db)
      if (present === undefined) return undefined
      guard(record(present))
      const kept = present.type === given.type ? await this.#secrets(name, db) : {}
      const { columns, secrets } = readGiven(given, kept)
      const row = { ...present, ...columns, updated_at: new Date().toISOString() }
      await db.updateTable('credentials').set(row).where('name', '=', name).execute()
      await this.#vault.put(credentialPlace(name), JSON.stringify(secrets), db)
      await this.#dropToken(name, db)
      return record(row)
    })
  }

  /** Whether there was one. */
  async delete(name: string, guard: Guard<Credential>): Promise<boolean> {
    return this.#catalog.transaction(async db => {
      const present = await find(name, db)
      if (present === undefined) return false
      guard(record(present))
      await this.#dropToken(name, db)
      await db.deleteFrom('credentials').where('name', '=', name).execute()
      await this.#vault.delete(credentialPlace(name), db)
      return true
    })
  }

  async #secrets(name: string, db: Database): Promise<Record<string, string>> {
    return JSON.parse((await this.#vault.get(credentialPlace(name), db)) ?? '{}') as Record<string, string>
  }

  async #dropToken(name: string, db: Database): Promise<void> {
    await db.deleteFrom('oauth_tokens').where('credential', '=', name).execute()
    await this.#vault.delete(tokenPlace(name), db)
  }
}

const find = (name: string, db: Database) =>
  db.selectFrom('credentials').selectAll().where('name', '=', name).executeTakeFirst()

/** Checks what the schema cannot say, and takes the secrets out. */
function readGiven({ type, config }: GivenCredential, kept: Readonly<Record<string, string>>) {
  const declared = credentialTypes[type]
  const secretNames = declared.fields.filter(field => field.secret).map(field => field.name)
  const pathOf = (field: string) => fieldPath(type, field)
  const fields = unmasked(config.credentials[type] ?? {}, secretNames, kept, pathOf) as CredentialFields
  const wrong = declared.check?.(fields) ?? []
  if (wrong.length > 0) throw invalidBody(wrong)
  const { shown, secrets } = masked(fields, secretNames)
  const { name, hosts } = config.credential
  const credential = { name, ...(hosts && { hosts: hosts.map(readHost) }) }
  const columns = {
    type,
    config: JSON.stringify({ credential, credentials: { [type]: shown } }),
    version: randomUUID(),
  }
  return { columns, secrets }
}

function readHost(text: string, index: number): string {
  const host = readHostPattern(text)
  if (host !== undefined) return host
  const message =
    'must be a host such as api.b.com, or *.b.com for all below it, without scheme, port or path'
  throw invalidBody([{ path: `$.config.credential.hosts[${index}]`, message }])
}

const record = (row: Selectable<CredentialTable>): Credential => ({
  name: row.name,
  type: row.type as CredentialTypeName,
  config: JSON.parse(row.config) as CredentialConfig,
  version: row.version,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

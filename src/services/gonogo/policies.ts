import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { ForageError } from '../../errors.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { PolicyTable } from '../../storage/catalog/schema.ts'
import { readDomain } from './domains.ts'
import { type GivenLimits, type Limits, readLimits } from './limits.ts'

export interface Policy {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly policy: Limits
  readonly createdAt: string
  readonly updatedAt: string
}
export interface GivenPolicy {
  readonly name: string
  readonly domain: string
  readonly policy: GivenLimits
}

/** The domain policies in the catalog. */
export class Policies {
  readonly #catalog: Catalog
  readonly #onChange: () => Promise<void>

  /** `onChange` is awaited before a change is answered: what was set then holds. */
  constructor(catalog: Catalog, onChange: () => Promise<void>) {
    this.#catalog = catalog
    this.#onChange = onChange
  }

  async all(): Promise<Policy[]> {
    return (await this.#catalog.db.selectFrom('policies').selectAll().execute()).map(record)
  }

  list(page: PageRequest): Promise<Page<Policy>> {
    const all = this.#catalog.db.selectFrom('policies').selectAll()
    return listPage(all.orderBy('created_at').orderBy('id'), page, record)
  }

  async get(id: string): Promise<Policy | undefined> {
    const found = await this.#catalog.db
      .selectFrom('policies')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return found && record(found)
  }

  async create(given: GivenPolicy): Promise<Policy> {
    const now = new Date().toISOString()
    const row = { id: randomUUID(), ...columns(given), created_at: now, updated_at: now }
    await this.#catalog.transaction(async db => {
      const taken = await db
        .selectFrom('policies')
        .select('id')
        .where('domain', '=', row.domain)
        .executeTakeFirst()
      if (taken) throw domainTaken(row.domain)
      await db.insertInto('policies').values(row).execute()
    })
    await this.#onChange()
    return record(row)
  }

  /** The policy as it is now; undefined when there is none of that id. */
  async update(id: string, given: GivenPolicy): Promise<Policy | undefined> {
    const values = { ...columns(given), updated_at: new Date().toISOString() }
    const isThere = await this.#catalog.transaction(async db => {
      const taken = await db
        .selectFrom('policies')
        .select('id')
        .where('domain', '=', values.domain)
        .where('id', '!=', id)
        .executeTakeFirst()
      if (taken) throw domainTaken(values.domain)
      const result = await db.updateTable('policies').set(values).where('id', '=', id).executeTakeFirst()
      return touched(result) > 0
    })
    if (!isThere) return undefined
    await this.#onChange()
    return this.get(id)
  }

  /** Whether there was one. */
  async delete(id: string): Promise<boolean> {
    const result = await this.#catalog.db.deleteFrom('policies').where('id', '=', id).executeTakeFirst()
    if (touched(result) === 0) return false
    await this.#onChange()
    return true
  }
}

function columns({ name, domain, policy }: GivenPolicy) {
  const known = readDomain(domain)
  if (known === undefined) {
    const message = 'must be a host such as a.b.com, a pattern such as *.b.com, or *'
    throw new ForageError('invalid_request', `Not valid in the body: $.domain ${message}`, {
      errors: [{ path: '$.domain', message, in: 'body' }],
    })
  }
  return { name, domain: known, policy: JSON.stringify(readLimits(policy)) }
}

const domainTaken = (domain: string) =>
  new ForageError('name_taken', `There is a policy for ${domain} already. Update that one.`)

const record = (row: Selectable<PolicyTable>): Policy => ({
  id: row.id,
  name: row.name,
  domain: row.domain,
  policy: JSON.parse(row.policy) as Limits,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

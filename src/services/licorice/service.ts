import { createHash, type KeyObject } from 'node:crypto'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { type Service, type ServiceName, serviceNames } from '../service.ts'
import { type License, publicKeyOf, readLicense } from './license.ts'

export interface LicenseStatus {
  readonly service: ServiceName
  readonly licensed: boolean
  readonly plan: string
  /** Null: never. */
  readonly expires: string | null
}

export interface AddedLicense extends Omit<License, 'services'> {
  readonly services: ServiceName[]
  /** Null for the one that is built in. */
  readonly addedAt: string | null
}

/** Covers every service and does not expire. */
const community: AddedLicense = {
  plan: 'community',
  holder: 'everybody',
  services: [...serviceNames],
  expires: null,
  addedAt: null,
}

/** licorice: licenses. Where none covers a service, the built-in community license does. */
export class LicoriceService implements Service {
  readonly name = 'licorice'
  readonly needs = []
  readonly #catalog: Catalog
  readonly #publicKey: KeyObject | undefined
  #licenses: AddedLicense[] = []

  constructor(catalog: Catalog, publicKey: string | undefined) {
    this.#catalog = catalog
    this.#publicKey = publicKey === undefined ? undefined : publicKeyOf(publicKey)
  }

  async start(): Promise<void> {
    await this.#load()
  }

  async stop(): Promise<void> {}

  detail(): string {
    const valid = this.list()
    return valid[0] === community
      ? 'the built-in community license covers every service'
      : `${valid.length} license(s), the first for ${valid[0]!.holder}`
  }

  /** Those that hold at this moment; the community license when none does. */
  list(now = new Date()): AddedLicense[] {
    const valid = this.#licenses.filter(
      ({ expires }) => expires === null || Date.parse(expires) > now.getTime(),
    )
    return valid.length > 0 ? valid : [community]
  }

  statuses(): LicenseStatus[] {
    const valid = this.list()
    return serviceNames.map(service => {
      const { plan, expires } = valid.find(({ services }) => services.includes(service)) ?? community
      return { service, licensed: true, plan, expires }
    })
  }

  async add(text: string): Promise<AddedLicense> {
    const license = readLicense(text, this.#publicKey)
    const id = createHash('sha256').update(text.trim()).digest('hex')
    const added_at = new Date().toISOString()
    await this.#catalog.transaction(async db => {
      const known = await db.selectFrom('licenses').select('id').where('id', '=', id).executeTakeFirst()
      if (known) throw new ForageError('name_taken', 'This license was added already.')
      await db.insertInto('licenses').values({ id, text: text.trim(), added_at }).execute()
    })
    await this.#load()
    return { ...license, services: [...license.services], addedAt: added_at }
  }

  /** What was good when it was added may be of another key by now. */
  async #load(): Promise<void> {
    const rows = await this.#catalog.db.selectFrom('licenses').selectAll().orderBy('added_at').execute()
    this.#licenses = rows.flatMap(({ text, added_at }) => {
      try {
        const license = readLicense(text, this.#publicKey)
        return [{ ...license, services: [...license.services], addedAt: added_at }]
      } catch (error) {
        if (error instanceof ForageError) return []
        throw error
      }
    })
  }
}

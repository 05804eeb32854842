import type { Static } from 'typebox'
import { ForageError } from '../../errors.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { StreamRecord } from './records.ts'

export type Stream = Static<typeof StreamRecord>
export type StreamConfig = Stream['streamConfig']

/** Names for ways to write to a store. */
export class Streams {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  list(page: PageRequest): Promise<Page<Stream>> {
    return listPage(this.#catalog.db.selectFrom('streams').selectAll().orderBy('name'), page, record)
  }

  async get(name: string): Promise<Stream> {
    const all = this.#catalog.db.selectFrom('streams').selectAll()
    return record((await all.where('name', '=', name).executeTakeFirst()) ?? missing(name))
  }

  async create(name: string, config: StreamConfig): Promise<Stream> {
    const added = await this.#catalog.db
      .insertInto('streams')
      .values({ name, config: JSON.stringify(config), created_at: new Date().toISOString() })
      .onConflict(conflict => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!added) throw new ForageError('name_taken', `There is a stream named ${name} already.`)
    return record(added)
  }

  async delete(name: string): Promise<void> {
    const result = await this.#catalog.db.deleteFrom('streams').where('name', '=', name).executeTakeFirst()
    if (touched(result) === 0) missing(name)
  }
}

const record = (row: { name: string; config: string; created_at: string }): Stream => ({
  name: row.name,
  streamConfig: JSON.parse(row.config) as StreamConfig,
  createdAt: row.created_at,
})

function missing(name: string): never {
  throw new ForageError('not_found', `There is no stream named ${name}.`)
}

import type { Selectable } from 'kysely'
import { ForageError } from '../../errors.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { NamedTextTable } from '../../storage/catalog/schema.ts'
import type { Database } from './vault.ts'

export interface NamedText {
  readonly name: string
  readonly value: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** Throws when the record, as it is just before a change, is not what whoever changes it has seen. */
export type Guard<T> = (present: T) => void

/** Texts that people keep under a name: checkpoints, or prompts. */
export class NamedTexts {
  readonly #catalog: Catalog
  readonly #kind: NamedTextTable['kind']

  constructor(catalog: Catalog, kind: NamedTextTable['kind']) {
    this.#catalog = catalog
    this.#kind = kind
  }

  list(page: PageRequest): Promise<Page<NamedText>> {
    const all = this.#catalog.db.selectFrom('named_texts').selectAll().where('kind', '=', this.#kind)
    return listPage(all.orderBy('name'), page, record)
  }

  async get(name: string, db: Database = this.#catalog.db): Promise<NamedText | undefined> {
    const found = await db
      .selectFrom('named_texts')
      .selectAll()
      .where('kind', '=', this.#kind)
      .where('name', '=', name)
      .executeTakeFirst()
    return found && record(found)
  }

  /** Of these names the ones that are there, with their texts. */
  async among(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map()
    const found = await this.#catalog.db
      .selectFrom('named_texts')
      .select(['name', 'value'])
      .where('kind', '=', this.#kind)
      .where('name', 'in', names)
      .execute()
    return new Map(found.map(({ name, value }) => [name, value]))
  }

  async create(name: string, value: string): Promise<NamedText> {
    return this.#catalog.transaction(async db => {
      if (await this.get(name, db))
        throw new ForageError(
          'name_taken',
          `There is a ${this.#kind} named ${name} already. Update that one.`,
        )
      const now = new Date().toISOString()
      const row = { kind: this.#kind, name, value, created_at: now, updated_at: now }
      await db.insertInto('named_texts').values(row).execute()
      return record(row)
    })
  }

  /** The text as it is then; undefined when there is none of that name. */
  async update(name: string, value: string, guard: Guard<NamedText>): Promise<NamedText | undefined> {
    return this.#catalog.transaction(async db => {
      const present = await this.get(name, db)
      if (present === undefined) return undefined
      guard(present)
      const updatedAt = new Date().toISOString()
      await db
        .updateTable('named_texts')
        .set({ value, updated_at: updatedAt })
        .where('kind', '=', this.#kind)
        .where('name', '=', name)
        .execute()
      return { ...present, value, updatedAt }
    })
  }

  /** Writes texts, new and old, as a part of the transaction that they belong to. */
  async save(texts: ReadonlyMap<string, string>, db: Database): Promise<void> {
    const updated_at = new Date().toISOString()
    for (const [name, value] of texts) {
      await db
        .insertInto('named_texts')
        .values({ kind: this.#kind, name, value, created_at: updated_at, updated_at })
        .onConflict(conflict => conflict.columns(['kind', 'name']).doUpdateSet({ value, updated_at }))
        .execute()
    }
  }

  /** Whether there was one. */
  async delete(name: string, guard: Guard<NamedText>): Promise<boolean> {
    return this.#catalog.transaction(async db => {
      const present = await this.get(name, db)
      if (present === undefined) return false
      guard(present)
      const result = await db
        .deleteFrom('named_texts')
        .where('kind', '=', this.#kind)
        .where('name', '=', name)
        .executeTakeFirst()
      return touched(result) > 0
    })
  }
}

const record = (row: Selectable<NamedTextTable>): NamedText => ({
  name: row.name,
  value: row.value,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Transaction } from 'kysely'
import type { KeptTable, StageId } from '../../engine/cellar.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import { fileRow, keptTable } from './kept-table.ts'

/**
 * What `diff` compares with. What a query saw waits beside its record until the query completes, so that a crash in
 * between loses nothing, and becomes the baseline in the very step that completes it.
 */
export class Baselines {
  readonly #catalog: Catalog
  readonly #folder: string

  constructor(catalog: Catalog, folder: string) {
    this.#catalog = catalog
    this.#folder = folder
  }

  async find(name: string): Promise<KeptTable | undefined> {
    const row = await this.#catalog.db
      .selectFrom('baselines')
      .selectAll()
      .where('name', '=', name)
      .executeTakeFirst()
    return row && keptTable(this.#folder, row)
  }

  async prepare(name: string, table: StageFile, { queryId, stage }: StageId): Promise<void> {
    const now = new Date().toISOString()
    const next = {
      name,
      file: basename(table.file),
      columns: JSON.stringify(table.columns),
      rows: table.rows,
    }
    await this.#catalog.transaction(async db => {
      await db
        .insertInto('files')
        .values(fileRow(table, now))
        .onConflict(conflict => conflict.doNothing())
        .execute()
      await db
        .insertInto('next_baselines')
        .values({ query_id: queryId, stage, ...next })
        .onConflict(conflict => conflict.columns(['query_id', 'stage']).doUpdateSet(next))
        .execute()
    })
  }

  async settle(queryId: string, completed: boolean, db: Transaction<Schema>): Promise<void> {
    const waiting = await db
      .deleteFrom('next_baselines')
      .where('query_id', '=', queryId)
      .returningAll()
      .execute()
    if (!completed) return
    for (const { name, file, columns, rows } of waiting) {
      const row = { file, columns, rows, version: randomUUID(), updated_at: new Date().toISOString() }
      await db
        .insertInto('baselines')
        .values({ name, ...row })
        .onConflict(conflict => conflict.column('name').doUpdateSet(row))
        .execute()
    }
  }
}

import type { Selectable, Transaction } from 'kysely'
import { parseJson, type Row } from '../../language/json.ts'
import { type Catalog, touched } from '../../storage/catalog/catalog.ts'
import type { DeliveryTable, Schema } from '../../storage/catalog/schema.ts'
import type { Refused } from './sender.ts'

export type DeliveryRow = Selectable<DeliveryTable>

/** What happened since the book was last written. */
export interface Advance {
  readonly done: number
  readonly bytes: number
  readonly refused: readonly Refused[]
}

const ROWS_AT_ONCE = 500

/** The catalog's book of deliveries: how far each has come, and the rows that were refused on the way. */
export class DeliveryBook {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** The delivery as it stands. One of other rows than before (their number differs) begins anew. */
  async begin(id: string, store: string, name: string | undefined, total: number): Promise<DeliveryRow> {
    return this.#catalog.transaction(async db => {
      const present = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
      if (present && Number(present.total) === total) return present
      if (present) await db.deleteFrom('deliveries').where('id', '=', id).execute()
      const now = new Date().toISOString()
      return db
        .insertInto('deliveries')
        .values({ id, store, name: name ?? null, status: 'running', total, started_at: now, updated_at: now })
        .returningAll()
        .executeTakeFirstOrThrow()
    })
  }

  /** Rows that were taken or refused: both are written down in one step, so neither is lost or counted twice. */
  async advance(id: string, { done, bytes, refused }: Advance): Promise<void> {
    const now = new Date().toISOString()
    await this.#catalog.transaction(async db => {
      for (let at = 0; at < refused.length; at += ROWS_AT_ONCE)
        await db
          .insertInto('dead_letters')
          .values(
            refused.slice(at, at + ROWS_AT_ONCE).map(({ item, code, message }) => ({
              delivery: id,
              number: item.number,
              row: item.text,
              code,
              error: message,
              at: now,
            })),
          )
          .onConflict(conflict => conflict.doNothing())
          .execute()
      await db
        .updateTable('deliveries')
        .set(eb => ({
          done,
          refused: eb('refused', '+', refused.length),
          bytes: eb('bytes', '+', bytes),
          updated_at: now,
        }))
        .where('id', '=', id)
        .execute()
    })
  }

  async end(id: string, status: 'completed' | 'failed', error: string | null): Promise<void> {
    await this.#catalog.db
      .updateTable('deliveries')
      .set({ status, error, updated_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute()
  }

  /** Counts a delivery that arrived, unless it has been: all of `count` happens, or nothing. */
  async countOnce(id: string, count: (db: Transaction<Schema>) => Promise<void>): Promise<void> {
    await this.#catalog.transaction(async db => {
      const first = await db
        .updateTable('deliveries')
        .set({ counted_at: new Date().toISOString() })
        .where('id', '=', id)
        .where('counted_at', 'is', null)
        .executeTakeFirst()
      if (touched(first) > 0) await count(db)
    })
  }

  /** The refused rows of a delivery, each with what was said of it and when. */
  async *deadLetters(id: string): AsyncGenerator<Row> {
    for (let after = -1; ; ) {
      const rows = await this.#catalog.db
        .selectFrom('dead_letters')
        .selectAll()
        .where('delivery', '=', id)
        .where('number', '>', after)
        .orderBy('number')
        .limit(ROWS_AT_ONCE)
        .execute()
      for (const { row, code, error, at, number } of rows)
        yield { row: parseJson(row), number: Number(number), code, error, at, delivery: id }
      if (rows.length < ROWS_AT_ONCE) return
      after = Number(rows.at(-1)!.number)
    }
  }

  /** They lie in the cellar now, under this name. */
  async deadLettersKept(id: string, name: string): Promise<void> {
    await this.#catalog.transaction(async db => {
      await db.deleteFrom('dead_letters').where('delivery', '=', id).execute()
      await db.updateTable('deliveries').set({ dead_letters: name }).where('id', '=', id).execute()
    })
  }

  /** Forgets deliveries that nobody will take up any more. */
  async forget(before: Date): Promise<void> {
    await this.#catalog.db
      .deleteFrom('deliveries')
      .where('updated_at', '<', before.toISOString())
      .where('status', '!=', 'running')
      .execute()
  }
}

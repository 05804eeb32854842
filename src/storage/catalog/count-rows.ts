import type { SelectQueryBuilder } from 'kysely'
import type { Schema } from './schema.ts'

/** How many rows a query has. */
export async function countRows<T extends keyof Schema>(
  query: SelectQueryBuilder<Schema, T, object>,
): Promise<number> {
  const { total } = await query
    .select(db => db.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow()
  // PostgreSQL counts in 64 bits, which come as text.
  return Number(total)
}

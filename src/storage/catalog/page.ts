import type { SelectQueryBuilder } from 'kysely'
import { countRows } from './count-rows.ts'
import type { Schema } from './schema.ts'

export interface PageRequest {
  readonly offset: number
  readonly limit: number
}

export interface Page<T> {
  readonly items: T[]
  /** On all pages together. */
  readonly total: number
}

/** A page of the rows that a query gives in its order, each as its record. */
export async function listPage<T extends keyof Schema, R, I>(
  query: SelectQueryBuilder<Schema, T, R>,
  { offset, limit }: PageRequest,
  record: (row: R) => I,
): Promise<Page<I>> {
  const rows = await query.offset(offset).limit(limit).execute()
  const total = await countRows(query.clearSelect().clearOrderBy())
  // Last: a record may be a promise, and nobody would hear of its failure while the rows are counted.
  return { items: rows.map(row => record(row)), total }
}

import type { Kysely, Transaction } from 'kysely'
import type { Schema } from './schema.ts'

/** What Forage knows: queries, stages, keys, policies. SQLite implements it; a PostgreSQL one can. */
export interface Catalog {
  /** Single statements. Each is durable when its promise resolves. */
  readonly db: Kysely<Schema>
  /** Several statements that happen together or not at all; durable when the promise resolves. */
  transaction<T>(work: (db: Transaction<Schema>) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The number of rows that an update or a delete touched. */
export const touched = (
  result: { readonly numUpdatedRows: bigint } | { readonly numDeletedRows: bigint },
): number => Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows)

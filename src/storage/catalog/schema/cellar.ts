import type { Generated } from 'kysely'
import type { JsonText, Time } from './values.ts'

/** Tables that people keep under a name. */
export interface CellarFileTable {
  name: string
  /** What it was when it came. */
  format: 'json' | 'ndjson' | 'csv' | 'parquet'
  /** Name in `files`: its rows. */
  file: string
  columns: JsonText
  rows: number
  bytes: number
  /** Another with every change: stands in cache keys for the rows. */
  version: string
  created_at: Time
  updated_at: Time
}

/** Stages that have written to the cellar: one that runs again after a crash does not write again. */
export interface CellarWriteTable {
  query_id: string
  stage: string
}

/** What `diff` compares with. */
export interface BaselineTable {
  name: string
  file: string
  columns: JsonText
  rows: number
  version: string
  updated_at: Time
}

/** What a query will leave as baseline if it completes. */
export interface NextBaselineTable {
  query_id: string
  stage: string
  name: string
  file: string
  columns: JsonText
  rows: number
}

export interface ManifestTable {
  name: string
  store: string
  type: string
  /** `[[hash, stage?]]`. */
  screenshots: JsonText
  attributes_context: JsonText | null
  touched_at: Time | null
  deliveries: Generated<number>
  rows: Generated<number>
  bytes: Generated<number>
  error_count: Generated<number>
  error_at: Time | null
  error_message: string | null
}

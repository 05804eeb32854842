import type { Generated } from 'kysely'
import type { JsonText, Time } from './values.ts'

export interface StoreTable {
  name: string
  type: string
  /** As it is shown: secret fields hold the mask. Their values are in the vault. */
  config: JsonText
  version: string
  /** What was delivered to it so far. */
  deliveries: Generated<number>
  rows: Generated<number>
  bytes: Generated<number>
  refused: Generated<number>
  success_at: Time | null
  error_at: Time | null
  error: string | null
  created_at: Time
  updated_at: Time
}

export interface StreamTable {
  name: string
  config: JsonText
  created_at: Time
}

/** How far a delivery has come: it is taken up from there. */
export interface DeliveryTable {
  /** Query and stage, or the write to a stream: what the ids of its rows begin with. */
  id: string
  store: string
  name: string | null
  status: 'running' | 'completed' | 'failed'
  total: number
  /** Rows that were taken or refused, from the first on. */
  done: Generated<number>
  refused: Generated<number>
  bytes: Generated<number>
  error: string | null
  /** The cellar file with the rows that were refused. */
  dead_letters: string | null
  /** When it was counted in its store and manifest, which is done once. */
  counted_at: Time | null
  started_at: Time
  updated_at: Time
}

/** Rows that were refused, until the end of their delivery. */
export interface DeadLetterTable {
  delivery: string
  number: number
  row: JsonText
  code: string
  error: string
  at: Time
}

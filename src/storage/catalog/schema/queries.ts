import type { Generated } from 'kysely'
import type { Flag, JsonText, Time } from './values.ts'

export interface QueryTable {
  id: string
  query: string
  mode: 'comprehensive' | 'turbo'
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired'
  created_at: Time
  started_at: Time | null
  finished_at: Time | null
  rows: number | null
  failed_rows: Generated<number>
  from_cache: Generated<Flag>
  error: JsonText | null
  warnings: Generated<JsonText>
  metadata: JsonText | null
  /** Seconds that results live. */
  ttl: number
  expires_at: Time | null
  /** The longest it may run, in minutes; 0 is the server's limit. */
  minutes: Generated<number>
  cleanup: Generated<Flag>
  summary_wanted: Generated<Flag>
  summary_status: Generated<'none' | 'pending' | 'ready' | 'failed'>
  summary: JsonText | null
  scheduled_id: string | null
  template_id: string | null
  /** What its template was given, as JSON. */
  template_values: JsonText | null
  plan: JsonText | null
  /** How often in a row the process died while this query ran. */
  crashes: Generated<number>
  /** Grows with every change: the record's ETag. */
  revision: Generated<number>
}

export interface StageTable {
  query_id: string
  idx: number
  label: string | null
  kind: 'source' | 'expand' | 'reduce'
  command: string
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'expired'
  rows: number | null
  failed_rows: Generated<number>
  /** `{ total, done, failed, waiting }` of an expand stage. */
  jobs: JsonText | null
  /** `[{ name, type }]`. */
  columns: JsonText | null
  /** Names in `files`: the stage's rows, and the journal they came from. */
  file: string | null
  journal: string | null
  started_at: Time | null
  finished_at: Time | null
  from_cache: Generated<Flag>
  warnings: Generated<JsonText>
}

/** What a stage gave, under a hash of everything that its rows depend on. */
export interface CacheTable {
  key: string
  file: string
  columns: JsonText
  rows: number
  created_at: Time
  expires_at: Time
}

/** Blobs that the catalog knows. One that no stage and no cache entry names may be deleted. */
export interface FileTable {
  name: string
  bytes: number
  created_at: Time
}

export interface TemplateTable {
  id: string
  name: string
  description: string
  query: string
  template_schema: JsonText | null
  created_at: Time
  updated_at: Time
}

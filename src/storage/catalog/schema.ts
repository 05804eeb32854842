/**
 * The tables of the catalog as TypeScript sees them; `migrations.ts` makes them. So that SQLite and PostgreSQL agree:
 * times are ISO 8601 text in UTC, yes and no are 1 and 0, structured values are JSON text.
 */
import type { Generated } from 'kysely'

/** ISO 8601 in UTC, as `Date.toISOString` writes it: sorts as text. */
export type Time = string
/** JSON text; `JSON.parse` gives the value. */
export type JsonText = string
export type Flag = 0 | 1

export interface Schema {
  meta: MetaTable
  api_keys: ApiKeyTable
  sign_in_links: SignInLinkTable
  users: UserTable
  idempotency: IdempotencyTable
  queries: QueryTable
  stages: StageTable
  cache: CacheTable
  policies: PolicyTable
  files: FileTable
  vault: VaultTable
  credentials: CredentialTable
  oauth_tokens: OauthTokenTable
  secrets: SecretTable
  named_texts: NamedTextTable
  sessions: SessionTable
  licenses: LicenseTable
  screenshots: ScreenshotTable
  query_screenshots: QueryScreenshotTable
  manifest_screenshots: ManifestScreenshotTable
  stores: StoreTable
  streams: StreamTable
  deliveries: DeliveryTable
  dead_letters: DeadLetterTable
  schedules: ScheduleTable
  schedule_runs: ScheduleRunTable
  cellar_files: CellarFileTable
  cellar_writes: CellarWriteTable
  baselines: BaselineTable
  next_baselines: NextBaselineTable
  manifests: ManifestTable
  templates: TemplateTable
}

/** Facts about the data folder itself, such as the fingerprint of its master key. */
export interface MetaTable {
  name: string
  value: string
}

export interface ApiKeyTable {
  id: string
  name: string
  /** The first characters of the key, by which its owner knows it again. */
  prefix: string
  /** SHA-256 of the key, in hexadecimal. */
  hash: string
  created_at: Time
  last_used_at: Time | null
}

export interface SignInLinkTable {
  hash: string
  expires_at: Time
}

export interface UserTable {
  username: string
  password_hash: string
  created_at: Time
  updated_at: Time
}

export interface IdempotencyTable {
  /** Whose key it is: two clients may choose the same one. */
  scope: string
  key: string
  /** SHA-256 of method, route and body: the same key with another request is a conflict. */
  request: string
  /** Null while the first request is still running. */
  status: number | null
  headers: JsonText | null
  body: string | null
  created_at: Time
  expires_at: Time
}

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

export interface PolicyTable {
  id: string
  name: string
  domain: string
  /** `{ perSecond, perTenSeconds, perMinute }`, each optional. */
  policy: JsonText
  created_at: Time
  updated_at: Time
}

/** Blobs that the catalog knows. One that no stage and no cache entry names may be deleted. */
export interface FileTable {
  name: string
  bytes: number
  created_at: Time
}

/** Everything that is sealed with the master key. */
export interface VaultTable {
  /** What it is a secret of, and whose: both are bound to the sealed text. */
  type: string
  name: string
  /** Which of the master keys that there have been. */
  key_version: number
  /** Nonce, ciphertext and tag, in base64. */
  sealed: string
}

export interface CredentialTable {
  name: string
  type: string
  /** As it is shown: secret fields hold the mask. Their values are in the vault. */
  config: JsonText
  /** Another with every change: stands in cache keys for the secrets. */
  version: string
  created_at: Time
  updated_at: Time
}

/** What is known of the token in the vault. */
export interface OauthTokenTable {
  credential: string
  /** The version of the credential that it was fetched with. */
  version: string
  obtained_at: Time
  expires_at: Time | null
}

export interface SecretTable {
  type: string
  name: string
  provider_type: string | null
  metadata: JsonText | null
  version: string
  created_at: Time
  updated_at: Time
}

/** Checkpoints and prompts. */
export interface NamedTextTable {
  kind: 'checkpoint' | 'prompt'
  name: string
  value: string
  created_at: Time
  updated_at: Time
}

export interface SessionTable {
  /** SHA-256 of the cookie's token. */
  hash: string
  /** Null after signing in by a link, before there is a user. */
  username: string | null
  created_at: Time
  seen_at: Time
}

export interface LicenseTable {
  id: string
  /** The license file as it came. */
  text: string
  added_at: Time
}

/** The images themselves are blobs of the same name. */
export interface ScreenshotTable {
  /** SHA-256 of the image, in hexadecimal. */
  hash: string
  type: 'png' | 'jpeg' | 'webp'
  width: number
  height: number
  bytes: number
  url: string
  created_at: Time
  /** When the same image was last taken: from then on it lives for a while without anybody referring to it. */
  taken_at: Time
}

export interface QueryScreenshotTable {
  query_id: string
  /** -1 when it was taken outside of a stage. */
  stage: number
  hash: string
  url: string
  at: Time
}

export interface ManifestScreenshotTable {
  manifest: string
  hash: string
}

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

export interface TemplateTable {
  id: string
  name: string
  description: string
  query: string
  template_schema: JsonText | null
  created_at: Time
  updated_at: Time
}

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

export interface ScheduleTable {
  id: string
  query: string
  minutes: number
  cron: string | null
  time_zone: string | null
  overlap: 'skip' | 'queue'
  disable_after: number | null
  enabled: Flag
  /** What `minutes` are counted from: when it was enabled. */
  anchor_at: Time
  next_run: Time | null
  runs: Generated<number>
  /** In a row. */
  failures: Generated<number>
  skipped: Generated<number>
  cleanup: Flag
  summary: Flag
  ttl: number
  metadata: JsonText | null
  created_at: Time
  updated_at: Time
}

export interface ScheduleRunTable {
  /** The id that its query has or will have: booked before it is dispatched. */
  query_id: string
  schedule_id: string
  cause: 'schedule' | 'missed' | 'hand'
  status: 'booked' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped'
  due_at: Time
  booked_at: Time
  started_at: Time | null
  finished_at: Time | null
  error: string | null
}

/**
 * The tables of the catalog as TypeScript sees them; `migrations.ts` makes them. So that SQLite and PostgreSQL agree:
 * times are ISO 8601 text in UTC, yes and no are 1 and 0, structured values are JSON text.
 */
import type {
  ApiKeyTable,
  IdempotencyTable,
  LicenseTable,
  MetaTable,
  SessionTable,
  SignInLinkTable,
  UserTable,
} from './schema/access.ts'
import type {
  BaselineTable,
  CellarFileTable,
  CellarWriteTable,
  ManifestTable,
  NextBaselineTable,
} from './schema/cellar.ts'
import type { DeadLetterTable, DeliveryTable, StoreTable, StreamTable } from './schema/deliveries.ts'
import type { PolicyTable } from './schema/policies.ts'
import type { CacheTable, FileTable, QueryTable, StageTable, TemplateTable } from './schema/queries.ts'
import type { ScheduleRunTable, ScheduleTable } from './schema/schedules.ts'
import type { ManifestScreenshotTable, QueryScreenshotTable, ScreenshotTable } from './schema/screenshots.ts'
import type {
  CredentialTable,
  NamedTextTable,
  OauthTokenTable,
  SecretTable,
  VaultTable,
} from './schema/secrets.ts'

export type * from './schema/access.ts'
export type * from './schema/cellar.ts'
export type * from './schema/deliveries.ts'
export type * from './schema/policies.ts'
export type * from './schema/queries.ts'
export type * from './schema/schedules.ts'
export type * from './schema/screenshots.ts'
export type * from './schema/secrets.ts'

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

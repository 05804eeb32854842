/** The records that the server answers with, by the very schemas that it checks them against. Types only: none of its code is here. */
import type { Static } from 'typebox'
import type * as gonogo from '../../src/services/gonogo/records.ts'
import type * as krull from '../../src/services/krull/records.ts'
import type * as licorice from '../../src/services/licorice/records.ts'
import type * as mentos from '../../src/services/mentos/records.ts'
import type * as services from '../../src/services/records.ts'
import type * as screenshot from '../../src/services/screenshot/records.ts'
import type * as secrets from '../../src/services/secrets/records.ts'
import type * as cellar from '../../src/services/sirp/cellar-records.ts'
import type * as plans from '../../src/services/sirp/plan-records.ts'
import type * as sirp from '../../src/services/sirp/records.ts'
import type * as saved from '../../src/services/sirp/saved-records.ts'
import type * as workers from '../../src/services/workers/records.ts'

export type QueryRecord = Static<typeof sirp.QueryRecord>
export type StageRecord = Static<typeof sirp.StageRecord>
export type CommandRun = Static<typeof sirp.CommandRecord>
export type QueryStatus = Static<typeof sirp.QueryStatusRecord>
export type ResultsPage = Static<typeof sirp.ResultsPage>
export type QuerySummary = Static<typeof sirp.QuerySummary>
export type QueryScreenshots = Static<typeof sirp.QueryScreenshots>

export type Plan = Static<typeof plans.PlanRecord>
export type Decorations = Static<typeof plans.Decorations>
export type ScheduledQuery = Static<typeof saved.ScheduledQuery>
export type ScheduledRun = Static<typeof saved.ScheduledRun>
export type QueryTemplate = Static<typeof saved.QueryTemplate>
export type CellarFile = Static<typeof cellar.CellarFile>
export type CellarManifest = Static<typeof cellar.CellarManifest>
export type Screenshot = Static<typeof screenshot.ScreenshotRecord>

export type ApiKey = Static<typeof secrets.ApiKeyRecord>
export type NewApiKey = Static<typeof secrets.NewApiKey>
export type Credential = Static<typeof secrets.CredentialRecord>
export type OauthToken = Static<typeof secrets.OauthToken>
export type OauthMapping = Static<typeof secrets.OauthMapping>
export type SecretName = Static<typeof secrets.SecretRecord>
export type Store = Static<typeof secrets.StoreRecord>
export type StoreTest = Static<typeof secrets.StoreTest>
export type TypeSchema = Static<typeof secrets.TypeSchema>
export type User = Static<typeof secrets.UserRecord>
export type Stream = Static<typeof mentos.StreamRecord>
export type StreamWrite = Static<typeof mentos.StreamWrite>
export type DomainUse = Static<typeof gonogo.DomainUse>
export type PolicyVerdict = Static<typeof gonogo.PolicyVerdict>
export type DomainPolicy = Static<typeof gonogo.DomainPolicy>
export type ServiceStatus = Static<typeof services.ServiceStatusRecord>
export type LicenseStatus = Static<typeof services.LicenseStatusRecord>
export type License = Static<typeof licorice.LicenseRecord>
export type BrowserSystem = Static<typeof krull.BrowserSystem>
export type Job = Static<typeof workers.JobRecord>
export type Worker = Static<typeof workers.WorkerRecord>

/** A list that is answered whole. */
export interface All<T> {
  readonly items: readonly T[]
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly offset: number
  readonly limit: number
}

export interface Session {
  readonly username: string | null
  readonly csrfToken: string
  readonly hasUsers: boolean
  /** Null where the demo site is off. */
  readonly demoAddress: string | null
}

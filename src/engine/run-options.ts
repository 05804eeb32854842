import type { Command } from '../commands/command.ts'
import type { Plan, Stage } from '../language/plan.ts'
import type { Constant } from './cache-key.ts'
import type { FindCached } from './cached-stages.ts'
import type { CellarAccess } from './cellar.ts'
import type { StageDelivery } from './deliveries.ts'
import type { Expander } from './expand-stage.ts'
import type { JobCounts } from './expansion.ts'
import type { TemplateAccess } from './nested-run.ts'
import type { StageFile } from './tables/stage-file.ts'
import type { Tables } from './tables/tables.ts'

/** What a run tells of a stage as it goes: kept in the stage's record. */
export interface StageChange {
  readonly status?: 'running' | 'completed' | 'failed' | 'cancelled'
  readonly table?: StageFile
  readonly fromCache?: boolean
  readonly jobs?: JobCounts
  /** Where the records of its jobs are from now on. */
  readonly records?: string
}

export interface Warning {
  readonly code: string
  readonly message: string
  readonly stage: number
}

export interface RunObserver {
  stage(index: number, change: StageChange): void
  warn(warning: Warning): void
  /** The outcomes of a stage's jobs are in this file: it must be known before the first of them is. */
  journal(index: number, file: string): Promise<void>
  /** A file of somebody else's that must stay while the query runs. */
  borrow?(file: string): void
}

/** For a run that nobody is told of. */
export const UNOBSERVED: RunObserver = { stage: () => {}, warn: () => {}, journal: async () => {} }

/** Results of stages, under the hash of what decides their rows. */
export interface StageCache {
  readonly find: FindCached
  /** Stages that fetch are answered from it only when they say so themselves. */
  readonly fetchesAnew?: boolean
  keep(key: string, table: StageFile, ttlSeconds: number | undefined): Promise<void>
}

export interface RunOptions {
  readonly id: string
  readonly plan: Plan
  readonly commands: ReadonlyMap<string, Command>
  readonly tables: Tables
  readonly expander: Expander
  readonly cache: StageCache | null
  readonly startedAt: Date
  readonly constant: Constant
  readonly signal: AbortSignal
  readonly observer: RunObserver
  /** Tables of stages that are there already: from before a crash, or of a finished query that is only read. */
  readonly known: ReadonlyMap<number, StageFile>
  /** Whether rows of those stages have failed: what stands on them is not cached either. */
  readonly hasFailedRows?: boolean
  /** Journals of stages that a crash interrupted. */
  readonly journals?: ReadonlyMap<number, string>
  /** Rows that come before the first stage: the results of another query. */
  readonly input?: StageFile | undefined
  /** What the user wrote, where that is more than the text of the plan: the values of a template. */
  readonly written?: string
  readonly cellar?: CellarAccess
  /** Takes the rows of a stage to a store. */
  readonly deliver?: (delivery: StageDelivery) => Promise<void>
  /** Makes a table of what a store has under a name. */
  readonly readStore?: (store: string, name: string | undefined) => Promise<StageFile>
  /** The versions of the cellar files that its stages read, by name. */
  readonly cellarVersions?: ReadonlyMap<string, string>
  readonly templates?: TemplateAccess
  /** The templates that this is a run of, the outermost first. */
  readonly nesting?: readonly string[]
  /** What the ids of its stages begin with, in the place of the query's: of the stage that runs a template. */
  readonly stageId?: string
}

/** What the user wrote of a run. */
export const writtenIn = ({ written, plan }: RunOptions): string => written ?? plan.query

/** The same for the same stage of the same query, however often it is run. */
export const stageIdIn = ({ stageId, id }: RunOptions, { index }: Stage): string =>
  `${stageId ?? id}.${index}`

import type { Command } from '../commands/command.ts'
import type { Row } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import type { Browser } from './browser.ts'
import type { Constant } from './cache-key.ts'
import type { JobRecords } from './job-records.ts'
import { JobRun } from './job-run.ts'
import { JobSecrets } from './job-secrets.ts'
import type { Execute } from './jobs.ts'
import { Requests, type RequestsOptions } from './requests.ts'
import type { SecretAccess } from './secrets.ts'
import type { StageValues } from './stage-values.ts'
import type { Spool } from './tables/spool.ts'
import type { Tables } from './tables/tables.ts'

/** A stage whose jobs are being worked on in this process. */
export interface StageWork {
  readonly queryId: string
  readonly stageId: string
  readonly stage: Stage
  readonly command: Command
  readonly constant: Constant
  readonly startedAt: Date
  /** Hosts that stand in the text of the query: the only ones that may turn out to be local. */
  readonly writtenHosts: ReadonlySet<string>
  readonly warn: (code: string, message: string) => void
  readonly onError: 'keep' | 'skip' | 'fail'
  readonly records: JobRecords
  /** For the rows of a job that come one after another; by the number of its input row. */
  readonly spool: (input: number) => Spool
  /** Undefined, or resolves when the journal is not behind any more with the outcomes it was given. */
  readonly room: () => Promise<void> | undefined
  /** Lets another job be queued while this one waits for a domain. */
  readonly pause: <T>(wait: () => Promise<T>) => Promise<T>
  readonly tables: Tables
}

/** The way out, and who says when. */
export type Network = Pick<RequestsOptions, 'client' | 'limiter'> & {
  readonly access: SecretAccess
  readonly browser: Browser
}

/** Runs the jobs of the stages that have been entered here. */
export class JobExecutor {
  readonly #network: Network
  readonly #stages = new Map<string, StageWork>()

  constructor(network: Network) {
    this.#network = network
  }

  /** Requests of a stage itself, such as one that posts its rows. */
  requests(options: Omit<RequestsOptions, keyof Network>): Requests {
    return new Requests({ ...this.#network, ...options })
  }

  /** The secrets of a stage that sends them itself. */
  openSecrets(stage: Stage, values: StageValues): Promise<JobSecrets> {
    return JobSecrets.open(this.#network.access, stage, values)
  }

  /** The devices that the browser can stand for. */
  devices(): readonly Row[] {
    return this.#network.browser.devices()
  }

  enter(work: StageWork): Disposable {
    this.#stages.set(work.stageId, work)
    return { [Symbol.dispose]: () => this.#stages.delete(work.stageId) }
  }

  readonly execute: Execute = (job, turn, signal) => {
    const work = this.#stages.get(job.stageId)
    if (!work) return Promise.reject(new Error(`stage ${job.stageId} is not worked on here`))
    return new JobRun(work, job, turn, signal, this.#network).outcome()
  }
}

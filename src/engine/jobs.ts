import type { Row } from '../language/json.ts'
import type { JobRecord } from './tables/job-record.ts'
import type { Spool } from './tables/spool.ts'

/** One row of an expanding stage, to be worked on. Plain data, so that another process could do it. */
export interface Job {
  readonly id: string
  readonly queryId: string
  /** The jobs of one stage share their places; nothing else has this id. */
  readonly stageId: string
  readonly stage: number
  /** The number of the input row. */
  readonly index: number
  readonly command: string
  readonly input: Row
  /** How many jobs of its stage may run at once. */
  readonly concurrency: number
}

export interface JobOutcome {
  /** All of them, or where they were written as they came. */
  readonly rows: readonly Row[] | Spool
  readonly record: JobRecord
}

/** A job's place among those that run. It gives the place up while it waits for a domain's turn. */
export interface Turn {
  /** Waits without holding a place; `domain` is what the status shows meanwhile. */
  pause<T>(domain: string, wait: () => Promise<T>): Promise<T>
}

export type Execute = (job: Job, turn: Turn, signal: AbortSignal) => Promise<JobOutcome>

/** Who wants a job done. Told by a call and not by a promise: a stage can have a million jobs, and each would be one. */
export interface JobOwner {
  ended(job: Job, outcome: JobOutcome): void
  failed(job: Job, reason: unknown): void
}

export interface JobView {
  readonly id: string
  readonly queryId: string
  readonly stage: number
  readonly row: number
  readonly command: string
  readonly status: 'queued' | 'running' | 'waiting'
  readonly domain: string | null
  readonly since: string
}

/**
 * Hands jobs to workers, to each stage in turn, so that a long query does not keep a short one waiting. A job that was
 * handed out and not finished is handed out again after a crash, by its owner.
 */
export interface JobQueue {
  /** Tells the owner when a worker has finished with it; that it failed, with what `execute` threw, or at once when it is aborted before a worker has it. */
  run(job: Job, signal: AbortSignal, owner: JobOwner): void
  /**
   * Takes part in the work, so many jobs at once. Ends when disposed of: what runs is finished first; a job that waits
   * for a domain goes on in a place of whoever serves by then.
   */
  serve(execute: Execute, places: number): AsyncDisposable
  /** What is queued, running and waiting, oldest first. */
  list(page: { readonly offset: number; readonly limit: number }): {
    readonly items: readonly JobView[]
    readonly total: number
  }
  readonly counts: { readonly queued: number; readonly running: number; readonly waiting: number }
}

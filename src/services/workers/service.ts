import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import { JobExecutor, type Network } from '../../engine/job-executor.ts'
import type { JobQueue } from '../../engine/jobs.ts'
import type { Service } from '../service.ts'
import type { WorkerRecord } from './records.ts'

export interface WorkersOptions extends Network {
  readonly queue: JobQueue
  /** Jobs at once. */
  readonly places: number
}

/** A restart waits so long for jobs that run; those that are slower finish beside their successors. */
const PATIENCE_MS = 5000

/** workers: they take jobs from the queue and run them. */
export class WorkersService implements Service {
  readonly name = 'workers'
  readonly needs = ['jobs', 'gonogo'] as const
  readonly executor: JobExecutor
  readonly #options: WorkersOptions
  #serving: AsyncDisposable | undefined
  #startedAt = new Date()

  constructor(options: WorkersOptions) {
    this.#options = options
    this.executor = new JobExecutor(options)
  }

  async start(): Promise<void> {
    this.#startedAt = new Date()
    this.#serving = this.#options.queue.serve(this.executor.execute, this.#options.places)
  }

  async stop(): Promise<void> {
    const serving = this.#serving
    this.#serving = undefined
    if (!serving) return
    const impatient = new AbortController()
    await Promise.race([
      serving[Symbol.asyncDispose](),
      sleep(PATIENCE_MS, undefined, { signal: impatient.signal }).catch(() => {}),
    ])
    impatient.abort()
  }

  detail(): string {
    return `${this.#options.queue.counts.running} of ${this.#options.places} places taken`
  }

  /** The workers of this process: one, with many places. */
  list(): Static<typeof WorkerRecord>[] {
    if (!this.#serving) return []
    const { running } = this.#options.queue.counts
    return [{ id: 'local', startedAt: this.#startedAt.toISOString(), running, limit: this.#options.places }]
  }
}

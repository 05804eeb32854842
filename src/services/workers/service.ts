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
    this.executor = new JobExecutor({ client: options.client, limiter: options.limiter })
  }

  async start(): Promise<void> {
    this.#startedAt = new Date()
    this.#serving = this.#options.queue.serve(this.executor.execute, this.#options.places)
  }

  async stop(): Promise<void> {
    await this.#serving?.[Symbol.asyncDispose]()
    this.#serving = undefined
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

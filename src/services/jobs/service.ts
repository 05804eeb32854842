import type { Service } from '../service.ts'
import { MemoryJobQueue } from './memory-queue.ts'

/** jobs: the queue of what expanding stages have to do. */
export class JobsService implements Service {
  readonly name = 'jobs'
  readonly needs = ['gonogo'] as const
  /** Lives as long as the process: a restart of the service must not forget what waits for a worker. */
  readonly queue = new MemoryJobQueue()

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  detail(): string {
    const { queued, running, waiting } = this.queue.counts
    return `${queued} jobs queued, ${running} running, ${waiting} waiting for a domain`
  }
}

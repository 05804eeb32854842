import { MemoryJobQueue } from '../../src/services/jobs/memory-queue.ts'
import { jobQueueSuite } from './queue-suite.ts'

jobQueueSuite('in memory', () => new MemoryJobQueue())

import type { JobsService } from '../../services/jobs/service.ts'
import { JobList, WorkerList } from '../../services/workers/records.ts'
import type { WorkersService } from '../../services/workers/service.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { type Routes, route } from '../route.ts'

export interface WorkRoutesOptions {
  readonly jobs: Pick<JobsService, 'queue'>
  readonly workers: Pick<WorkersService, 'list'>
}

/** What is queued, running, and waiting for a domain, and who works on it. */
export const workRoutes =
  ({ jobs, workers }: WorkRoutesOptions): Routes =>
  app => {
    route(app, 'listJobs', {
      schema: { querystring: PageQuery, response: { 200: JobList } },
      handler: async request => {
        const { items, total } = jobs.queue.list(request.query)
        return pageOf({ items: [...items], total }, request.query)
      },
    })

    route(app, 'listWorkers', {
      schema: { querystring: PageQuery, response: { 200: WorkerList } },
      handler: async request => {
        const { offset, limit } = request.query
        const items = workers.list()
        return pageOf({ items: items.slice(offset, offset + limit), total: items.length }, request.query)
      },
    })
  }

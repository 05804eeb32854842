import type { ServiceStatus } from '../api/types.ts'

/** What each service is there for. */
export const purposes: Readonly<Record<ServiceStatus['service'], string>> = {
  gonogo: 'how often a domain may be asked',
  sirp: 'queries, templates and the cellar',
  secrets: 'keys, users, credentials',
  licorice: 'licenses',
  workers: 'run what is queued',
  jobs: 'the queue',
  mentos: 'deliveries to stores',
  screenshot: 'pictures of pages',
  krull: 'the browser',
  almanac: 'schedules',
}

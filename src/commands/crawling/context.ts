import type { ExpandContext } from '../command.ts'

/** What a crawl needs of the job's context. */
export type CrawlContext = Pick<ExpandContext<unknown>, 'send' | 'fetch' | 'warn' | 'queryId'>

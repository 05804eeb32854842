import type { PageAnswer, PageBody, PageOperation, PagePart } from '../commands/browsing/browser.ts'
import type { Row } from '../language/json.ts'

export interface PageJob {
  readonly signal: AbortSignal
  /** The address came in an answer: it may not be one of this machine or its network. */
  readonly fromData: boolean
  readonly retry: number | undefined
  readonly timeoutMs: number | undefined
}

/** The browser as the engine needs it; krull is one. */
export interface Browser {
  /** Opens a page whose turn with its domain has come. */
  run(operation: PageOperation, body: PageBody, job: PageJob): Promise<PageAnswer>
  /**
   * The elements of such a page, some at a time; the next are read when those have been taken. A page that is lost when
   * some were handed on is `PageInterrupted`. Resolves with how often it was tried.
   */
  open(body: PageBody, job: PageJob, take: (part: PagePart) => Promise<void>): Promise<number>
  /** A stage of a query took this screenshot: it lives as long as the query. */
  tie(hash: string, queryId: string, stage: number, url: string): Promise<void>
  devices(): readonly Row[]
}

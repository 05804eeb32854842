import type { Json, Row } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'

/** The browser as a job sees it: each page is opened under the domain policy, and what it took is tied to the query. */
export interface JobBrowser {
  /** Throws the failure of the row: `no_match`, `timeout`, `page_unreachable` and so on. */
  run(operation: PageOperation, body: PageBody): Promise<PageAnswer>
  /** The elements of a page, some at a time: there may be more than should be held at once. */
  open(body: PageBody): AsyncIterable<PagePart>
}

export type PageOperation = 'evaluate' | 'requests' | 'screenshot' | 'form' | 'session'

/** Some of the elements of a page, with what is said of the page with all of them. */
export interface PagePart
  extends Pick<
    PageAnswer,
    'url' | 'result' | 'screenshot' | 'cookieStorage' | 'localStorage' | 'sessionStorage'
  > {
  readonly elements: readonly Row[]
}

/** The page was lost when some of its elements had been handed on already. What came of them is void: begin again. */
export class PageInterrupted extends CommandFailure {
  constructor() {
    super('page_unreachable', 'The page was lost while its elements were read.')
  }
}

/** The options as the interface names them; the browser checks them. What was not given is not there. */
export type PageBody = { readonly url: string } & { readonly [option: string]: unknown }

/** Something to do to a page before it is looked at. */
export type PageAction =
  | { readonly kind: 'click'; readonly selector: string }
  | { readonly kind: 'scroll'; readonly by: number | 'end' }

export interface PageAnswer {
  /** Where the page was in the end. */
  readonly url: string
  readonly status: number | null
  readonly title: string | null
  readonly result?: Json
  readonly requests?: readonly PageRequest[]
  /** A document that the browser cannot show, such as a PDF. */
  readonly body?: { readonly type: string }
  readonly screenshot?: Picture
  readonly cookieStorage?: Row
  readonly localStorage?: Row
  readonly sessionStorage?: Row
  readonly attempts: number
}

export interface Picture {
  readonly hash: string
  readonly type: string
  readonly width: number
  readonly height: number
  readonly bytes: number
  /** What a limit made different from what was asked for. */
  readonly note?: string
}

/** A request that a page made. */
export interface PageRequest {
  readonly url: string
  readonly method: string
  readonly type: string
  readonly external: boolean
  readonly initiator: Row
  readonly requestHeaders: Row
  readonly requestBody: string | null
  readonly status: number | null
  readonly mimeType: string | null
  readonly responseHeaders: Row | null
  readonly bytes: number | null
  readonly startMs: number
  readonly waitMs: number | null
  readonly durationMs: number | null
  readonly failed: string | null
  readonly fromCache: boolean
  readonly responseText?: string | null
}

import type { Json, Row } from '../../language/json.ts'

/** The browser as a job sees it: each page is opened under the domain policy, and what it took is tied to the query. */
export interface JobBrowser {
  /** Throws the failure of the row: `no_match`, `timeout`, `page_unreachable` and so on. */
  run(operation: PageOperation, body: PageBody): Promise<PageAnswer>
}

export type PageOperation = 'open' | 'evaluate' | 'requests' | 'screenshot' | 'form' | 'session'

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
  readonly elements?: readonly Row[]
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

import type { JobRequest } from '../command.ts'
import { decodeText } from '../http/charset.ts'
import type { CrawlContext } from './context.ts'
import { type Page, readPage, saysNofollow } from './page.ts'

/** What came from an address. */
export interface FetchedPage {
  readonly status: number
  /** Its media type, without parameters. */
  readonly type: string | undefined
  /** Where it redirects to. */
  readonly location: string | undefined
  readonly html: string | undefined
  readonly page: Page | undefined
  readonly nofollow: boolean
  /** What it has is of the page that it redirects to: the browser follows by itself. */
  readonly hasArrived?: boolean
}

export type ReadPage = (request: PageRequest) => Promise<FetchedPage>

export interface PageRequest {
  readonly url: URL
  readonly fromData: boolean
  readonly maxBytes: number
  readonly authorization?: string
}

const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** The body is read only of HTML: what else a site links to may be as large as it likes. */
export async function fetchPage(
  { url, fromData, maxBytes, authorization }: PageRequest,
  context: CrawlContext,
): Promise<FetchedPage> {
  const headers = { accept: ACCEPT, ...(authorization !== undefined && { authorization }) }
  const request: JobRequest = { url, fromData, maxBytes, redirects: 0, headers }
  const response = await context.send(request)
  const contentType = response.header('content-type')
  const type = contentType?.split(';')[0]?.trim().toLowerCase() || undefined
  const location = REDIRECTS.has(response.status) ? response.header('location') : undefined
  const about = { status: response.status, type, location: location || undefined }
  if (about.location !== undefined || !(type === 'text/html' || type === 'application/xhtml+xml')) {
    response.discard()
    return { ...about, html: undefined, page: undefined, nofollow: false }
  }
  // A body that breaks off is asked for once more, this time as a whole.
  const bytes = await response.bytes().catch(async () => (await context.fetch(request)).bytes)
  const html = decodeText(bytes, contentType)
  const page = readPage(html, url)
  return {
    ...about,
    html,
    page,
    nofollow: page.nofollow || saysNofollow(response.header('x-robots-tag') ?? ''),
  }
}

import type { Row } from '../../language/json.ts'
import type { JobBrowser, PageBody } from '../browsing/browser.ts'
import { canonicalAddress } from './address.ts'
import type { FetchedPage, PageRequest } from './fetched-page.ts'
import { readPage } from './page.ts'

const EXPRESSION = '() => ({ type: document.contentType, html: document.documentElement.outerHTML })'
/** What a page that came from a cache or another frame does not say. */
const UNSAID_STATUS = 200

/** A page as the browser shows it. */
export async function renderPage(
  { url, authorization }: PageRequest,
  body: PageBody,
  browser: JobBrowser,
): Promise<FetchedPage> {
  const headers = authorization === undefined ? undefined : { authorization }
  const answer = await browser.run('evaluate', {
    ...body,
    ...(headers && { headers }),
    expression: EXPRESSION,
  })
  const { type, html } = answer.result as Row & { readonly type: string; readonly html: string }
  const arrivedAt = canonicalAddress(answer.url) ?? url
  const hasArrived = arrivedAt.href !== url.href
  const about = {
    status: answer.status ?? UNSAID_STATUS,
    type: answer.body?.type ?? type,
    location: hasArrived ? arrivedAt.href : undefined,
    hasArrived,
  }
  if (answer.body !== undefined || !(type === 'text/html' || type === 'application/xhtml+xml'))
    return { ...about, html: undefined, page: undefined, nofollow: false }
  const page = readPage(html, arrivedAt)
  return { ...about, html, page, nofollow: page.nofollow }
}

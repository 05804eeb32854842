import type { JobBrowser, PageAnswer, PageBody, PageOperation } from '../commands/browsing/browser.ts'
import { readUrl } from '../network/redirect.ts'
import type { Browser } from './browser.ts'
import type { Requests } from './requests.ts'

export interface JobPagesOptions {
  readonly browser: Browser
  /** Those of the same job: pages wait for their turn and are counted with them. */
  readonly requests: Requests
  readonly queryId: string
  readonly stage: number
  readonly signal: AbortSignal
  readonly retry: number | undefined
  readonly timeoutSeconds: number | undefined
  readonly warn: (code: string, message: string) => void
}

/** The pages of one job. */
export class JobPages implements JobBrowser {
  readonly #options: JobPagesOptions

  constructor(options: JobPagesOptions) {
    this.#options = options
  }

  async run(operation: PageOperation, body: PageBody): Promise<PageAnswer> {
    const { browser, requests, signal, retry, timeoutSeconds } = this.#options
    const url = readUrl(body.url)
    await requests.book(url)
    const answer = await browser.run(operation, body, {
      signal,
      fromData: requests.isFromData(url),
      retry,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    })
    requests.count(answer.attempts - 1)
    await this.#tie(answer)
    return answer
  }

  async #tie({ screenshot, url }: PageAnswer): Promise<void> {
    if (screenshot === undefined) return
    const { browser, queryId, stage, warn } = this.#options
    await browser.tie(screenshot.hash, queryId, stage, url)
    if (screenshot.note !== undefined) warn('screenshot', `A screenshot is ${screenshot.note}.`)
  }
}

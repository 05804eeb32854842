import type {
  JobBrowser,
  PageAnswer,
  PageBody,
  PageOperation,
  PagePart,
} from '../commands/browsing/browser.ts'
import { readUrl } from '../network/redirect.ts'
import type { Browser, PageJob } from './browser.ts'
import { Handoff } from './handoff.ts'
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
    const { browser, requests, signal } = this.#options
    const answer = await browser.run(operation, body, await this.#book(body, signal))
    requests.count(answer.attempts - 1)
    await this.#tie(answer)
    return answer
  }

  async *open(body: PageBody): AsyncGenerator<PagePart, void, undefined> {
    const { browser, requests, signal } = this.#options
    const left = new AbortController()
    const job = await this.#book(body, AbortSignal.any([signal, left.signal]))
    const parts = new Handoff<PagePart>(async give => {
      requests.count((await browser.open(body, job, give)) - 1)
    })
    let isFirst = true
    try {
      for await (const part of parts) {
        // Every part has the same one.
        if (isFirst) await this.#tie(part)
        isFirst = false
        yield part
      }
    } finally {
      left.abort(new Error('nobody wants the rest of the page'))
    }
  }

  async #book(body: PageBody, signal: AbortSignal): Promise<PageJob> {
    const { requests, retry, timeoutSeconds } = this.#options
    const url = readUrl(body.url)
    await requests.book(url)
    return {
      signal,
      fromData: requests.isFromData(url),
      retry,
      timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    }
  }

  async #tie({ screenshot, url }: Pick<PageAnswer, 'screenshot' | 'url'>): Promise<void> {
    if (screenshot === undefined) return
    const { browser, queryId, stage, warn } = this.#options
    await browser.tie(screenshot.hash, queryId, stage, url)
    if (screenshot.note !== undefined) warn('screenshot', `A screenshot is ${screenshot.note}.`)
  }
}

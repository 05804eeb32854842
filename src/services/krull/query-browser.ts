import { setTimeout as sleep } from 'node:timers/promises'
import type {
  PageAction,
  PageAnswer,
  PageBody,
  PageOperation,
  PagePart,
} from '../../commands/browsing/browser.ts'
import type { Browser, PageJob } from '../../engine/browser.ts'
import { ForageError } from '../../errors.ts'
import type { Row } from '../../language/json.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { ServiceStatus } from '../supervisor.ts'
import type { ElementsPart } from './element-operations.ts'
import type { JobOptions } from './job-runner.ts'
import type { BrowserOperations } from './operations.ts'
import { asFlag, checkBody } from './query-bodies.ts'
import type { KrullService } from './service.ts'

export interface QueryBrowserOptions {
  readonly krull: Pick<KrullService, 'operations' | 'devices' | 'requireBrowser'>
  readonly screenshots: Pick<Screenshots, 'tie'>
  readonly status: () => ServiceStatus['status']
  readonly start: () => Promise<void>
}

/** The interface allows no more. */
const MOST_RETRIES = 2
const RESTART_MS = 50

/** krull for queries: pages whose turn with their domain has come already. */
export class QueryBrowser implements Browser {
  readonly #options: QueryBrowserOptions
  #starting: Promise<void> | undefined

  constructor(options: QueryBrowserOptions) {
    this.#options = options
  }

  run(operation: PageOperation, body: PageBody, job: PageJob): Promise<PageAnswer> {
    return this.#perform(operation, body, job, async (operations, whole, options) => {
      const answer = await perform(operations, operation, whole, options)
      return answer as PageAnswer
    })
  }

  open(body: PageBody, job: PageJob, take: (part: PagePart) => Promise<void>): Promise<number> {
    return this.#perform('open', body, job, async (operations, whole, options) => {
      const { actions = [], ...rest } = whole
      const given = rest as Parameters<BrowserOperations['elements']>[0]
      const handOn = (part: ElementsPart) => take(part as PagePart)
      return (await operations.elements(given, actions as readonly PageAction[], handOn, options)).attempts
    })
  }

  async #perform<T>(
    operation: PageOperation | 'open',
    body: PageBody,
    job: PageJob,
    work: (operations: BrowserOperations, whole: PageBody, options: JobOptions) => Promise<T>,
  ): Promise<T> {
    checkBody(operation, body)
    const operations = await this.#operations(job.signal)
    const { retry, timeoutMs, signal, fromData } = job
    const more = { retry: Math.min(retry ?? 0, MOST_RETRIES), ...(timeoutMs !== undefined && { timeoutMs }) }
    try {
      return await work(operations, { ...body, ...more }, { signal, fromData, booked: true, patient: true })
    } catch (error) {
      if (!(error instanceof ForageError) || error.code !== 'invalid_request') throw error
      throw new ForageError('invalid_request', asFlag(error.message))
    }
  }

  tie(hash: string, queryId: string, stage: number, url: string): Promise<void> {
    return this.#options.screenshots.tie(hash, queryId, stage, url)
  }

  devices(): readonly Row[] {
    return this.#options.krull.devices().map(device => ({ ...device, viewport: { ...device.viewport } }))
  }

  /** A query on the command line starts the browser with its first page; a restart is waited for. */
  async #operations(signal: AbortSignal): Promise<BrowserOperations> {
    const { krull, status, start } = this.#options
    while (status() === 'starting' && this.#starting === undefined)
      await sleep(RESTART_MS, undefined, { signal })
    if (status() !== 'running') {
      await krull.requireBrowser()
      this.#starting ??= start().finally(() => {
        this.#starting = undefined
      })
      await this.#starting
    }
    return krull.operations
  }
}

/** The body was checked against the schema of its operation, which is what the casts say. */
function perform(
  operations: BrowserOperations,
  operation: PageOperation,
  body: PageBody,
  options: JobOptions,
): Promise<unknown> {
  switch (operation) {
    case 'evaluate':
      return operations.evaluate(body as Parameters<BrowserOperations['evaluate']>[0], options)
    case 'requests':
      return operations.requests(body as Parameters<BrowserOperations['requests']>[0], options)
    case 'screenshot':
      return operations.screenshot(body as Parameters<BrowserOperations['screenshot']>[0], options)
    case 'session':
      return operations.session(body as Parameters<BrowserOperations['session']>[0], options)
    case 'form':
      return operations.form(body as Parameters<BrowserOperations['form']>[0], options)
  }
}

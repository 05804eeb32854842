import { setTimeout as sleep } from 'node:timers/promises'
import { PageInterrupted } from '../../../commands/browsing/browser.ts'
import { ForageError } from '../../../errors.ts'
import type { Slot } from '../browser/slot.ts'
import type { Device } from '../devices.ts'
import type { PagePlan } from '../plan.ts'
import { type PageBody, readBody } from './download.ts'
import { elementBatches } from './element-batches.ts'
import { type ElementFields, type Engine, findElements, type PageElement, readElements } from './elements.ts'
import { callInPage, PageLeft } from './evaluate.ts'
import { type FormField, submitForm } from './form.ts'
import { DownloadSeen, navigate, prepare } from './navigate.ts'
import { elementPicture, type Picture, type PictureOptions, pagePicture } from './picture.ts'
import { RequestLog } from './requests.ts'
import { runScript, type Script } from './script.ts'
import { readStorages, type Storages } from './storages.ts'
import { waitForAll } from './wait.ts'

/** Where a job is; a job that runs out of time says it. */
export type Phase = 'browser' | 'load' | 'wait' | 'run' | 'screenshot' | 'submit' | 'capture'

export interface PageLimits {
  /** A result, in characters of JSON. */
  readonly resultLength: number
  /** All that the page loads, in bytes. */
  readonly pageBytes: number
}

export interface OpenOptions {
  /** What the slot was made for. */
  readonly made: Device
  readonly limits: PageLimits
  readonly captureRequests: boolean
  readonly fromData: boolean
  readonly signal: AbortSignal
  readonly enter: (phase: Phase) => void
  readonly onFurther: (host: string) => void
}

export interface PageFacts {
  readonly url: string
  readonly status: number | null
  readonly title: string | null
}

/** How long an action has to start a navigation before it is taken to have started none. */
const REACTION_MS = 100
const QUIET_RETRIES = 2

const facts = `() => {
  let status = null
  try { status = performance.getEntriesByType('navigation')[0].responseStatus || null } catch {}
  return { status, title: document.title, url: location.href }
}`

/** A page that was opened by a plan, and all that can be done with it. Good for one job. */
export class OpenPage {
  readonly #slot: Slot
  readonly #plan: PagePlan
  readonly #options: OpenOptions
  readonly #responses: string[] = []
  requests: RequestLog | undefined
  /** A document that the browser cannot show. */
  body: PageBody | undefined
  loadMs = 0

  constructor(slot: Slot, plan: PagePlan, options: OpenOptions) {
    this.#slot = slot
    this.#plan = plan
    this.#options = options
  }

  /** What the page said and asked meanwhile. */
  get watch() {
    return this.#slot.watch
  }

  /** Goes there and waits for everything that the plan says, `wait` included unless the caller waits later. */
  async open({ wait = true } = {}): Promise<void> {
    const startedAt = performance.now()
    const { made, limits, captureRequests, fromData, onFurther, enter } = this.#options
    const plan = this.#plan
    const slot = this.#slot
    const awaitsResponse = plan.wait.some(({ kind }) => kind === 'response')
    if (captureRequests) this.requests = new RequestLog(slot.session, plan.url.hostname, slot.watch.frameId)
    if (awaitsResponse) this.#noteResponses()
    const watchNetwork = captureRequests || awaitsResponse
    const travel = { slot, plan, made, maxBytes: limits.pageBytes, watchNetwork, fromData, onFurther }
    enter('load')
    await prepare(travel)
    if (captureRequests)
      await slot.session.send('Network.configureDurableMessages', {
        maxTotalBufferSize: 50_000_000,
        maxResourceBufferSize: 10_000_000,
      })
    try {
      await navigate(travel)
    } catch (error) {
      if (!(error instanceof DownloadSeen)) throw error
      this.body = await readBody(slot, plan.url, limits.pageBytes)
    }
    await this.#arrived()
    if (wait) await this.wait()
    this.loadMs = performance.now() - startedAt
  }

  /** Waits for the criteria of the plan. */
  async wait(): Promise<void> {
    const { wait, milestone, polling } = this.#plan
    if (wait.length === 0) return
    this.#options.enter('wait')
    await waitForAll(wait, {
      session: this.#slot.session,
      watch: this.watch,
      milestone,
      polling,
      responses: this.#responses,
      signal: this.#options.signal,
    })
    await this.#arrived()
  }

  /** Runs an expression; a page that just then goes elsewhere is followed, and asked again. */
  run(script: Script): Promise<unknown> {
    this.#options.enter('run')
    return this.#steadily(() => runScript(this.#slot.session, script, this.#options.limits))
  }

  /** Runs an expression that may send the page elsewhere; then there is no value, and the next page has loaded. */
  async act(script: Script): Promise<unknown> {
    this.#options.enter('run')
    let value: unknown = null
    const before = this.watch.navigations
    try {
      value = await runScript(this.#slot.session, script, this.#options.limits)
    } catch (error) {
      if (!(error instanceof PageLeft)) throw error
      await this.watch.until(() => this.watch.navigations > before)
    }
    await this.#afterAction(before)
    return value
  }

  async submit(fields: readonly FormField[], submitSelector: string): Promise<void> {
    this.#options.enter('submit')
    const before = this.watch.navigations
    await this.#steadily(() => submitForm(this.#slot.session, fields, submitSelector, this.#plan.polling), 0)
    await this.#afterAction(before)
  }

  /** The elements of a selector; the script, if any, is called with those that are there before. */
  async elements(
    selector: string,
    engine: Engine,
    fields: ElementFields,
    script?: Script,
  ): Promise<{ elements: PageElement[]; result?: unknown }> {
    this.#options.enter('run')
    const { session } = this.#slot
    const { limits } = this.#options
    const result = script && (await this.#withElements(selector, engine, script))
    const elements = await this.#steadily(() =>
      readElements(session, selector, engine, fields, limits.resultLength),
    )
    if (elements.length === 0) throw noMatch(selector)
    return { elements, ...result }
  }

  /** The same, the first of the elements and how to come by more; none are left when it gives none. */
  async elementsInBatches(
    selector: string,
    engine: Engine,
    fields: ElementFields,
    script?: Script,
  ): Promise<{ first: PageElement[]; more: () => Promise<PageElement[]>; result?: unknown }> {
    this.#options.enter('run')
    const { session } = this.#slot
    const { resultLength } = this.#options.limits
    const result = script && (await this.#withElements(selector, engine, script))
    const [first, batches] = await this.#steadily(async () => {
      const reading = elementBatches(session, selector, engine, fields, resultLength)
      return [(await reading.next()).value ?? [], reading] as const
    })
    if (first.length === 0) throw noMatch(selector)
    return { first, more: () => nextBatch(batches), ...result }
  }

  /** Of the first element that a selector matches, or of the whole page. */
  async picture(options: PictureOptions, selector?: string, engine: Engine = 'dom'): Promise<Picture> {
    this.#options.enter('screenshot')
    const { session } = this.#slot
    const { device } = this.#plan
    return this.#steadily(async () => {
      if (selector === undefined) return pagePicture(session, device, options)
      const found = await findElements(session, selector, engine)
      const { value } = await callInPage(session, 'elements => elements.length', [{ objectId: found }])
      if (value === 0) throw noMatch(selector)
      return elementPicture(session, device, options, found)
    })
  }

  storages(): Promise<Storages> {
    this.#options.enter('capture')
    const { session, supervisor, contextId } = this.#slot
    return this.#steadily(() => readStorages(session, supervisor.process.connection.browser, contextId))
  }

  /** Where the page is now, with the status that its document came with. */
  async facts(): Promise<PageFacts> {
    const { value } = await this.#steadily(() => callInPage(this.#slot.session, facts))
    const { url, status, title } = value as PageFacts
    return { url: withoutPassword(url), status, title }
  }

  /** Calls the script with the elements. */
  #withElements(selector: string, engine: Engine, script: Script): Promise<{ result: unknown }> {
    const { session } = this.#slot
    return this.#steadily(async () => {
      const found = await findElements(session, selector, engine)
      return { result: await runScript(session, script, this.#options.limits, [{ objectId: found }]) }
    })
  }

  /** A page that goes on to another one by itself, at once, is not there yet. */
  async #arrived(): Promise<void> {
    const { watch } = this
    for (let round = 0; watch.isNavigating && round < QUIET_RETRIES; round++) {
      await watch.until(() => !watch.isNavigating)
      await watch.reached(this.#plan.milestone)
    }
  }

  async #afterAction(before: number): Promise<void> {
    const { watch } = this
    if (!watch.isNavigating && watch.navigations === before)
      await Promise.race([
        watch.until(() => watch.isNavigating || watch.navigations > before),
        sleep(REACTION_MS, undefined, { signal: this.#options.signal }),
      ])
    await watch.until(() => !watch.isNavigating)
    await watch.reached(this.#plan.milestone)
  }

  async #steadily<T>(work: () => Promise<T>, retries = QUIET_RETRIES): Promise<T> {
    for (let left = retries; ; left--) {
      // A document that came meanwhile, after `wait` for instance, is worked with once all of it is there.
      if (this.watch.navigations > 0) await this.watch.reached('DOMContentLoaded')
      const before = this.watch.navigations
      try {
        return await work()
      } catch (error) {
        // What fails in a document that has only begun to come says nothing of the one that was meant.
        if (!(error instanceof PageLeft) && this.watch.navigations === before) throw error
        if (left === 0)
          throw new ForageError('page_unreachable', 'The page goes on to another one whenever it is used.')
        await this.watch.until(() => this.watch.navigations > before)
        await this.watch.reached(this.#plan.milestone)
      }
    }
  }

  #noteResponses(): void {
    this.#slot.session.on('Network.responseReceived', ({ response }) => {
      this.#responses.push(response.url)
      this.watch.noteChange()
    })
  }
}

/** The page may go elsewhere meanwhile, and its elements with it. */
async function nextBatch(batches: AsyncIterator<PageElement[], void>): Promise<PageElement[]> {
  try {
    return (await batches.next()).value ?? []
  } catch (error) {
    throw error instanceof PageLeft ? new PageInterrupted() : error
  }
}

const noMatch = (selector: string) =>
  new ForageError('no_match', `The page has no element that matches ${selector.slice(0, 200)}.`)

function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (url === null || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}

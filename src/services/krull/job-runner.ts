import { errorCodes, ForageError } from '../../errors.ts'
import { Fault } from '../../fault.ts'
import { readHost } from '../gonogo/domains.ts'
import type { Limiter } from '../gonogo/limiter.ts'
import { ConnectionLost, type Session } from './browser/connection.ts'
import type { SlotPool } from './browser/pool.ts'
import type { Slot } from './browser/slot.ts'
import { Deadline } from './deadline.ts'
import type { Device } from './devices.ts'
import { failureOf } from './failures.ts'
import { OpenPage, type PageLimits } from './page/open-page.ts'
import { PageCrashed, type PageWatch } from './page/watch.ts'
import type { PagePlan } from './plan.ts'
import { Turnstile } from './turnstile.ts'

export interface RunnerOptions {
  readonly pool: SlotPool
  readonly limiter: Limiter
  readonly device: Device
  readonly limits: PageLimits
  readonly timeoutMs: number
  /** Jobs at once, and jobs that may wait. */
  readonly places: number
  readonly queue: number
}

export interface JobOptions {
  readonly signal?: AbortSignal | undefined
  /** The domain's policy has let it through already; further tries and pages are booked all the same. */
  readonly booked?: boolean
  /** Waits however many wait before it: for a query, which holds its rows back itself. */
  readonly patient?: boolean
  /** The address was not written by the user: it may not be one of this machine or its network. */
  readonly fromData?: boolean
  readonly captureRequests?: boolean
}

/** What a job has cost. */
export interface JobCost {
  readonly queueMs: number
  readonly attempts: number
}

interface Failure {
  readonly at: string
  readonly code: string
  readonly message: string
}

const QUIET_TRIES = 2
const KEPT_FAILURES = 20
/** Another try cannot change these. */
const final: ReadonlySet<string> = new Set([
  'invalid_request',
  'blocked_address',
  'blocked_scheme',
  'too_large',
  'download',
  'no_content',
  'dialog_loop',
  'timeout',
  'no_browser',
  'too_many_requests',
  'service_unavailable',
  'forbidden',
])
/** Their words are ours; others can repeat what a page or a script said. */
const ownWords: ReadonlySet<string> = new Set(['no_browser', 'timeout', 'too_many_requests'])

/** Runs browser jobs: so many at once, each with one deadline, tried again when the browser fails it. */
export class JobRunner {
  readonly #options: RunnerOptions
  readonly #turnstile: Turnstile
  readonly #failures: Failure[] = []
  #booking = 0
  #isStopping = false
  readonly counts = { done: 0, failed: 0, retried: 0, crashes: 0 }

  constructor(options: RunnerOptions) {
    this.#options = options
    this.#turnstile = new Turnstile(options.places, options.queue)
  }

  get figures() {
    const { limit, inside, waiting } = this.#turnstile
    return { limit, active: inside, queued: waiting + this.#booking, ...this.counts }
  }

  get failures(): readonly Failure[] {
    return this.#failures
  }

  /** Opens the page in a fresh context and works with it there. The work may be done more than once. */
  page<T>(
    plan: PagePlan,
    work: (page: OpenPage) => Promise<T>,
    options: JobOptions = {},
  ): Promise<T & JobCost> {
    const host = readHost(plan.url.hostname)
    const book = host === undefined ? undefined : (signal: AbortSignal) => this.#book(host, signal)
    return this.#job(plan, options, book, (slot, deadline) => {
      const page = new OpenPage(slot, plan, {
        made: this.#options.device,
        limits: this.#options.limits,
        captureRequests: options.captureRequests === true,
        fromData: options.fromData === true,
        signal: deadline.signal,
        enter: deadline.enter,
        onFurther: next => void this.#options.limiter.tryBook(next),
      })
      return work(page)
    })
  }

  /** Works in an empty page that reaches nothing. */
  blank<T>(
    work: (session: Session, watch: PageWatch, limits: PageLimits) => Promise<T>,
    options: JobOptions = {},
  ): Promise<T & JobCost> {
    return this.#job({ retry: 0, timeoutMs: undefined }, options, undefined, (slot, deadline) => {
      deadline.enter('run')
      slot.watch.begin()
      return work(slot.session, slot.watch, this.#options.limits)
    })
  }

  /** Jobs that wait are sent away; those that run go on. */
  close(): void {
    this.#isStopping = true
    this.#turnstile.close()
  }

  async #job<T>(
    plan: Pick<PagePlan, 'retry' | 'timeoutMs'>,
    options: JobOptions,
    book: ((signal: AbortSignal) => Promise<void>) | undefined,
    work: (slot: Slot, deadline: Deadline) => Promise<T>,
  ): Promise<T & JobCost> {
    const askedAt = performance.now()
    const deadline = new Deadline(plan.timeoutMs ?? this.#options.timeoutMs, options.signal)
    try {
      if (book && options.booked !== true) await deadline.run(() => book(deadline.signal))
      const leave = await this.#turnstile.enter(deadline.signal, options.patient)
      try {
        const queueMs = performance.now() - askedAt
        const done = await deadline.run(() => this.#tries(plan.retry, deadline, book, work))
        this.counts.done++
        return { ...done.value, queueMs: rounded(queueMs), attempts: done.attempts }
      } finally {
        leave()
      }
    } catch (error) {
      throw this.#failed(error)
    } finally {
      deadline.end()
    }
  }

  /** A browser or page that dies is no fault of the job: it is tried again without being asked. */
  async #tries<T>(
    retry: number,
    deadline: Deadline,
    book: ((signal: AbortSignal) => Promise<void>) | undefined,
    work: (slot: Slot, deadline: Deadline) => Promise<T>,
  ): Promise<{ value: T; attempts: number }> {
    let asked = retry
    let quiet = QUIET_TRIES
    for (let attempts = 1; ; attempts++) {
      try {
        return { value: await this.#try(deadline, work), attempts }
      } catch (error) {
        const isLost = error instanceof ConnectionLost || error instanceof PageCrashed
        if (isLost) this.counts.crashes++
        const known = failureOf(error)
        if (isLost && quiet > 0 && !this.#isStopping) quiet--
        else if (known instanceof ForageError && !final.has(known.code) && asked > 0) asked--
        else throw known
        this.counts.retried++
        await book?.(deadline.signal)
      }
    }
  }

  async #try<T>(deadline: Deadline, work: (slot: Slot, deadline: Deadline) => Promise<T>): Promise<T> {
    deadline.enter('browser')
    const slot = await this.#options.pool.acquire(deadline.signal)
    try {
      const working = work(slot, deadline)
      working.catch(() => {})
      return await Promise.race([working, slot.watch.broken, deadline.over])
    } finally {
      void this.#options.pool.release(slot)
    }
  }

  async #book(host: string, signal: AbortSignal): Promise<void> {
    const { limiter, places, queue } = this.#options
    if (this.#booking >= places + queue)
      throw new ForageError(
        'too_many_requests',
        `${this.#booking} jobs wait for their domains; no more may.`,
        {
          retryAfterSeconds: 1,
        },
      )
    this.#booking++
    try {
      await limiter.acquire(host, signal)
    } finally {
      this.#booking--
    }
  }

  #failed(error: unknown): unknown {
    const told = this.#told(error)
    this.counts.failed++
    if (told instanceof ForageError && told.code !== 'invalid_request') {
      const message = ownWords.has(told.code) ? told.message : errorCodes[told.code].title
      this.#failures.unshift({ at: new Date().toISOString(), code: told.code, message })
      this.#failures.splice(KEPT_FAILURES)
    }
    return told
  }

  #told(error: unknown): unknown {
    if (error instanceof Fault)
      return new ForageError('no_browser', `${capital(error.message)}. ${error.remedy}`, {
        retryAfterSeconds: 5,
        cause: error,
      })
    if (error instanceof PageCrashed)
      return new ForageError('page_unreachable', 'The page crashed its part of the browser every time.')
    if (error instanceof ConnectionLost)
      return new ForageError(
        'service_unavailable',
        this.#isStopping
          ? 'The browser service is stopping.'
          : 'The browser ended again and again under this job.',
        { retryAfterSeconds: 5 },
      )
    return error
  }
}

const rounded = (ms: number) => Math.round(ms * 10) / 10
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

import { setTimeout as sleep } from 'node:timers/promises'
import { abortError, NetworkError, networkErrors } from './errors.ts'

/** The clock and the dice, so that tests have their own. */
export interface RetryClock {
  now(): number
  random(): number
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

export interface RetryOptions {
  readonly method: string
  /** Tries after the first one. */
  readonly retries: number
  readonly signal?: AbortSignal
  /** Statuses that are an answer, whatever they mean to others. */
  readonly accepts?: ((status: number) => boolean) | undefined
  /**
   * Holds everybody back from a host until then (epoch ms). The wait itself is the limiter's, in `attempt`, where the
   * status of the query sees it.
   */
  readonly holdBack: (url: URL, untilMs: number) => void | Promise<void>
  readonly clock?: RetryClock
}

/** What is looked at of an answer; an `HttpResponse` is one. */
export interface Answer {
  readonly status: number
  readonly url: URL
  header(name: string): string | undefined
  discard(): void
}

const hourMs = 3_600_000
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

const systemClock: RetryClock = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw abortError(signal!)
    })
  },
}

/**
 * Tries until an answer is worth keeping. Network errors and 5xx use up `retries`; 429, and 503 with `Retry-After`,
 * hold the host back for everybody and use up none, until they have cost one job an hour.
 */
export function withRetries<T extends Answer>(options: RetryOptions, attempt: () => Promise<T>): Promise<T> {
  const first = attempt()
  const goOn = () => retried(first, options, attempt)
  // Nearly every answer is kept, and to look at it here costs half of what the way below does.
  return first.then(answer => (isKept(answer.status, options) ? answer : goOn()), goOn)
}

const isKept = (status: number, { accepts }: RetryOptions): boolean =>
  accepts?.(status) || (status < 500 && status !== 429)

async function retried<T extends Answer>(
  first: Promise<T>,
  options: RetryOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const clock = options.clock ?? systemClock
  let failures = 0
  let holds = 0
  let heldMs = 0
  for (let trying: Promise<T> | undefined = first; ; trying = undefined) {
    let answer: T
    try {
      answer = await (trying ?? attempt())
    } catch (error) {
      if (failures >= options.retries || !canRetry(error, options.method)) throw error
      await clock.sleep(retryWait(failures++, clock.random()), options.signal)
      continue
    }
    if (isKept(answer.status, options)) return answer
    const hold = holdOf(answer, holds, clock)
    if (hold !== undefined && heldMs < hourMs) {
      answer.discard()
      holds++
      heldMs += hold
      await options.holdBack(answer.url, clock.now() + hold)
    } else if (hold === undefined && failures < options.retries && isPassing(answer.status, options.method)) {
      answer.discard()
      await clock.sleep(retryWait(failures++, clock.random()), options.signal)
    } else {
      return answer
    }
  }
}

/** Whether another try may help, and does not do twice what must happen once. */
export function canRetry(error: unknown, method: string): boolean {
  if (!(error instanceof NetworkError) || error.final) return false
  return networkErrors[error.code].retry === 'always' || idempotent.has(method.toUpperCase())
}

const isPassing = (status: number, method: string) =>
  // 501 and 505: the server says that it cannot, and will not be able to a second later.
  status >= 500 && status <= 599 && status !== 501 && status !== 505 && idempotent.has(method.toUpperCase())

/** How long an answer asks everybody to wait; growing where it does not say. */
function holdOf(answer: Answer, holds: number, clock: RetryClock): number | undefined {
  if (answer.status !== 503 && answer.status !== 429) return undefined
  const asked = retryAfterMs(answer.header('retry-after'), clock.now())
  return answer.status === 503 ? asked : (asked ?? growing(holds, 1000, 60_000, clock.random()))
}

/** The wait before try `failures + 1`: 0.25 s, 0.5 s, 1 s… to 30 s, each between half and all of it. */
export const retryWait = (failures: number, random: number): number => growing(failures, 250, 30_000, random)

const growing = (step: number, firstMs: number, mostMs: number, random: number) =>
  Math.round(Math.min(mostMs, firstMs * 2 ** Math.min(step, 30)) * (0.5 + random / 2))

/** Reads `Retry-After`, seconds or a date, to milliseconds from now: at most an hour, undefined if it says nothing. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(hourMs, Math.ceil(Number(text) * 1000))
  // A date has a day or month in words; without this check `Date.parse` takes "-1" for a year.
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.min(hourMs, Math.max(0, at - now))
}

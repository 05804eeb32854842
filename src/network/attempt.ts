import { NetworkError } from './errors.ts'

/**
 * The time of one attempt: its deadline and the caller's signal, as one signal. Waiting for a domain policy is not
 * part of it, so the clock can be stopped.
 */
export class Attempt {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #timeoutMs: number
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined
  #onEnd: (() => void) | undefined
  #isAnswered = false
  readonly #abort = () => this.#controller.abort(this.#outer?.reason)

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#leftMs = timeoutMs
    this.#outer = outer
    if (outer?.aborted) this.#abort()
    else if (outer) follow(outer, this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  run(onEnd: () => void): void {
    this.#onEnd = onEnd
    this.#isAnswered = false
    this.#startedAt = performance.now()
    this.#timer = setTimeout(() => {
      const what = this.#isAnswered ? 'The body was not complete' : 'There was no answer'
      this.#controller.abort(new NetworkError('timeout', `${what} within ${this.#timeoutMs / 1000} s.`))
    }, this.#leftMs)
  }

  /** The headers are there; from now on it is the body that is late. */
  answered(): void {
    this.#isAnswered = true
  }

  /** Stops the clock, and gives back what the step held. */
  pause(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#startedAt))
    this.#onEnd?.()
    this.#onEnd = undefined
  }

  end(): void {
    this.pause()
    if (this.#outer) followers.get(this.#outer)?.delete(this.#abort)
  }
}

/**
 * Who is told when a signal aborts. All attempts of a query share one: a listener for each would be compared with all
 * others whenever one is added, which at 64 requests at once cost more than the request itself.
 */
const followers = new WeakMap<AbortSignal, Set<() => void>>()

function follow(signal: AbortSignal, abort: () => void): void {
  let all = followers.get(signal)
  if (!all) {
    const set = new Set<() => void>()
    followers.set(signal, set)
    const tell = () => {
      for (const each of set) each()
    }
    signal.addEventListener('abort', tell, { once: true })
    all = set
  }
  all.add(abort)
}

import { Slots } from '../slots.ts'
import { abortError, NetworkError } from './errors.ts'

/** What an attempt is doing, as far as it can be broken off. */
interface Step {
  /** The headers are there, and it is the body that is late. */
  readonly isAnswered: boolean
  abort(reason: NetworkError): void
}

/**
 * The time of one attempt: it ends by its deadline or with the caller's signal. Waiting for a domain policy is not part
 * of it, so the clock can be stopped.
 */
export class Attempt {
  readonly #outer: AbortSignal | undefined
  readonly #timeoutMs: number
  #leftMs: number
  #startedAt = 0
  #timer: NodeJS.Timeout | undefined
  #step: Step | undefined
  #onEnd: (() => void) | undefined
  #failure: NetworkError | undefined
  /** Among the followers of the caller's signal. */
  #place: number | undefined
  readonly #leave = () => this.#abort(abortError(this.#outer!))

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#leftMs = timeoutMs
    this.#outer = outer
    if (outer?.aborted) this.#failure = abortError(outer)
    else if (outer) this.#place = followersOf(outer).add(this.#leave)
  }

  /** Why it was broken off, if it was. */
  get failure(): NetworkError | undefined {
    return this.#failure
  }

  /** Starts the clock for a step; `onEnd` gives back what the step holds. */
  run(step: Step, onEnd: () => void): void {
    this.#step = step
    this.#onEnd = onEnd
    this.#startedAt = performance.now()
    this.#timer = setTimeout(tooLate, this.#leftMs, this)
    if (this.#failure) step.abort(this.#failure)
  }

  /** Stops the clock, and gives back what the step held. */
  pause(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#step = undefined
    this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - this.#startedAt))
    this.#onEnd?.()
    this.#onEnd = undefined
  }

  end(): void {
    this.pause()
    if (this.#outer === undefined || this.#place === undefined) return
    followersOf(this.#outer).remove(this.#place)
    this.#place = undefined
  }

  late(): void {
    const what = this.#step?.isAnswered ? 'The body was not complete' : 'There was no answer'
    this.#abort(new NetworkError('timeout', `${what} within ${this.#timeoutMs / 1000} s.`))
  }

  #abort(failure: NetworkError): void {
    this.#failure ??= failure
    this.#step?.abort(this.#failure)
  }
}

const tooLate = (attempt: Attempt) => attempt.late()

/**
 * Who is told when a signal aborts. All attempts of a query share one: a listener for each would be compared with all
 * others whenever one is added, which at 64 requests at once cost more than the request itself.
 */
const followers = new WeakMap<AbortSignal, Slots<() => void>>()

function followersOf(signal: AbortSignal): Slots<() => void> {
  const known = followers.get(signal)
  if (known) return known
  const all = new Slots<() => void>()
  followers.set(signal, all)
  const tell = () => {
    for (const each of all.all()) each()
  }
  signal.addEventListener('abort', tell, { once: true })
  return all
}

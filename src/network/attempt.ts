import { Slots } from '../slots.ts'
import { Deadlines } from './deadlines.ts'
import { abortError, NetworkError } from './errors.ts'

/** What an attempt is doing, as far as it can be broken off. */
interface Step {
  /** The headers are there, and it is the body that is late. */
  readonly isAnswered: boolean
  abort(reason: NetworkError): void
  /** Gives back what it holds. */
  release(): void
}

const deadlines = new Deadlines()
const NOWHERE = -1

/**
 * The time of one attempt: it ends by its deadline or with the caller's signal. Waiting for a domain policy is not part
 * of it, so the clock can be stopped.
 */
export class Attempt {
  readonly #outer: AbortSignal | undefined
  readonly #timeoutMs: number
  #leftMs: number
  /** When the step that runs has to be done, by `performance.now()`. */
  dueAt = 0
  #step: Step | undefined
  #failure: NetworkError | undefined
  /** Among those with a deadline, while a step runs. */
  #place = NOWHERE
  /** Among the followers of the caller's signal. */
  #follower = NOWHERE

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs
    this.#leftMs = timeoutMs
    this.#outer = outer
    if (outer?.aborted) this.#failure = abortError(outer)
    else if (outer) this.#follower = followersOf(outer).add(this)
  }

  /** Why it was broken off, if it was. */
  get failure(): NetworkError | undefined {
    return this.#failure
  }

  /** Starts the clock for a step. */
  run(step: Step, now: number): void {
    this.#step = step
    this.dueAt = now + this.#leftMs
    this.#place = deadlines.watch(this, now)
    if (this.#failure) step.abort(this.#failure)
  }

  /** Stops the clock, and gives back what the step held. */
  pause(): void {
    if (this.#place === NOWHERE) return
    this.#stop()
    this.#leftMs = Math.max(1, this.dueAt - performance.now())
  }

  end(): void {
    this.#stop()
    if (this.#follower === NOWHERE) return
    followersOf(this.#outer!).remove(this.#follower)
    this.#follower = NOWHERE
  }

  late(): void {
    // Once is enough.
    this.dueAt = Number.POSITIVE_INFINITY
    const what = this.#step?.isAnswered ? 'The body was not complete' : 'There was no answer'
    this.#abort(new NetworkError('timeout', `${what} within ${this.#timeoutMs / 1000} s.`))
  }

  leave(): void {
    this.#abort(abortError(this.#outer!))
  }

  #stop(): void {
    if (this.#place === NOWHERE) return
    deadlines.leave(this.#place)
    this.#place = NOWHERE
    this.#step?.release()
    this.#step = undefined
  }

  #abort(failure: NetworkError): void {
    this.#failure ??= failure
    this.#step?.abort(this.#failure)
  }
}

/**
 * Who is told when a signal aborts. All attempts of a query share one: a listener for each would be compared with all
 * others whenever one is added, which at 64 requests at once cost more than the request itself.
 */
const followers = new WeakMap<AbortSignal, Slots<Attempt>>()

function followersOf(signal: AbortSignal): Slots<Attempt> {
  const known = followers.get(signal)
  if (known) return known
  const all = new Slots<Attempt>()
  followers.set(signal, all)
  const tell = () => {
    for (const attempt of all.all()) attempt.leave()
  }
  signal.addEventListener('abort', tell, { once: true })
  return all
}

import { ForageError } from '../../errors.ts'
import type { Phase } from './page/open-page.ts'

const meaning: Readonly<Record<Phase | 'policy', string>> = {
  policy: 'it waited for its turn under the policy of the domain',
  browser: 'no browser was ready',
  load: 'the page did not finish loading',
  wait: 'what wait names did not happen',
  run: 'the expression or selector was not done',
  screenshot: 'the screenshot was not taken',
  submit: 'the form was not filled in and sent',
  capture: 'cookies and storages were not read',
}

/**
 * The time of one job, and the client's signal, as one signal. It runs only inside `run`: the time that a job stands in
 * the queue is not its own.
 */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #over = Promise.withResolvers<never>()
  readonly #outer: AbortSignal | undefined
  readonly #totalMs: number
  #leftMs: number
  #phase: Phase | 'policy' = 'policy'
  readonly #abort = () => this.#end(this.#outer?.reason)

  constructor(ms: number, outer: AbortSignal | undefined) {
    this.#totalMs = ms
    this.#leftMs = ms
    this.#outer = outer
    this.#over.promise.catch(() => {})
    if (outer?.aborted) this.#abort()
    else outer?.addEventListener('abort', this.#abort, { once: true })
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Rejects when the time is over or the client has gone. */
  get over(): Promise<never> {
    return this.#over.promise
  }

  readonly enter = (phase: Phase): void => {
    this.#phase = phase
  }

  /** Does the work on the clock. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const timer = setTimeout(() => this.#end(this.#late()), this.#leftMs)
    try {
      const working = work()
      working.catch(() => {})
      return await Promise.race([working, this.#over.promise])
    } finally {
      clearTimeout(timer)
      this.#leftMs = Math.max(1, this.#leftMs - (performance.now() - startedAt))
    }
  }

  end(): void {
    this.#outer?.removeEventListener('abort', this.#abort)
  }

  #end(reason: unknown): void {
    this.#controller.abort(reason)
    this.#over.reject(reason)
  }

  #late(): ForageError {
    return new ForageError(
      'timeout',
      `Out of time after ${this.#totalMs / 1000} s, in the phase ${this.#phase}: ${meaning[this.#phase]}.`,
    )
  }
}

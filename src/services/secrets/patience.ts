import { ForageError } from '../../errors.ts'

/** Typing it wrong a few times costs nothing. */
const freeFailures = 4
const longestMs = 60_000
/** Names are remembered whether they are users or not; a flood of made-up ones pushes out the oldest. */
const mostNames = 10_000

interface Failures {
  count: number
  /** Not before then is another try judged. */
  until: number
}

/** Delays that grow with each failure in a row: 1 s, 2 s, 4 s, up to a minute. */
export class Patience {
  readonly #failures = new Map<string, Failures>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Refuses, whatever the password, while the name has to wait. */
  check(name: string): void {
    const wait = (this.#failures.get(name)?.until ?? 0) - this.#now()
    if (wait <= 0) return
    throw new ForageError('too_many_requests', 'Too many failed attempts in a row for this name.', {
      retryAfterSeconds: wait / 1000,
    })
  }

  failed(name: string): void {
    const count = (this.#failures.get(name)?.count ?? 0) + 1
    const delay = count <= freeFailures ? 0 : Math.min(longestMs, 1000 * 2 ** (count - freeFailures - 1))
    this.#failures.delete(name)
    this.#failures.set(name, { count, until: this.#now() + delay })
    if (this.#failures.size > mostNames) this.#failures.delete(this.#failures.keys().next().value as string)
  }

  succeeded(name: string): void {
    this.#failures.delete(name)
  }
}

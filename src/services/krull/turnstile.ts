import { ForageError } from '../../errors.ts'

interface Waiter {
  readonly patient: boolean
  enter(): void
  refuse(error: Error): void
}

/** Lets so many in at once and so many wait; whoever comes after that is sent away, but for the patient. */
export class Turnstile {
  readonly limit: number
  readonly #places: number
  readonly #waiters: Waiter[] = []
  #inside = 0
  #isOpen = true

  constructor(limit: number, places: number) {
    this.limit = limit
    this.#places = places
  }

  get inside(): number {
    return this.#inside
  }

  get waiting(): number {
    return this.#waiters.length
  }

  /** Resolves when it is one's turn, with how to leave. One whose signal is aborted while waiting never enters. */
  async enter(signal: AbortSignal, patient = false): Promise<() => void> {
    if (!this.#isOpen) throw stopping()
    signal.throwIfAborted()
    if (this.#inside < this.limit) this.#inside++
    else await this.#wait(signal, patient)
    let isInside = true
    return () => {
      if (isInside) this.#leave()
      isInside = false
    }
  }

  /** Sends everybody away who waits, and whoever comes from now on. */
  close(): void {
    this.#isOpen = false
    for (const { refuse } of this.#waiters.splice(0)) refuse(stopping())
  }

  #wait(signal: AbortSignal, patient: boolean): Promise<void> {
    if (!patient && this.#waiters.filter(waiter => !waiter.patient).length >= this.#places)
      throw new ForageError(
        'too_many_requests',
        `${this.limit} pages are open and ${this.#waiters.length} jobs wait; no more may.`,
        { retryAfterSeconds: 1 },
      )
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
        reject(signal.reason)
      }
      const waiter: Waiter = {
        patient,
        enter: () => {
          signal.removeEventListener('abort', abort)
          resolve()
        },
        refuse: error => {
          signal.removeEventListener('abort', abort)
          reject(error)
        },
      }
      this.#waiters.push(waiter)
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  #leave(): void {
    const next = this.#waiters.shift()
    if (next) next.enter()
    else this.#inside--
  }
}

const stopping = () =>
  new ForageError('service_unavailable', 'The browser service is stopping.', { retryAfterSeconds: 5 })

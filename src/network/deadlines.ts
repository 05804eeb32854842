import { Slots } from '../slots.ts'

interface Watched {
  /** By `performance.now()`. */
  readonly dueAt: number
  late(): void
}

/** Node's timers fire up to a millisecond early, */
const EARLY_MS = 1
/** and at once where they are set for later than this. */
const MOST_MS = 2 ** 31 - 1

/**
 * Who has to be done by when, on one timer: to start and clear one for each of thousands of requests a second costs
 * more than the limiter and the retries together. It is set for whoever is due first when it is set, and looks at
 * everybody when it fires.
 */
export class Deadlines {
  readonly #watched = new Slots<Watched>()
  #timer: NodeJS.Timeout | undefined
  #firesAt = Number.POSITIVE_INFINITY

  /** Gives the place to leave by. */
  watch(one: Watched, now: number): number {
    if (one.dueAt < this.#firesAt) this.#set(one.dueAt, now)
    return this.#watched.add(one)
  }

  leave(place: number): void {
    this.#watched.remove(place)
  }

  #set(dueAt: number, now: number): void {
    clearTimeout(this.#timer)
    this.#firesAt = dueAt
    // What is waited for keeps the process alive by itself.
    this.#timer = setTimeout(() => this.#fire(), Math.min(MOST_MS, dueAt - now)).unref()
  }

  #fire(): void {
    const now = performance.now()
    this.#firesAt = Number.POSITIVE_INFINITY
    const watched = this.#watched.all()
    const isDue = ({ dueAt }: Watched) => dueAt <= now + EARLY_MS
    const next = Math.min(...watched.map(one => (isDue(one) ? Number.POSITIVE_INFINITY : one.dueAt)))
    if (next < Number.POSITIVE_INFINITY) this.#set(next, now)
    for (const one of watched) if (isDue(one)) one.late()
  }
}

import type { DeliveryClock } from './clock.ts'

/** Holds all deliveries to one store together to so many rows a second. */
export class Throttle {
  readonly #clock: DeliveryClock
  readonly #freeAt = new Map<string, number>()

  constructor(clock: DeliveryClock) {
    this.#clock = clock
  }

  /** Takes the turn of these rows; gives what there is to wait for until it comes. */
  take(
    store: string,
    rows: number,
    perSecond: number | undefined,
    signal: AbortSignal,
  ): Promise<void> | undefined {
    if (perSecond === undefined) return undefined
    const now = this.#clock.now()
    const turn = Math.max(now, this.#freeAt.get(store) ?? 0)
    this.#freeAt.set(store, turn + (rows / perSecond) * 1000)
    return turn > now ? this.#clock.sleep(turn - now, signal) : undefined
  }
}

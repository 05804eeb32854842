import { type Limits, longestWindowMs, windowMs, windowNames } from './limits.ts'

/**
 * The dispatches to one host within the last minute, in order of time. A window of W ms that ends now holds what
 * happened after now - W; so it has room for one more exactly when the n-th last dispatch lies W or more back.
 * One look for each window, however many dispatches there are.
 */
export class Windows {
  /** A ring: grows by doubling, never shrinks below what a minute needed. */
  #times = new Float64Array(16)
  #first = 0
  #count = 0

  /** The earliest time from which all windows have room for one more dispatch; Infinity is never. */
  roomAt(limits: Limits): number {
    const { perSecond, perTenSeconds, perMinute } = limits
    return Math.max(
      perSecond === undefined ? 0 : this.#room(perSecond, windowMs.perSecond),
      perTenSeconds === undefined ? 0 : this.#room(perTenSeconds, windowMs.perTenSeconds),
      perMinute === undefined ? 0 : this.#room(perMinute, windowMs.perMinute),
    )
  }

  /** How many dispatches the window of this width holds that ends now. */
  used(widthMs: number, now: number): number {
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#at(middle) > now - widthMs) high = middle
      else low = middle + 1
    }
    return this.#count - low
  }

  book(now: number): void {
    this.forget(now)
    if (this.#count === this.#times.length) this.#grow()
    // A clock that steps back must not put a dispatch before an earlier one.
    const last = this.#count === 0 ? now : this.#at(this.#count - 1)
    this.#times[(this.#first + this.#count) & (this.#times.length - 1)] = Math.max(now, last)
    this.#count++
  }

  /** Lets go of what no window can see any more. True when nothing is left. */
  forget(now: number): boolean {
    while (this.#count > 0 && this.#at(0) <= now - longestWindowMs) {
      this.#first = (this.#first + 1) & (this.#times.length - 1)
      this.#count--
    }
    return this.#count === 0
  }

  #room(limit: number, width: number): number {
    if (limit < 1) return Number.POSITIVE_INFINITY
    return this.#count < limit ? 0 : this.#at(this.#count - limit) + width
  }

  #at(index: number): number {
    return this.#times[(this.#first + index) & (this.#times.length - 1)]!
  }

  #grow(): void {
    const larger = new Float64Array(this.#times.length * 2)
    for (let index = 0; index < this.#count; index++) larger[index] = this.#at(index)
    this.#times = larger
    this.#first = 0
  }
}

/** A dispatch in the past, told by a client: when (epoch ms), and how many at that time. */
export type Dispatches = readonly (readonly [at: number, count: number])[]

/** The same question of dispatches that a client tells: they alone are judged. */
export function roomAfter(dispatches: Dispatches, limits: Limits): number {
  const latestFirst = dispatches.filter(([, count]) => count > 0).sort(([a], [b]) => b - a)
  const rooms = windowNames.map(name => {
    const limit = limits[name]
    if (limit === undefined) return 0
    if (limit < 1) return Number.POSITIVE_INFINITY
    let seen = 0
    const filling = latestFirst.find(([, count]) => {
      seen += count
      return seen >= limit
    })
    return filling ? filling[0] + windowMs[name] : 0
  })
  return Math.max(...rooms)
}

import type { AlmanacClock } from '../../src/services/almanac/clock.ts'

/** A clock that moves when it is told to. */
export class ManualClock implements AlmanacClock {
  #now: number
  readonly #timers = new Set<{ readonly time: number; readonly call: () => void }>()

  constructor(start: string) {
    this.#now = Date.parse(start)
  }

  now = (): number => this.#now

  at = (time: number, call: () => void): (() => void) => {
    const timer = { time, call }
    this.#timers.add(timer)
    // As a real one does: a time that is past comes at once.
    if (time <= this.#now) setImmediate(() => this.jumpTo(this.#now))
    return () => void this.#timers.delete(timer)
  }

  /** Jumps to a time, then lets go off what was due by then. */
  jumpTo(time: number): void {
    this.#now = time
    for (const timer of [...this.#timers]) {
      if (timer.time > time) continue
      this.#timers.delete(timer)
      timer.call()
    }
  }

  advance(minutes: number): void {
    this.jumpTo(this.#now + minutes * 60_000)
  }
}

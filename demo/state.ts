import { createHash } from 'node:crypto'
import type { Call } from './call.ts'
import { Refusal } from './reply.ts'

const LAST_DAY = 36_500
const MOST_ENTRIES = 10_000

export interface Job {
  id: string
  category: string
  asked: number
}

/** What a visitor can change. Everything else about the site is the same on every run. */
export class State {
  day = 0
  flaky = new Forgetful<number>()
  jobs = new Forgetful<Job>()
  hooks = new Forgetful<unknown[]>()
  sessions = new Forgetful<string>()
  loginTokens = new Forgetful<true>()
  recent: number[] = []
  #counter = 0

  reset(): void {
    Object.assign(this, new State())
    this.#counter = 0
  }

  count(): number {
    return ++this.#counter
  }

  /** A name that nobody else has; the same again after a reset, so that pages that show one can be compared. */
  token(purpose: string): string {
    return createHash('sha256').update(`${purpose} ${this.count()}`).digest('hex').slice(0, 32)
  }

  /** The day that `?day=` asks for, else the one that was set. */
  dayOf(call: Call): number {
    return call.number('day', this.day, 0, LAST_DAY)
  }

  setDay(text: string | undefined): void {
    const day = /^\d{1,5}$/.test(text ?? '') ? Number(text) : Number.NaN
    if (!(day <= LAST_DAY)) throw new Refusal(400, `day must be a whole number from 0 to ${LAST_DAY}`)
    this.day = day
  }
}

/** A map that lets go of its oldest entries: a site that runs for weeks keeps its size. */
class Forgetful<Value> {
  readonly #entries = new Map<string, Value>()

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= MOST_ENTRIES) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  delete(key: string): boolean {
    return this.#entries.delete(key)
  }
}

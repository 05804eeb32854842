import type { BrowserProcess, Launch } from './launcher.ts'
import { groupMemory } from './memory.ts'

export interface Clock {
  now(): number
  /** Calls back again and again; gives how to stop it. */
  every(ms: number, callback: () => void): () => void
}

export const systemClock: Clock = {
  now: Date.now,
  every: (ms, callback) => {
    const timer = setInterval(callback, ms).unref()
    return () => clearInterval(timer)
  },
}

/** When a browser has served long enough. */
export interface ServiceLife {
  readonly jobs: number
  readonly ageMs: number
  readonly memoryBytes: number
}

const BEAT_MS = 2000
const ANSWER_MS = 5000
const STRIKES = 2
const WEIGH_EVERY_MS = 5000

/**
 * One browser from launch to end. It asks the browser every two seconds whether it is there, each time for at most five:
 * one that hangs (nothing else tells) is ended within ten.
 */
export class BrowserSupervisor {
  readonly process: BrowserProcess
  readonly startedAt: number
  readonly #clock: Clock
  readonly #life: ServiceLife
  readonly #stopBeat: () => void
  #strikes = 0
  #weighedAt: number
  #isRetired = false
  #ended: Promise<void> | undefined
  /** Contexts in it, ready, busy or being made. */
  contexts = 0
  jobs = 0

  static async launch(launch: Launch, life: ServiceLife, clock: Clock): Promise<BrowserSupervisor> {
    return new BrowserSupervisor(await launch(), life, clock)
  }

  private constructor(process: BrowserProcess, life: ServiceLife, clock: Clock) {
    this.process = process
    this.#life = life
    this.#clock = clock
    this.startedAt = clock.now()
    this.#weighedAt = this.startedAt
    this.#stopBeat = clock.every(BEAT_MS, () => void this.#beat())
    process.connection.onClose(() => void this.kill())
  }

  /** Whether new contexts may be made in it. */
  get isUsable(): boolean {
    return !this.#isRetired && this.process.connection.isOpen
  }

  get memoryBytes(): number | undefined {
    return groupMemory(this.process.pid)
  }

  /** Whether it has served long enough. */
  get isWorn(): boolean {
    return this.jobs >= this.#life.jobs || this.#clock.now() - this.startedAt >= this.#life.ageMs
  }

  /** Whether it holds too much memory. Looked up now and then: it takes milliseconds in which nothing else is done. */
  isHeavy(): boolean {
    const now = this.#clock.now()
    if (now - this.#weighedAt < WEIGH_EVERY_MS) return false
    this.#weighedAt = now
    return (this.memoryBytes ?? 0) > this.#life.memoryBytes
  }

  /** Takes no new contexts, and ends when the last one is gone. */
  retire(): void {
    this.#isRetired = true
    if (this.contexts === 0) void this.kill()
  }

  contextGone(): void {
    this.contexts--
    if (this.#isRetired && this.contexts === 0) void this.kill()
  }

  /** Ends it at once, whatever runs in it. */
  kill(): Promise<void> {
    this.#isRetired = true
    this.#stopBeat()
    this.#ended ??= this.process.kill()
    return this.#ended
  }

  async #beat(): Promise<void> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('late')), ANSWER_MS)
    try {
      await Promise.race([this.process.connection.browser.send('Browser.getVersion'), late.promise])
      this.#strikes = 0
    } catch {
      if (++this.#strikes >= STRIKES) void this.kill()
    } finally {
      clearTimeout(timer)
    }
  }
}

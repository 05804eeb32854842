import type { Device } from '../devices.ts'
import { ConnectionLost } from './connection.ts'
import type { EgressNetwork } from './egress-route.ts'
import type { Launch } from './launcher.ts'
import { Slot } from './slot.ts'
import { BrowserSupervisor, type Clock, type ServiceLife, systemClock } from './supervisor.ts'

export interface PoolOptions {
  readonly launch: Launch
  readonly network: EgressNetwork
  /** What waiting slots are set to. */
  readonly device: Device
  /** How many slots wait ready. */
  readonly ready: number
  /** Contexts in one browser, ready and busy: how many a crash can hurt. */
  readonly contextsEach: number
  readonly life: ServiceLife
  readonly clock?: Clock
}

interface Waiter {
  give(slot: Slot): void
  fail(error: unknown): void
}

/** Making contexts for later must not take the processor from the jobs that run now. */
const MOST_REFILLS = 2
/** A browser that dies while a context is made in it is replaced; one that always does is not worth more tries. */
const TRIES = 3
const SHORT_LIFE_MS = 5000

/** Slots made ahead, in as many browsers as they need. */
export class SlotPool {
  readonly #options: PoolOptions
  readonly #clock: Clock
  readonly #browsers = new Set<BrowserSupervisor>()
  readonly #waiters: Waiter[] = []
  #launching: Promise<BrowserSupervisor> | undefined
  #ready: Slot[] = []
  #making = 0
  #busy = 0
  #isClosed = false
  #launches = 0

  constructor(options: PoolOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  get figures() {
    this.#forgetStale()
    return { busy: this.#busy, ready: this.#ready.length, launches: this.#launches }
  }

  get browsers(): readonly BrowserSupervisor[] {
    return [...this.#browsers].filter(({ process }) => process.connection.isOpen)
  }

  /** A slot for one job: one that waits, or the next that gets ready. */
  async acquire(signal: AbortSignal): Promise<Slot> {
    this.#forgetStale()
    const waiting = this.#ready.pop()
    const slot = waiting ?? (await this.#next(signal))
    this.#busy++
    slot.supervisor.jobs++
    return slot
  }

  /** The job is answered: its slot goes, a new one is made. Resolves when the old one is gone. */
  release(slot: Slot): Promise<void> {
    this.#busy--
    const { supervisor } = slot
    const gone = slot.dispose()
    if (supervisor.isUsable && supervisor.isWorn) this.#replace(supervisor)
    void gone.then(() => {
      // Behind the answer, and only when nothing runs: pages that are at work weigh what they weigh.
      if (this.#busy === 0 && supervisor.isUsable && supervisor.isHeavy()) this.#replace(supervisor)
      this.refill()
    })
    return gone
  }

  /** Makes slots until enough wait. */
  refill(): void {
    this.#forgetStale()
    while (
      !this.#isClosed &&
      this.#making < MOST_REFILLS &&
      this.#ready.length + this.#making < this.#options.ready + this.#waiters.length
    )
      this.#make()
  }

  /** Ends every browser. Slots that are in use break. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { fail } of this.#waiters.splice(0)) fail(new ConnectionLost('The browser service stops.'))
    const launching = await this.#launching?.catch(() => undefined)
    await Promise.all([
      ...this.#ready.splice(0).map(slot => slot.dispose()),
      ...[...this.#browsers, ...(launching ? [launching] : [])].map(browser => browser.kill()),
    ])
    this.#browsers.clear()
  }

  #next(signal: AbortSignal): Promise<Slot> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>()
    const leave = () => {
      const index = this.#waiters.indexOf(waiter)
      if (index >= 0) this.#waiters.splice(index, 1)
      reject(signal.reason)
    }
    const settle = <T>(act: (value: T) => void) => {
      return (value: T) => {
        signal.removeEventListener('abort', leave)
        act(value)
      }
    }
    const waiter: Waiter = { give: settle(resolve), fail: settle(reject) }
    this.#waiters.push(waiter)
    signal.addEventListener('abort', leave, { once: true })
    if (this.#making < this.#waiters.length) this.#make()
    return promise
  }

  #make(): void {
    this.#making++
    this.#makeSlot(TRIES).then(
      slot => {
        this.#making--
        const waiter = this.#waiters.shift()
        if (waiter) waiter.give(slot)
        else if (this.#isClosed) void slot.dispose()
        else this.#ready.push(slot)
        this.refill()
      },
      error => {
        this.#making--
        this.#waiters.shift()?.fail(error)
      },
    )
  }

  async #makeSlot(tries: number): Promise<Slot> {
    const browser = await this.#browser()
    try {
      return await Slot.make(browser, this.#options.network, this.#options.device)
    } catch (error) {
      if (tries <= 1 || this.#isClosed) throw error
      return this.#makeSlot(tries - 1)
    }
  }

  /** The browser with the fewest contexts, or a new one when all are full. However many ask, one is launched. */
  async #browser(): Promise<BrowserSupervisor> {
    const usable = [...this.#browsers].filter(browser => browser.isUsable)
    const emptiest = usable.sort((a, b) => a.contexts - b.contexts)[0]
    if (emptiest && emptiest.contexts < this.#options.contextsEach) return emptiest
    this.#launching ??= this.#launch().finally(() => {
      this.#launching = undefined
    })
    return this.#launching
  }

  async #launch(): Promise<BrowserSupervisor> {
    if (this.#isClosed) throw new ConnectionLost('The browser service stops.')
    this.#launches++
    const browser = await BrowserSupervisor.launch(this.#options.launch, this.#options.life, this.#clock)
    this.#browsers.add(browser)
    browser.process.connection.onClose(() => {
      // One that dies as soon as it runs would be launched for ever; the next job tries again.
      if (this.#clock.now() - browser.startedAt > SHORT_LIFE_MS) this.refill()
      void browser.kill().then(() => this.#browsers.delete(browser))
    })
    return browser
  }

  /** The new browser is there before the old one has drained. */
  #replace(old: BrowserSupervisor): void {
    old.retire()
    this.#forgetStale()
    this.refill()
  }

  #forgetStale(): void {
    const stale = this.#ready.filter(slot => !slot.isFresh)
    if (stale.length === 0) return
    this.#ready = this.#ready.filter(slot => slot.isFresh)
    for (const slot of stale) void slot.dispose()
  }
}

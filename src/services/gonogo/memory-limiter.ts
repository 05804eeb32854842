import { ForageError } from '../../errors.ts'
import { readHost } from './domains.ts'
import type { DomainUse, Limiter, Verdict, WaitingDomain } from './limiter.ts'
import { windowMs } from './limits.ts'
import type { AppliedPolicy, PolicyBook } from './policy-book.ts'
import { Windows } from './windows.ts'

export interface LimiterClock {
  /** Epoch ms that never goes back. */
  now(): number
  /** Calls back once; gives how to cancel it. */
  after(ms: number, callback: () => void): () => void
}

interface Waiter {
  readonly owner: string | undefined
  resolve(): void
  reject(reason: unknown): void
}

interface Host {
  readonly name: string
  readonly windows: Windows
  policy: AppliedPolicy | null
  /** The version of the book that `policy` is of. */
  version: number
  heldUntil: number
  /** Ids that booked, with the time until which they stand; in order of time. */
  readonly ids: Map<string, number>
  readonly queue: Set<Waiter>
  cancelTimer: (() => void) | undefined
}

const idLifeMs = 60_000
const longestHoldMs = 3_600_000

const systemClock: LimiterClock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** The limiter of one process. */
export class MemoryLimiter implements Limiter {
  readonly #book: PolicyBook
  readonly #clock: LimiterClock
  readonly #hosts = new Map<string, Host>()
  #sweepAt = 1000

  constructor(book: PolicyBook, clock: LimiterClock = systemClock) {
    this.#book = book
    this.#clock = clock
  }

  /** How many hosts are remembered. */
  get hosts(): number {
    return this.#hosts.size
  }

  tryBook(name: string, id?: string): Verdict {
    const host = this.#host(name)
    const now = this.#clock.now()
    const policy = this.#policyOf(host)
    if (id !== undefined && isBooked(host, id, now)) return { go: true, retryAfterMs: 0, policy }
    const limits = policy?.policy
    const roomAt = limits ? host.windows.roomAt(limits) : 0
    const at = Math.max(host.heldUntil, roomAt)
    if (at > now)
      return { go: false, retryAfterMs: at === Number.POSITIVE_INFINITY ? null : Math.ceil(at - now), policy }
    if (limits) host.windows.book(now)
    if (id !== undefined) host.ids.set(id, now + idLifeMs)
    return { go: true, retryAfterMs: 0, policy }
  }

  acquire(name: string, signal?: AbortSignal, owner?: string): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    const host = this.#host(name)
    if (host.queue.size === 0) {
      const verdict = this.tryBook(name)
      if (verdict.go) return Promise.resolve()
      if (verdict.retryAfterMs === null) return Promise.reject(never(host))
    }
    return this.#wait(host, signal, owner)
  }

  holdBack(name: string, untilMs: number): void {
    const host = this.#host(name)
    const until = Math.min(untilMs, this.#clock.now() + longestHoldMs)
    if (until <= host.heldUntil) return
    host.heldUntil = until
    this.#serve(host)
  }

  waiting(owner?: string): readonly WaitingDomain[] {
    const found: WaitingDomain[] = []
    for (const host of this.#hosts.values()) {
      const jobs = owner === undefined ? host.queue.size : countOf(host.queue, owner)
      if (jobs > 0) found.push({ domain: host.name, untilMs: Math.ceil(this.#turnOf(host)), jobs })
    }
    return found
  }

  /** The domains that were asked within the last minute, are waited for or are held back; the busiest first. */
  domains(): readonly DomainUse[] {
    const now = this.#clock.now()
    return [...this.#hosts.values()]
      .map(host => this.#useOf(host, now))
      .filter(use => use.used.perMinute > 0 || use.waiting > 0 || use.heldUntilMs !== undefined)
      .sort((one, other) => other.waiting - one.waiting || other.used.perMinute - one.used.perMinute)
  }

  /** To be called when the book has changed: those who wait are judged anew. */
  policiesChanged(): void {
    for (const host of this.#hosts.values()) this.#serve(host)
  }

  #wait(host: Host, signal: AbortSignal | undefined, owner: string | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abort = () => {
      host.queue.delete(waiter)
      if (host.queue.size === 0) this.#stopClock(host)
      reject(signal?.reason)
    }
    const settle = (act: () => void) => {
      signal?.removeEventListener('abort', abort)
      act()
    }
    const waiter: Waiter = {
      owner,
      resolve: () => settle(resolve),
      reject: reason => settle(() => reject(reason)),
    }
    signal?.addEventListener('abort', abort, { once: true })
    host.queue.add(waiter)
    this.#serve(host)
    return promise
  }

  /** Lets in as many as there is room for, then sets the clock for the next. */
  #serve(host: Host): void {
    this.#stopClock(host)
    for (const waiter of host.queue) {
      const { go, retryAfterMs } = this.tryBook(host.name)
      if (!go && retryAfterMs !== null) {
        host.cancelTimer = this.#clock.after(retryAfterMs, () => this.#serve(host))
        return
      }
      host.queue.delete(waiter)
      if (go) waiter.resolve()
      else waiter.reject(never(host))
    }
  }

  #useOf(host: Host, now: number): DomainUse {
    const { name, windows, queue, heldUntil } = host
    return {
      domain: name,
      policy: this.#policyOf(host),
      used: {
        perSecond: windows.used(windowMs.perSecond, now),
        perTenSeconds: windows.used(windowMs.perTenSeconds, now),
        perMinute: windows.used(windowMs.perMinute, now),
      },
      heldUntilMs: heldUntil > now ? heldUntil : undefined,
      waiting: queue.size,
      nextMs: queue.size > 0 ? this.#turnOf(host) : undefined,
    }
  }

  #stopClock(host: Host): void {
    host.cancelTimer?.()
    host.cancelTimer = undefined
  }

  #turnOf(host: Host): number {
    const limits = this.#policyOf(host)?.policy
    return Math.max(host.heldUntil, limits ? host.windows.roomAt(limits) : 0, this.#clock.now())
  }

  #policyOf(host: Host): AppliedPolicy | null {
    if (host.version !== this.#book.version) {
      host.policy = this.#book.match(host.name)
      host.version = this.#book.version
    }
    return host.policy
  }

  #host(given: string): Host {
    const known = this.#hosts.get(given)
    if (known) return known
    const name = readHost(given)
    if (name === undefined) throw new ForageError('invalid_request', 'This is not the name of a host.')
    return this.#hosts.get(name) ?? this.#open(name)
  }

  #open(name: string): Host {
    if (this.#hosts.size >= this.#sweepAt) this.#sweep()
    const host: Host = {
      name,
      windows: new Windows(),
      policy: null,
      version: -1,
      heldUntil: 0,
      ids: new Map(),
      queue: new Set(),
      cancelTimer: undefined,
    }
    this.#hosts.set(name, host)
    return host
  }

  /** Forgets hosts of which there is nothing to remember. Each sweep has many new hosts to pay for it. */
  #sweep(): void {
    const now = this.#clock.now()
    for (const host of this.#hosts.values()) {
      dropOldIds(host, now)
      const isIdle = host.queue.size === 0 && host.ids.size === 0 && host.heldUntil <= now
      if (isIdle && host.windows.forget(now)) this.#hosts.delete(host.name)
    }
    this.#sweepAt = Math.max(1000, this.#hosts.size * 2)
  }
}

function isBooked(host: Host, id: string, now: number): boolean {
  dropOldIds(host, now)
  return host.ids.has(id)
}

function dropOldIds(host: Host, now: number): void {
  for (const [id, until] of host.ids) {
    if (until > now) return
    host.ids.delete(id)
  }
}

const countOf = (queue: ReadonlySet<Waiter>, owner: string): number => {
  let count = 0
  for (const waiter of queue) if (waiter.owner === owner) count++
  return count
}

const never = (host: Host) =>
  new ForageError(
    'forbidden',
    `The policy "${host.policy?.name}" for ${host.policy?.domain} allows no dispatches: one of its limits is 0.`,
  )

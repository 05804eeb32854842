import type { Socket } from 'node:net'
import { Client } from 'undici'
import { Clients } from './clients.ts'
import { type Connection, type Dialer, secure, type Target } from './dialer.ts'
import type { Route } from './pac.ts'
import type { RouteChoice } from './pac-files.ts'
import type { Reach } from './policy.ts'
import { connectForAbsoluteForm, connectVia } from './route.ts'

/** What separates one set of connections from another: a connection made under one choice never serves another. */
export interface PoolChoice extends RouteChoice {
  readonly origin: string
  readonly reach: Reach
  readonly verify: boolean
}
export interface PoolEntry {
  readonly clients: Clients
  /** A connection of it led to a public address. */
  public: boolean
  active: number
  /** The number of its last use among those of all pools: cheaper than a clock, and there is one for every request. */
  usedAt: number
  /** Counts one user less. */
  readonly release: () => void
}
export interface PoolLimits {
  /** Connections for each origin. */
  readonly connections: number
  /** Pools kept; past it the one idle for longest is closed. */
  readonly pools: number
  readonly idleMs: number
  readonly connectTimeoutMs: number
}

/** Plain http through an http proxy: the proxy is sent whole addresses; everything else is tunnelled. */
export const isAbsoluteForm = (origin: string, route: Route): route is Exclude<Route, 'direct'> =>
  route !== 'direct' && (route.kind === 'http' || route.kind === 'https') && origin.startsWith('http:')

/** The open connections, a pool for each origin and each choice of TLS, proxy and reach. */
export class Pools {
  readonly #entries = new Map<string, PoolEntry>()
  /** The pool that was asked for last, which for a stage is that of all its rows. */
  #last: { readonly choice: PoolChoice; readonly entry: PoolEntry } | undefined
  readonly #dialer: Dialer
  readonly #limits: PoolLimits
  #uses = 0
  /** The count at the last sweep. */
  #sweptAt = 0
  #sweeper: NodeJS.Timeout | undefined

  constructor(dialer: Dialer, limits: PoolLimits) {
    this.#dialer = dialer
    this.#limits = limits
  }

  get size(): number {
    return this.#entries.size
  }

  /** The pool for a choice, counted as in use until it is released. */
  take(choice: PoolChoice): PoolEntry {
    if (!this.#last || !isSame(this.#last.choice, choice)) {
      const key = keyOf(choice)
      this.#last = { choice, entry: this.#entries.get(key) ?? this.#open(key, choice) }
    }
    const { entry } = this.#last
    entry.active++
    entry.usedAt = ++this.#uses
    return entry
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper)
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    this.#last = undefined
    await Promise.all(entries.map(({ clients }) => clients.destroy()))
  }

  #open(key: string, choice: PoolChoice): PoolEntry {
    if (this.#entries.size >= this.#limits.pools) this.#closeIdlest()
    const entry: PoolEntry = {
      clients: new Clients(this.#limits.connections, () => this.#client(choice, entry)),
      public: false,
      active: 0,
      usedAt: 0,
      release: () => this.#release(entry),
    }
    this.#entries.set(key, entry)
    return entry
  }

  #release(entry: PoolEntry): void {
    entry.active--
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#limits.idleMs).unref()
  }

  #client(choice: PoolChoice, entry: PoolEntry): Client {
    return new Client(choice.origin, {
      allowH2: false,
      maxHeaderSize: 64 * 1024,
      // The attempt's own deadline covers both, and pauses while a domain policy makes it wait.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveMaxTimeout: this.#limits.idleMs,
      connect: (_options, callback) => {
        this.#connect(choice, entry).then(
          socket => callback(null, socket),
          error => callback(error, null),
        )
      },
    })
  }

  async #connect(choice: PoolChoice, entry: PoolEntry): Promise<Socket> {
    const url = new URL(choice.origin)
    const secured = url.protocol === 'https:'
    const target: Target = { host: url.hostname, port: Number(url.port || (secured ? 443 : 80)) }
    const connection = await this.#connection(choice, target)
    if (connection.public) entry.public = true
    const { connectTimeoutMs: timeoutMs } = this.#limits
    return secured
      ? secure(connection.socket, url.hostname, { verify: choice.verify, timeoutMs })
      : connection.socket
  }

  #connection(choice: PoolChoice, target: Target): Promise<Connection> {
    const { origin, route, reach, proxyReach, verify } = choice
    const options = { reach, proxyReach, verify, timeoutMs: this.#limits.connectTimeoutMs }
    return isAbsoluteForm(origin, route)
      ? connectForAbsoluteForm(this.#dialer, route, target, options)
      : connectVia(this.#dialer, route, target, options)
  }

  #sweep(): void {
    const before = this.#sweptAt
    this.#sweptAt = this.#uses
    for (const [key, entry] of this.#entries) {
      if (entry.active === 0 && entry.usedAt <= before) this.#drop(key, entry)
    }
    if (this.#entries.size > 0) return
    clearInterval(this.#sweeper)
    this.#sweeper = undefined
  }

  #closeIdlest(): void {
    const idle = [...this.#entries].filter(([, { active }]) => active === 0)
    const idlest = idle.sort(([, a], [, b]) => a.usedAt - b.usedAt)[0]
    if (idlest) this.#drop(...idlest)
  }

  #drop(key: string, entry: PoolEntry): void {
    this.#entries.delete(key)
    if (this.#last?.entry === entry) this.#last = undefined
    void entry.clients.destroy()
  }
}

const isSame = (a: PoolChoice, b: PoolChoice): boolean =>
  a.origin === b.origin &&
  a.route === b.route &&
  a.reach === b.reach &&
  a.proxyReach === b.proxyReach &&
  a.verify === b.verify

function keyOf({ origin, reach, proxyReach, verify, route }: PoolChoice): string {
  if (route === 'direct') return `${origin} ${reach} ${verify}`
  const { kind, host, port, username, password } = route
  return JSON.stringify([origin, reach, verify, proxyReach, kind, host, port, username, password])
}

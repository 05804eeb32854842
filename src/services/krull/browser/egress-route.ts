import type { Socket } from 'node:net'
import type { Dialer, Target } from '../../../network/dialer.ts'
import { NetworkError } from '../../../network/errors.ts'
import type { HttpClient } from '../../../network/http.ts'
import type { RouteChoice } from '../../../network/pac-files.ts'
import { connectForAbsoluteForm, connectVia } from '../../../network/route.ts'
import type { Scope } from '../../../network/scope.ts'

/** Where a job may go. */
export interface EgressRoute {
  readonly scope: Scope
  /** The user's own proxy, which everything then goes through. */
  readonly proxy: string | undefined
  /** Says whether a request is to be refused; for tunnels only the host is known. */
  readonly isFiltered: (host: string, path: string | undefined) => boolean
  /** Awaited before a local host is dialled after a public one was: by then a public page must be known as one. */
  readonly settled: () => Promise<void>
  readonly maxBytes: number
}

export interface EgressNetwork {
  readonly dialer: Dialer
  readonly client: HttpClient
}

const CONNECT_MS = 15_000

/** Connects for one context. What it may reach is bound to it when the job starts, and goes with the job. */
export class RouteDialer {
  readonly #network: EgressNetwork
  readonly #publicHosts = new Set<string>()
  #route: EgressRoute | undefined

  constructor(network: EgressNetwork) {
    this.#network = network
  }

  bind(route: EgressRoute): void {
    this.#route = route
  }

  unbind(): void {
    this.#route = undefined
  }

  get maxBytes(): number {
    return this.#route?.maxBytes ?? Number.POSITIVE_INFINITY
  }

  /** Whether something of this host came from the public internet. */
  isPublic(host: string): boolean {
    return this.#publicHosts.has(host)
  }

  /** The ways to an address; refuses it when there is no job or the job's filter blocks it. */
  async routes(url: URL, path: string | undefined): Promise<readonly RouteChoice[]> {
    const host = url.hostname
    if (this.#route === undefined)
      throw new NetworkError('blocked_address', 'An expression without a page reaches no address.')
    if (this.#route.isFiltered(host, path))
      throw new NetworkError('blocked_address', `${host} may not be reached: the filter blocks it.`)
    return this.#network.client.routes(this.#route.proxy, url)
  }

  reach(host: string): ReturnType<Scope['reach']> {
    return this.#scope().reach(host)
  }

  /** By the first way that works. */
  async dialFirst(routes: readonly RouteChoice[], target: Target): Promise<Socket> {
    for (const [index, choice] of routes.entries()) {
      try {
        return await this.dial(choice, target, false)
      } catch (error) {
        if (!isDeadProxy(error) || index === routes.length - 1) throw error
      }
    }
    throw new NetworkError('bad_proxy', 'The PAC file names no way to go.')
  }

  /** `absolute`: the proxy gets requests in absolute form, not a tunnel. */
  async dial(choice: RouteChoice, target: Target, absolute: boolean): Promise<Socket> {
    const scope = this.#scope()
    if (this.#publicHosts.size > 0 && scope.reach(target.host) === 'local') await this.#route?.settled()
    const options = {
      reach: scope.reach(target.host),
      proxyReach: choice.proxyReach,
      verify: true,
      timeoutMs: CONNECT_MS,
    }
    const { dialer } = this.#network
    const connection =
      absolute && choice.route !== 'direct'
        ? await connectForAbsoluteForm(dialer, choice.route, target, options)
        : await connectVia(dialer, choice.route, target, options)
    scope.note(target.host, connection.public)
    if (connection.public) this.#publicHosts.add(target.host)
    // The job may have ended while this was dialled.
    if (this.#route === undefined) connection.socket.destroy()
    return connection.socket
  }

  #scope(): Scope {
    if (this.#route === undefined) throw new NetworkError('aborted', 'The job has ended.')
    return this.#route.scope
  }
}

export const isDeadProxy = (error: unknown): boolean =>
  error instanceof NetworkError && error.code === 'proxy_error'

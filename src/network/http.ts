import { finished } from 'node:stream'
import type { Dispatcher } from 'undici'
import { Attempt } from './attempt.ts'
import { type Dialer, within } from './dialer.ts'
import { NetworkError } from './errors.ts'
import { Exchange } from './exchange.ts'
import { networkError } from './network-error.ts'
import { PacFiles, type RouteChoice } from './pac-files.ts'
import { isAbsoluteForm, type PoolLimits, Pools } from './pools.ts'
import { asksForPassword, parseProxy, proxyAuthorization } from './proxy.ts'
import { type Body, firstHop, type Headers, type Hop, redirected } from './redirect.ts'
import { HttpResponse } from './response.ts'
import { Scope } from './scope.ts'
import { WholeResponse } from './whole-response.ts'

export interface HttpRequest {
  readonly url: string | URL
  /** What the job may reach; see `Scope`. */
  readonly scope: Scope
  readonly method?: string | undefined
  readonly headers?: Readonly<Headers> | undefined
  /** A function where it is a stream, so that a redirect or another try can send it again. */
  readonly body?: Body | undefined
  /** Redirects that are followed (default 10). 0 answers with the redirect itself. */
  readonly redirects?: number | undefined
  /** For the whole attempt: redirects and body included, `beforeSend` not. Default 30 s. */
  readonly timeoutMs?: number | undefined
  /** The most bytes of the body, unpacked. Default 100 MiB. */
  readonly maxBytes?: number | undefined
  /** False takes any certificate. Default true. */
  readonly verify?: boolean | undefined
  readonly proxy?: string | undefined
  /** Names of headers that hold secrets, so that no other origin gets them. */
  readonly secretHeaders?: readonly string[] | undefined
  readonly signal?: AbortSignal | undefined
  /** Before every request, redirects included: where a domain policy makes it wait. */
  readonly beforeSend?: (url: URL) => Promise<void> | undefined
}

/** Makes of the last exchange of an attempt what was asked for; `sentAt`: when the first request left. */
type Answer<T> = (
  exchange: Exchange,
  attempt: Attempt,
  redirects: number,
  sentAt: number,
  request: HttpRequest,
) => T | Promise<T>

/** How the exchanges of an attempt are made. */
interface Manner {
  readonly streams: boolean
  /** It has been at a public host: from there on it reaches nothing local. */
  leftLocal: boolean
}

type Proxy = Exclude<RouteChoice['route'], 'direct'>

const DIRECT: RouteChoice = { route: 'direct', proxyReach: 'public' }
const defaults = { redirects: 10, timeoutMs: 30_000, maxBytes: 100 * 1024 * 1024 }
const defaultLimits: PoolLimits = { connections: 128, pools: 256, idleMs: 30_000, connectTimeoutMs: 10_000 }
const pacBytes = 1024 * 1024

/** The HTTP client of everything that is not the browser: every connection of it is made by the dialer. */
export class HttpClient {
  readonly #pools: Pools
  readonly #pacFiles: PacFiles

  constructor(dialer: Dialer, limits: Partial<PoolLimits> = {}) {
    this.#pools = new Pools(dialer, { ...defaultLimits, ...limits })
    this.#pacFiles = new PacFiles(url => this.#fetchPac(url), dialer.lookup)
  }

  /** Open pools, for metrics and tests. */
  get pools(): number {
    return this.#pools.size
  }

  /** The ways to an address by a proxy that the user wrote: one, or those that a PAC file names. */
  async routes(proxy: string | undefined, url: URL): Promise<readonly RouteChoice[]> {
    if (proxy === undefined) return [DIRECT]
    const choice = parseProxy(proxy)
    return choice.kind === 'pac'
      ? await this.#pacFiles.routes(choice.url, url)
      : [{ route: choice, proxyReach: new Scope(choice.host).reach(choice.host) }]
  }

  /** One attempt: answers with whatever status came, its body still to be read; fails with a `NetworkError`. */
  request(request: HttpRequest): Promise<HttpResponse> {
    return this.#attempt(request, true, streamed)
  }

  /** One attempt that includes the whole body. */
  fetch(request: HttpRequest): Promise<WholeResponse> {
    return this.#attempt(request, false, whole)
  }

  async close(): Promise<void> {
    this.#pacFiles.close()
    await this.#pools.close()
  }

  /** One function for the whole way: each async one that it goes through costs as much as the limiter does. */
  async #attempt<T>(request: HttpRequest, streams: boolean, answer: Answer<T>): Promise<T> {
    // Before the attempt, which follows the signal until it ends: of a request that cannot be read none begins.
    let hop = firstHop(request)
    const attempt = new Attempt(request.timeoutMs ?? defaults.timeoutMs, request.signal)
    const most = request.redirects ?? defaults.redirects
    const manner: Manner = { streams, leftLocal: false }
    let sentAt = 0
    try {
      for (let redirects = 0; ; redirects++) {
        const turn = request.beforeSend?.(hop.url)
        if (turn) await turn
        if (redirects === 0) sentAt = performance.now()
        const exchange =
          request.proxy === undefined
            ? this.#send(DIRECT, hop, request, attempt, manner)
            : await this.#sendByProxy(request.proxy, hop, request, attempt, manner)
        await exchange.ready
        const next = this.#arrive(exchange, request, manner)
        if (next === undefined) {
          const made = answer(exchange, attempt, redirects, sentAt, request)
          return made instanceof Promise ? await made : made
        }
        if (redirects >= most)
          throw new NetworkError('too_many_redirects', `It redirected more than ${most} times.`)
        attempt.pause()
        hop = next
      }
    } catch (error) {
      attempt.end()
      throw attempt.failure ?? networkError(error)
    }
  }

  /** Notes where it was; gives where it leads on to, if it does. */
  #arrive(exchange: Exchange, request: HttpRequest, manner: Manner): Hop | undefined {
    const { hop, status, headers, isPublic } = exchange
    request.scope.note(hop.url.hostname, isPublic)
    if (isPublic) manner.leftLocal = true
    return request.redirects === 0 ? undefined : redirected(hop, status, headers, request.secretHeaders ?? [])
  }

  /** Sends by the first route that works: a PAC file can name several. */
  async #sendByProxy(
    proxy: string,
    hop: Hop,
    request: HttpRequest,
    attempt: Attempt,
    manner: Manner,
  ): Promise<Exchange> {
    const timeoutMs = request.timeoutMs ?? defaults.timeoutMs
    const late = () =>
      new NetworkError('timeout', `The PAC file gave no answer within ${timeoutMs / 1000} s.`)
    const routes = await within(this.routes(proxy, hop.url), timeoutMs, request.signal, late)
    for (const [index, choice] of routes.entries()) {
      try {
        const exchange = this.#send(choice, hop, request, attempt, manner)
        await exchange.ready
        if (exchange.proxy && exchange.status === 407) throw asksForPassword(exchange.proxy)
        return exchange
      } catch (error) {
        attempt.pause()
        const isDead = error instanceof NetworkError && error.code === 'proxy_error'
        if (!isDead || index === routes.length - 1) throw error
      }
    }
    throw new NetworkError('bad_proxy', 'The PAC file names no way to go.')
  }

  #send(
    { route, proxyReach }: RouteChoice,
    hop: Hop,
    request: HttpRequest,
    attempt: Attempt,
    { streams, leftLocal }: Manner,
  ): Exchange {
    const { origin, hostname } = hop.url
    const reach = leftLocal ? 'public' : request.scope.reach(hostname)
    const entry = this.#pools.take({ route, proxyReach, origin, reach, verify: request.verify ?? true })
    const absolute = isAbsoluteForm(origin, route) ? route : undefined
    const maxBytes = request.maxBytes ?? defaults.maxBytes
    const exchange = new Exchange(
      hop,
      { streams, follows: request.redirects !== 0, maxBytes },
      entry,
      absolute,
    )
    attempt.run(exchange, performance.now())
    entry.clients.dispatch(optionsFor(hop, absolute), exchange)
    return exchange
  }

  async #fetchPac(url: string) {
    const scope = Scope.ofUrl(url)
    const response = await this.fetch({ url, scope, maxBytes: pacBytes })
    if (response.status !== 200)
      throw new NetworkError('bad_proxy', `The PAC file cannot be fetched: status ${response.status}.`)
    return { source: response.bytes.toString(), scope }
  }
}

/** `absolute`: the proxy that is sent whole addresses. */
function optionsFor(
  { url, method, headers, body }: Hop,
  absolute: Proxy | undefined,
): Dispatcher.DispatchOptions {
  const authorization = absolute && proxyAuthorization(absolute)
  return {
    method: method as Dispatcher.HttpMethod,
    path: absolute ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
    headers: authorization ? { ...headers, 'proxy-authorization': authorization } : headers,
    // Undici takes any iterable, and says so nowhere in its types.
    body: (typeof body === 'function' ? body() : (body ?? null)) as Dispatcher.DispatchOptions['body'] & null,
  }
}

/** The attempt goes on until its body is read. */
const streamed: Answer<HttpResponse> = (exchange, attempt, redirects, _sentAt, request) => {
  const { hop, status, headers, stream } = exchange
  finished(stream!, () => attempt.end())
  return new HttpResponse({
    ...{ status, headers, redirects, url: hop.url, method: hop.method, stream: stream! },
    maxBytes: request.maxBytes ?? defaults.maxBytes,
    toError: error => attempt.failure ?? networkError(error),
  })
}

const whole: Answer<WholeResponse> = (exchange, attempt, _redirects, sentAt) => {
  const bytes = exchange.whole()
  return bytes instanceof Promise
    ? bytes.then(unpacked => ended(exchange, attempt, sentAt, unpacked))
    : ended(exchange, attempt, sentAt, bytes)
}

function ended(exchange: Exchange, attempt: Attempt, sentAt: number, bytes: Buffer): WholeResponse {
  attempt.end()
  return new WholeResponse(exchange, exchange.hop.url, bytes, Math.round(performance.now() - sentAt))
}

import { unescape as decodeLoosely } from 'node:querystring'
import { type Dispatcher, errors } from 'undici'
import { systemCode } from '../fault.ts'
import { Attempt } from './attempt.ts'
import { acceptEncoding } from './body.ts'
import { type Dialer, within } from './dialer.ts'
import { abortError, NetworkError } from './errors.ts'
import { PacFiles, type RouteChoice } from './pac-files.ts'
import { isAbsoluteForm, type PoolEntry, type PoolLimits, Pools } from './pools.ts'
import { asksForPassword, parseProxy, proxyAuthorization } from './proxy.ts'
import { type Body, type Headers, type Hop, readUrl, redirected } from './redirect.ts'
import { HttpResponse } from './response.ts'
import { Scope } from './scope.ts'

export interface HttpRequest {
  readonly url: string | URL
  /** What the job may reach; see `Scope`. */
  readonly scope: Scope
  readonly method?: string
  readonly headers?: Readonly<Headers>
  /** A function where it is a stream, so that a redirect or another try can send it again. */
  readonly body?: Body
  /** Redirects that are followed (default 10). 0 answers with the redirect itself. */
  readonly redirects?: number
  /** For the whole attempt: redirects and body included, `beforeSend` not. Default 30 s. */
  readonly timeoutMs?: number
  /** The most bytes of the body, unpacked. Default 100 MiB. */
  readonly maxBytes?: number
  /** False takes any certificate. Default true. */
  readonly verify?: boolean
  readonly proxy?: string
  /** Names of headers that hold secrets, so that no other origin gets them. */
  readonly secretHeaders?: readonly string[]
  readonly signal?: AbortSignal
  /** Awaited before every request, redirects included: where a domain policy makes it wait. */
  readonly beforeSend?: (url: URL, signal: AbortSignal) => Promise<void>
}

interface Sent {
  readonly answer: Dispatcher.ResponseData
  readonly entry: PoolEntry
}

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
    if (proxy === undefined) return direct
    const choice = parseProxy(proxy)
    return choice.kind === 'pac'
      ? await this.#pacFiles.routes(choice.url, url)
      : [{ route: choice, proxyReach: new Scope(choice.host).reach(choice.host) }]
  }

  /** One attempt: answers with whatever status came, fails with a `NetworkError`. */
  async request(request: HttpRequest): Promise<HttpResponse> {
    const attempt = new Attempt(request.timeoutMs ?? defaults.timeoutMs, request.signal)
    try {
      return await this.#follow(request, attempt)
    } catch (error) {
      attempt.end()
      throw attempt.signal.aborted ? abortError(attempt.signal) : networkError(error)
    }
  }

  async close(): Promise<void> {
    this.#pacFiles.close()
    await this.#pools.close()
  }

  async #follow(request: HttpRequest, attempt: Attempt): Promise<HttpResponse> {
    const most = request.redirects ?? defaults.redirects
    let hop = firstHop(request)
    let leftLocal = false
    for (let redirects = 0; ; redirects++) {
      await request.beforeSend?.(hop.url, attempt.signal)
      const { answer, entry } = await this.#send(hop, request, attempt, leftLocal)
      if (entry.public) leftLocal = true
      const next =
        most === 0
          ? undefined
          : redirected(hop, answer.statusCode, answer.headers, request.secretHeaders ?? [])
      if (next === undefined) return respond(answer, hop, redirects, request, attempt)
      await answer.body.dump({ limit: 64 * 1024, signal: attempt.signal })
      if (redirects >= most)
        throw new NetworkError('too_many_redirects', `It redirected more than ${most} times.`)
      attempt.pause()
      hop = next
    }
  }

  /** Sends by the first route that works: a PAC file can name several. */
  async #send(hop: Hop, request: HttpRequest, attempt: Attempt, leftLocal: boolean): Promise<Sent> {
    const timeoutMs = request.timeoutMs ?? defaults.timeoutMs
    const routes =
      request.proxy === undefined
        ? direct
        : await within(
            this.routes(request.proxy, hop.url),
            timeoutMs,
            attempt.signal,
            () => new NetworkError('timeout', `The PAC file gave no answer within ${timeoutMs / 1000} s.`),
          )
    for (const [index, choice] of routes.entries()) {
      try {
        return await this.#sendBy(choice, hop, request, attempt, leftLocal)
      } catch (error) {
        attempt.pause()
        const isDead = error instanceof NetworkError && error.code === 'proxy_error'
        if (!isDead || index === routes.length - 1) throw error
      }
    }
    throw new NetworkError('bad_proxy', 'The PAC file names no way to go.')
  }

  async #sendBy(
    choice: RouteChoice,
    hop: Hop,
    request: HttpRequest,
    attempt: Attempt,
    leftLocal: boolean,
  ): Promise<Sent> {
    const { origin, hostname } = hop.url
    const reach = leftLocal ? 'public' : request.scope.reach(hostname)
    const entry = this.#pools.take({ ...choice, origin, reach, verify: request.verify ?? true })
    attempt.run(() => this.#pools.release(entry))
    const absolute = isAbsoluteForm(origin, choice.route) ? choice.route : undefined
    const authorization = absolute && proxyAuthorization(absolute)
    const answer = await entry.pool.request({
      method: hop.method as Dispatcher.HttpMethod,
      path: absolute ? withoutHash(hop.url) : `${hop.url.pathname}${hop.url.search}`,
      headers: authorization ? { ...hop.headers, 'proxy-authorization': authorization } : hop.headers,
      body: typeof hop.body === 'function' ? hop.body() : (hop.body ?? null),
      signal: attempt.signal,
    } as Dispatcher.RequestOptions)
    attempt.answered()
    request.scope.note(hostname, entry.public)
    if (absolute && answer.statusCode === 407) {
      answer.body.on('error', () => {}).destroy()
      throw asksForPassword(absolute)
    }
    return { answer, entry }
  }

  async #fetchPac(url: string) {
    const scope = Scope.ofUrl(url)
    const response = await this.request({ url, scope, maxBytes: pacBytes })
    if (response.status !== 200) {
      response.discard()
      throw new NetworkError('bad_proxy', `The PAC file cannot be fetched: status ${response.status}.`)
    }
    return { source: await response.text(), scope }
  }
}

const direct: readonly RouteChoice[] = [{ route: 'direct', proxyReach: 'public' }]

function firstHop(request: HttpRequest): Hop {
  const url = new URL(readUrl(request.url))
  const headers: Headers = { 'accept-encoding': acceptEncoding, 'user-agent': 'Forage' }
  if (url.username !== '' || url.password !== '') headers.authorization = basic(url)
  url.username = ''
  url.password = ''
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value
  // Only a proxy is to get it, and it gets its own.
  delete headers['proxy-authorization']
  return { url, headers, method: (request.method ?? 'GET').toUpperCase(), body: request.body }
}

function basic(url: URL): string {
  const pair = `${decodeLoosely(url.username)}:${decodeLoosely(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

const withoutHash = (url: URL) => `${url.origin}${url.pathname}${url.search}`

function respond(
  answer: Dispatcher.ResponseData,
  hop: Hop,
  redirects: number,
  request: HttpRequest,
  attempt: Attempt,
): HttpResponse {
  const status = answer.statusCode
  return new HttpResponse(
    {
      status,
      headers: answer.headers as Headers,
      url: hop.url,
      redirects,
      body: answer.body,
      hasBody: hop.method !== 'HEAD' && status !== 204 && status !== 304,
      maxBytes: request.maxBytes ?? defaults.maxBytes,
      toError: error => (attempt.signal.aborted ? abortError(attempt.signal) : networkError(error)),
    },
    () => attempt.end(),
  )
}

/**
 * Names what undici, zlib or the system reported; anything else (a refusal of `beforeSend`, a mistake of ours) stays as
 * it is. The original is not kept as a cause: it can hold headers.
 */
function networkError(error: unknown): unknown {
  if (error instanceof errors.HTTPParserError) return notHttp()
  const code = systemCode(error)
  if (error instanceof NetworkError || code === undefined) return error
  if (error instanceof errors.InvalidArgumentError)
    return new NetworkError('bad_request', `The request cannot be sent: ${error.message}.`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return notHttp()
  if (/^(Z_|ZSTD_|ERR_)/.test(code))
    return new NetworkError('bad_response', 'The body is not packed as its headers say.')
  if (/^(UND_ERR_|E[A-Z]+$)/.test(code))
    return new NetworkError(
      'connection_lost',
      `The connection broke before the whole answer was there (${code}).`,
    )
  return error
}

const notHttp = () =>
  new NetworkError('bad_response', 'The answer is not valid HTTP, or its headers are too large.')

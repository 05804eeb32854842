import { randomBytes, timingSafeEqual } from 'node:crypto'
import {
  Agent,
  type AgentOptions,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Dialer, Target } from '../../../network/dialer.ts'
import { NetworkError } from '../../../network/errors.ts'
import type { HttpClient } from '../../../network/http.ts'
import type { RouteChoice } from '../../../network/pac-files.ts'
import { isAbsoluteForm } from '../../../network/pools.ts'
import { asksForPassword, proxyAuthorization } from '../../../network/proxy.ts'
import { connectForAbsoluteForm, connectVia } from '../../../network/route.ts'
import type { Scope } from '../../../network/scope.ts'

/** Where a job may go, bound to its slot's proxy when the job starts. */
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

interface Dialling {
  readonly key: string
  dial(): Promise<Socket>
}

/** Connections for requests in absolute form, kept open for the job alone. */
class EgressAgent extends Agent {
  constructor() {
    super({ keepAlive: true, maxSockets: 32, scheduling: 'lifo' })
  }

  override getName(options?: AgentOptions): string {
    return (options as Partial<Dialling> | undefined)?.key ?? ''
  }

  override createConnection(
    options: unknown,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    ;(options as Dialling).dial().then(
      socket => callback(null, socket),
      // By Node.js's own declaration a socket always comes with it.
      (error: Error) => callback(error, undefined as unknown as Duplex),
    )
  }
}

/** Asked for by every new context, so that it learns the password. Nothing else may answer for this name. */
export const WARM_UP = 'http://warm-up.invalid/'

const CONNECT_MS = 15_000
/** Connection headers are between two neighbours, and the proxy's password is ours. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * The way out of one browser context: a proxy of our own on loopback, behind a password that the context alone has. It
 * sees every request of the context (redirects, frames, sockets, workers), and connects through the one dialer.
 */
export class Egress {
  readonly port: number
  readonly password = randomBytes(18).toString('base64url')
  readonly #expected: Buffer
  readonly #network: EgressNetwork
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  readonly #agent = new EgressAgent()
  readonly #failures = new Map<string, NetworkError>()
  readonly #publicHosts = new Set<string>()
  #route: EgressRoute | undefined
  #bytes = 0
  #onOverflow: (() => void) | undefined

  static async open(network: EgressNetwork): Promise<Egress> {
    const server = createServer({ keepAliveTimeout: 0 })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    return new Egress(server, network)
  }

  private constructor(server: Server, network: EgressNetwork) {
    this.#server = server
    this.#network = network
    this.#expected = Buffer.from(`Basic ${Buffer.from(`forage:${this.password}`).toString('base64')}`)
    this.port = (server.address() as AddressInfo).port
    network.dialer.policy.closePort(this.port)
    server.on('connection', socket => this.#watch(socket))
    server.on('request', (incoming, answer) => void this.#pass(incoming, answer))
    server.on('connect', (incoming, socket, head) => void this.#tunnel(incoming, socket, head))
    // Chromium tunnels WebSockets; an upgrade in the open is somebody else.
    server.on('upgrade', (_incoming, socket) => socket.destroy())
  }

  bind(route: EgressRoute, onOverflow: () => void): void {
    this.#route = route
    this.#onOverflow = onOverflow
  }

  /** Why the last connection to this host failed, if it did. */
  failure(url: URL): NetworkError | undefined {
    return this.#failures.get(targetOf(url).key)
  }

  get lastFailure(): NetworkError | undefined {
    return [...this.#failures.values()].at(-1)
  }

  /** Whether something of this host came from the public internet. */
  isPublic(host: string): boolean {
    return this.#publicHosts.has(host)
  }

  /** Cuts every connection and stops listening. */
  close(): void {
    this.#route = undefined
    this.#agent.destroy()
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    this.#network.dialer.policy.openPort(this.port)
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    answer.on('error', () => {})
    if (!this.#isOurs(incoming))
      return void answer.writeHead(407, { 'proxy-authenticate': 'Basic realm="forage"' }).end()
    const url = URL.parse(incoming.url ?? '')
    if (url?.protocol !== 'http:') return void answer.writeHead(400).end()
    if (url.href === WARM_UP) return void answer.writeHead(204).end()
    const { host, port, key } = targetOf(url)
    try {
      const route = this.#open(host, url.pathname)
      const routes = await this.#network.client.routes(route.proxy, url)
      await this.#send(incoming, answer, url, { host, port }, routes)
    } catch (error) {
      this.#failed(key, error)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502, { 'content-length': '0' }).end()
    }
  }

  /** By the first way that works: a PAC file can name several. */
  async #send(
    incoming: IncomingMessage,
    answer: ServerResponse,
    url: URL,
    target: Target,
    routes: readonly RouteChoice[],
  ): Promise<void> {
    for (const [index, choice] of routes.entries()) {
      try {
        return await this.#sendBy(choice, incoming, answer, url, target)
      } catch (error) {
        const isDead = error instanceof NetworkError && error.code === 'proxy_error'
        // A body that was sent in part cannot be sent again.
        if (!isDead || index === routes.length - 1 || hasBody(incoming)) throw error
      }
    }
  }

  async #sendBy(
    choice: RouteChoice,
    incoming: IncomingMessage,
    answer: ServerResponse,
    url: URL,
    target: Target,
  ): Promise<void> {
    const absolute = isAbsoluteForm(url.origin, choice.route) ? choice.route : undefined
    const authorization = absolute && proxyAuthorization(absolute)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const reach = this.#scope().reach(target.host)
    const onward = request({
      agent: this.#agent,
      method: incoming.method,
      path: absolute ? `${url.origin}${url.pathname}${url.search}` : `${url.pathname}${url.search}`,
      headers: [
        ...endToEnd(incoming.rawHeaders),
        ...(authorization ? ['proxy-authorization', authorization] : []),
      ],
      setDefaultHeaders: false,
      key: `${JSON.stringify(choice)} ${url.origin} ${reach}`,
      dial: () => this.#dial(choice, target, absolute !== undefined),
    } as object)
    onward.on('error', reject)
    answer.on('close', () => onward.destroy())
    onward.on('response', response => {
      if (absolute && response.statusCode === 407) {
        response.destroy()
        return reject(asksForPassword(absolute))
      }
      answer.writeHead(response.statusCode!, response.statusMessage, endToEnd(response.rawHeaders))
      response.on('data', (chunk: Buffer) => this.#count(chunk.length))
      response.on('error', () => answer.destroy())
      response.on('aborted', () => answer.destroy())
      response.pipe(answer)
      resolve()
    })
    incoming.pipe(onward)
    return promise
  }

  async #tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy())
    if (!this.#isOurs(incoming)) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="forage"\r\nContent-Length: 0\r\n\r\n',
      )
      return
    }
    const url = URL.parse(`https://${incoming.url}`)
    if (url === null) return void socket.destroy()
    const { host, port, key } = targetOf(url)
    try {
      const route = this.#open(host, undefined)
      const routes = await this.#network.client.routes(route.proxy, url)
      const upstream = await this.#dialFirst(routes, { host, port })
      upstream.on('data', (chunk: Buffer) => this.#count(chunk.length))
      upstream.on('close', () => socket.destroy())
      upstream.on('error', () => socket.destroy())
      socket.on('close', () => upstream.destroy())
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      if (head.length > 0) upstream.write(head)
      socket.pipe(upstream).pipe(socket)
    } catch (error) {
      this.#failed(key, error)
      socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
    }
  }

  async #dialFirst(routes: readonly RouteChoice[], target: Target): Promise<Socket> {
    for (const [index, choice] of routes.entries()) {
      try {
        return await this.#dial(choice, target, false)
      } catch (error) {
        const isDead = error instanceof NetworkError && error.code === 'proxy_error'
        if (!isDead || index === routes.length - 1) throw error
      }
    }
    throw new NetworkError('bad_proxy', 'The PAC file names no way to go.')
  }

  async #dial(choice: RouteChoice, target: Target, absolute: boolean): Promise<Socket> {
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
    this.#watch(connection.socket)
    // The job may have ended while this was dialled.
    if (this.#route === undefined) connection.socket.destroy()
    return connection.socket
  }

  #open(host: string, path: string | undefined): EgressRoute {
    if (this.#route === undefined)
      throw new NetworkError('blocked_address', 'An expression without a page reaches no address.')
    if (this.#route.isFiltered(host, path))
      throw new NetworkError('blocked_address', `${host} may not be reached: the filter blocks it.`)
    return this.#route
  }

  #scope(): Scope {
    if (this.#route === undefined) throw new NetworkError('aborted', 'The job has ended.')
    return this.#route.scope
  }

  #isOurs(incoming: IncomingMessage): boolean {
    const given = Buffer.from(incoming.headers['proxy-authorization'] ?? '')
    return given.length === this.#expected.length && timingSafeEqual(given, this.#expected)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#route && this.#bytes > this.#route.maxBytes) this.#onOverflow?.()
  }

  #failed(key: string, error: unknown): void {
    const known =
      error instanceof NetworkError
        ? error
        : new NetworkError('connection_lost', 'The connection broke before the whole answer was there.')
    this.#failures.set(key, known)
  }

  #watch(socket: Duplex): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }
}

function targetOf(url: URL): Target & { readonly key: string } {
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  return { host: url.hostname, port, key: `${url.hostname}:${port}` }
}

const hasBody = (incoming: IncomingMessage) =>
  incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined

/** The headers as they came, order, case and repetitions included, without those of the connection itself. */
function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    if (!hopByHop.has(raw[index]!.toLowerCase())) kept.push(raw[index]!, raw[index + 1]!)
  }
  return kept
}

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Target } from '../../../network/dialer.ts'
import { NetworkError } from '../../../network/errors.ts'
import type { RouteChoice } from '../../../network/pac-files.ts'
import { isAbsoluteForm } from '../../../network/pools.ts'
import { asksForPassword, proxyAuthorization } from '../../../network/proxy.ts'
import { EgressAgent } from './egress-agent.ts'
import { type EgressNetwork, type EgressRoute, isDeadProxy, RouteDialer } from './egress-route.ts'
import { endToEnd, hasBody } from './http-headers.ts'

/** Asked for by every new context, so that it learns the password. Nothing else may answer for this name. */
export const WARM_UP = 'http://warm-up.invalid/'

/**
 * The way out of one browser context: a proxy of our own on loopback, behind a password that the context alone has. It
 * sees every request of the context (redirects, frames, sockets, workers), and connects through the one dialer.
 */
export class Egress {
  readonly port: number
  readonly password = randomBytes(18).toString('base64url')
  readonly #expected: Buffer
  readonly #dialer: RouteDialer
  readonly #openPort: () => void
  readonly #server: Server
  readonly #sockets = new Set<Duplex>()
  readonly #agent = new EgressAgent()
  readonly #failures = new Map<string, NetworkError>()
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
    this.#dialer = new RouteDialer(network)
    this.#expected = Buffer.from(`Basic ${Buffer.from(`forage:${this.password}`).toString('base64')}`)
    this.port = (server.address() as AddressInfo).port
    // Whatever the policy allows: a page must not get to the way out of another.
    const { policy } = network.dialer
    policy.closePort(this.port)
    this.#openPort = () => policy.openPort(this.port)
    server.on('connection', socket => this.#watch(socket))
    server.on('request', (incoming, answer) => void this.#pass(incoming, answer))
    server.on('connect', (incoming, socket, head) => void this.#tunnel(incoming, socket, head))
    // Chromium tunnels WebSockets; an upgrade in the open is somebody else.
    server.on('upgrade', (_incoming, socket) => socket.destroy())
  }

  bind(route: EgressRoute, onOverflow: () => void): void {
    this.#dialer.bind(route)
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
    return this.#dialer.isPublic(host)
  }

  /** Cuts every connection and stops listening. */
  close(): void {
    this.#dialer.unbind()
    this.#agent.destroy()
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    this.#openPort()
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
      const routes = await this.#dialer.routes(url, url.pathname)
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
        // A body that was sent in part cannot be sent again.
        if (!isDeadProxy(error) || index === routes.length - 1 || hasBody(incoming)) throw error
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
    const reach = this.#dialer.reach(target.host)
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
      dial: async () => this.#watch(await this.#dialer.dial(choice, target, absolute !== undefined)),
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
      const routes = await this.#dialer.routes(url, undefined)
      const upstream = this.#watch(await this.#dialer.dialFirst(routes, { host, port }))
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

  #isOurs(incoming: IncomingMessage): boolean {
    const given = Buffer.from(incoming.headers['proxy-authorization'] ?? '')
    return given.length === this.#expected.length && timingSafeEqual(given, this.#expected)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#dialer.maxBytes) this.#onOverflow?.()
  }

  #failed(key: string, error: unknown): void {
    const known =
      error instanceof NetworkError
        ? error
        : new NetworkError('connection_lost', 'The connection broke before the whole answer was there.')
    this.#failures.set(key, known)
  }

  /** Cut with the others when the job ends. */
  #watch<T extends Duplex>(socket: T): T {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
    return socket
  }
}

function targetOf(url: URL): Target & { readonly key: string } {
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443))
  return { host: url.hostname, port, key: `${url.hostname}:${port}` }
}

import type { Socket } from 'node:net'
import { SocksClient, type SocksProxy as SocksOptions } from 'socks'
import { type Dialer, secure, type Target, within } from './dialer.ts'
import { NetworkError } from './errors.ts'
import type { Reach } from './policy.ts'

/** A proxy server that connections are made through. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks4' | 'socks5'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
}
/** What a user can write as a proxy: a server, or the address of a file that names one for each address. */
export type ProxyChoice = ProxyServer | { readonly kind: 'pac'; readonly url: string }

const kinds: Readonly<Record<string, readonly [ProxyServer['kind'], number]>> = {
  'http:': ['http', 80],
  'https:': ['https', 443],
  'socks:': ['socks5', 1080],
  'socks5:': ['socks5', 1080],
  'socks5h:': ['socks5', 1080],
  'socks4:': ['socks4', 1080],
  'socks4a:': ['socks4', 1080],
}

/** Reads `http://user:password@host:8080`, `socks5://host`, `pac+https://host/proxy.pac` and their like. */
export function parseProxy(text: string): ProxyChoice {
  const pac = /^pac[+:](?:\/\/)?(https?:\/\/.*)$/i.exec(text.trim())
  if (pac) return { kind: 'pac', url: readUrl(pac[1]!).href }
  const url = readUrl(text.trim())
  const [kind, usualPort] = kinds[url.protocol] ?? []
  if (!kind || !usualPort || url.hostname === '') throw badProxy()
  return {
    kind,
    host: url.hostname.toLowerCase(),
    port: url.port === '' ? usualPort : Number(url.port),
    username: decode(url.username),
    password: decode(url.password),
  }
}

const badProxy = () =>
  new NetworkError(
    'bad_proxy',
    'The proxy must be an http, https, socks, socks4 or socks5 address such as socks5://host:1080, or pac+https://host/proxy.pac.',
  )

function readUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    // No cause: the parser's error repeats the text, password included.
    throw badProxy()
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badProxy()
  }
}

/** A proxy in a message: without its user and password. */
const shownProxy = (proxy: ProxyServer): string => `${proxy.kind}://${proxy.host}:${proxy.port}`

export const proxyAuthorization = (proxy: ProxyServer): string | undefined =>
  proxy.username === '' && proxy.password === ''
    ? undefined
    : `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`

export interface ProxyOptions {
  /** How far the proxy itself may lie. */
  readonly reach: Reach
  readonly verify: boolean
  readonly signal?: AbortSignal
  readonly timeoutMs: number
}

/** Connects to the proxy itself: what requests in absolute form are sent over. */
export async function connectToProxy(
  dialer: Dialer,
  proxy: ProxyServer,
  options: ProxyOptions,
): Promise<Socket> {
  try {
    const { socket } = await dialer.connect(proxy, options)
    return proxy.kind === 'https' ? await secure(socket, proxy.host, options) : socket
  } catch (error) {
    if (!(error instanceof NetworkError) || error.code === 'blocked_address' || error.code === 'aborted')
      throw error
    throw new NetworkError('proxy_error', `The proxy ${shownProxy(proxy)} cannot be used. ${error.message}`, {
      final: error.final,
    })
  }
}

/** Connects to `target` through the proxy. */
export async function tunnel(
  dialer: Dialer,
  proxy: ProxyServer,
  target: Target,
  options: ProxyOptions,
): Promise<Socket> {
  const socket = await connectToProxy(dialer, proxy, options)
  const opening =
    proxy.kind === 'http' || proxy.kind === 'https'
      ? openHttpTunnel(socket, proxy, target)
      : openSocks(socket, proxy, target, options.timeoutMs)
  try {
    await within(opening, options.timeoutMs, options.signal, () =>
      proxyError(proxy, 'did not answer in time'),
    )
  } catch (error) {
    socket.destroy()
    throw error
  }
  return socket
}

const proxyError = (proxy: ProxyServer, what: string, final = false) =>
  new NetworkError('proxy_error', `The proxy ${shownProxy(proxy)} ${what}.`, { final })

async function openSocks(socket: Socket, proxy: ProxyServer, target: Target, timeout: number): Promise<void> {
  const given: SocksOptions = {
    host: proxy.host,
    port: proxy.port,
    type: proxy.kind === 'socks4' ? 4 : 5,
    ...(proxy.username === '' ? {} : { userId: proxy.username, password: proxy.password }),
  }
  const host = target.host.replace(/^\[(.*)\]$/, '$1')
  try {
    await SocksClient.createConnection({
      command: 'connect',
      existing_socket: socket,
      proxy: given,
      destination: { host, port: target.port },
      timeout,
    })
  } catch (error) {
    // Not as the cause: the library's error carries its options, password included.
    const reason = error instanceof Error ? error.message : 'no reason given'
    throw proxyError(proxy, `refused the connection: ${reason}`, /auth/i.test(reason))
  }
}

const longestHead = 16 * 1024

async function openHttpTunnel(socket: Socket, proxy: ProxyServer, target: Target): Promise<void> {
  const authority = `${target.host}:${target.port}`
  const authorization = proxyAuthorization(proxy)
  socket.write(
    `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${
      authorization ? `Proxy-Authorization: ${authorization}\r\n` : ''
    }\r\n`,
  )
  const head = await readHead(socket, proxy)
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
  if (Number.isNaN(status)) throw proxyError(proxy, 'does not speak HTTP', true)
  if (status === 407) throw asksForPassword(proxy)
  if (status < 200 || status > 299) throw proxyError(proxy, `refused the connection with status ${status}`)
}

export const asksForPassword = (proxy: ProxyServer): NetworkError =>
  proxyError(proxy, 'asks for a user and password, or refuses those given (407)', true)

/** Reads by `readable` and `read()`: a socket that was read by `data` and paused can hang whoever gets it next. */
function readHead(socket: Socket, proxy: ProxyServer): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const finish = (act: () => void) => {
      socket.off('readable', read)
      socket.off('close', broken)
      act()
    }
    const broken = () => finish(() => reject(proxyError(proxy, 'closed the connection')))
    const read = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        received = Buffer.concat([received, chunk])
        const end = received.indexOf('\r\n\r\n')
        if (end >= 0) {
          const rest = received.subarray(end + 4)
          if (rest.length > 0) socket.unshift(rest)
          return finish(() => resolve(received.subarray(0, end).toString('latin1')))
        }
        if (received.length > longestHead)
          return finish(() => reject(proxyError(proxy, 'does not speak HTTP', true)))
      }
    }
    socket.on('readable', read)
    socket.on('close', broken)
    socket.on('end', broken)
    socket.on('error', broken)
  })
}

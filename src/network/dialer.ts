import { promises as dns } from 'node:dns'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { systemCode } from '../fault.ts'
import { abortError, NetworkError } from './errors.ts'
import type { NetworkPolicy, Reach } from './policy.ts'

/** Gives every address of a name. */
export type Lookup = (host: string) => Promise<readonly string[]>

export interface Target {
  readonly host: string
  readonly port: number
}
export interface DialOptions {
  readonly reach: Reach
  readonly signal?: AbortSignal
  /** For resolving and connecting together; TLS has as long again. */
  readonly timeoutMs?: number
}
export interface TlsOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** False takes any certificate. */
  readonly verify: boolean
}
export interface Connection {
  readonly socket: Socket
  /** The address lies on the public internet. */
  readonly public: boolean
}
/** The addresses of a host that were all allowed. */
export interface Resolved {
  readonly addresses: readonly string[]
  readonly public: boolean
}

const defaultTimeoutMs = 10_000

/**
 * The one way out. It resolves a name once, demands that every address of it is allowed and connects to exactly
 * those: there is no second look-up that could answer otherwise.
 */
export class Dialer {
  readonly policy: NetworkPolicy
  readonly lookup: Lookup

  constructor(policy: NetworkPolicy, lookup: Lookup = systemLookup) {
    this.policy = policy
    this.lookup = lookup
  }

  /** Resolves and checks, without connecting. */
  async resolve(target: Target, options: DialOptions): Promise<Resolved> {
    const host = target.host.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(host) ? [host] : await this.#addresses(host, options)
    const verdict = this.policy.check(shown(target.host), target.port, addresses, options.reach)
    return { addresses, public: verdict.public }
  }

  async connect(target: Target, options: DialOptions): Promise<Connection> {
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs
    const started = performance.now()
    const resolved = await this.resolve(target, options)
    const left = Math.max(1, timeoutMs - (performance.now() - started))
    const socket = openSocket(resolved.addresses, target.port)
    await settled(
      socket,
      'connect',
      `Connecting to ${shown(target.host)}:${target.port}`,
      left,
      options.signal,
    )
    return { socket, public: resolved.public }
  }

  async #addresses(host: string, options: DialOptions): Promise<readonly string[]> {
    const failed = (cause?: unknown) =>
      new NetworkError('dns_error', `The name ${shown(host)} does not resolve.`, { cause })
    const looking = this.lookup(host).catch(cause => {
      throw failed(cause)
    })
    const addresses = await within(
      looking,
      options.timeoutMs ?? defaultTimeoutMs,
      options.signal,
      () => new NetworkError('connect_timeout', `The name ${shown(host)} did not resolve in time.`),
    )
    if (addresses.length === 0) throw failed()
    return addresses
  }
}

/** Speaks TLS over a connection; the certificate must be valid for `host` unless `verify` is false. */
export async function secure(socket: Duplex, host: string, options: TlsOptions): Promise<TLSSocket> {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const secured = connectTls({
    socket,
    host: name,
    // Names only: an address must not be sent as the server's name (RFC 6066).
    servername: isIP(name) ? '' : name,
    rejectUnauthorized: options.verify,
    ALPNProtocols: ['http/1.1'],
  })
  // The TLS socket reports what breaks below it; without a listener of its own the lower one would end the process.
  socket.on('error', error => secured.destroy(error))
  await settled(
    secured,
    'secureConnect',
    `TLS with ${shown(host)}`,
    options.timeoutMs ?? defaultTimeoutMs,
    options.signal,
  )
  return secured
}

const systemLookup: Lookup = async host => {
  // Never a question for a name server (RFC 6761), which could answer anything.
  if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1']
  return (await dns.lookup(host, { all: true, order: 'verbatim' })).map(({ address }) => address)
}

/** A host in a message; a name can be long and come from anywhere. */
const shown = (host: string) => (host.length > 100 ? `${host.slice(0, 100)}…` : host)

function openSocket(addresses: readonly string[], port: number): Socket {
  if (addresses.length === 1) return connectTcp({ host: addresses[0]!, port, noDelay: true, keepAlive: true })
  const list = addresses.map(address => ({ address, family: isIP(address) }))
  return connectTcp({
    // Never resolved: `lookup` answers with the addresses that were checked, and Node.js tries them in turn.
    host: 'checked.invalid',
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1000,
    lookup: (_host, _options, callback) => callback(null, list),
  })
}

const tlsFailure = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO)/

async function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  what: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const done = new Promise<void>((resolve, reject) => {
    socket.once(event, resolve)
    socket.on('error', cause => reject(failure(what, event, cause)))
    socket.once('close', () => reject(failure(what, event)))
  })
  try {
    await within(done, timeoutMs, signal, () => new NetworkError('connect_timeout', `${what} took too long.`))
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function failure(what: string, event: string, cause?: Error): NetworkError {
  const code = systemCode(cause)
  if (event === 'secureConnect') {
    const reason = code && tlsFailure.test(code) ? `: ${code}` : ': the connection broke'
    // A broken hand-shake can be bad luck; a bad certificate stays one.
    return code && tlsFailure.test(code)
      ? new NetworkError('tls_error', `${what} failed${reason}.`, { cause })
      : new NetworkError('connect_error', `${what} failed${reason}.`, { cause })
  }
  return new NetworkError('connect_error', `${what} failed${code ? `: ${code}` : ''}.`, { cause })
}

/** Waits for a promise, but no longer than `timeoutMs` and not past an abort. */
export async function within<T>(
  promise: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  late: () => Error,
): Promise<T> {
  if (signal?.aborted) {
    promise.catch(() => {})
    throw abortError(signal)
  }
  let timer: NodeJS.Timeout | undefined
  let abort: (() => void) | undefined
  try {
    return await new Promise<T>((resolve, reject) => {
      promise.then(resolve, reject)
      timer = setTimeout(() => reject(late()), timeoutMs)
      abort = () => reject(abortError(signal!))
      signal?.addEventListener('abort', abort, { once: true })
    })
  } finally {
    clearTimeout(timer)
    if (abort) signal?.removeEventListener('abort', abort)
  }
}

import { isIPv4 } from 'node:net'
import { Worker } from 'node:worker_threads'
import { entryUrl } from '../entry.ts'
import type { Lookup } from './dialer.ts'
import { NetworkError } from './errors.ts'
import type { ProxyServer } from './proxy.ts'

/** A way that a PAC file names: a proxy, or straight. */
export type Route = ProxyServer | 'direct'

export type ToPac =
  | { readonly id: number; readonly url: string }
  | { readonly resolved: string; readonly address: string | null }
export type FromPac =
  | { readonly id: number; readonly answer: string }
  | { readonly id: number; readonly failed: string }
  | { readonly lookup: string }

const rememberedOrigins = 500

interface Waiting {
  resolve(answer: string): void
  reject(error: NetworkError): void
  readonly timer: NodeJS.Timeout
}

/** A PAC file, run on a thread of its own: one that spins or hoards hurts nobody else. */
export class PacFile {
  readonly #worker: Worker
  readonly #lookup: Lookup
  readonly #answerMs: number
  readonly #waiting = new Map<number, Waiting>()
  readonly #known = new Map<string, readonly Route[]>()
  #lastId = 0
  #failure: NetworkError | undefined

  /** `answerMs`: for an answer, names that the file looks up and the start of its thread included. */
  constructor(source: string, lookup: Lookup, answerMs = 5000) {
    this.#lookup = lookup
    this.#answerMs = answerMs
    this.#worker = new Worker(entryUrl('network/pac-worker'), {
      workerData: source,
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromPac) => this.#receive(message))
    this.#worker.on('error', error => this.#fail(error.message))
    this.#worker.on('exit', () => this.#fail('it was ended'))
  }

  /** The ways for an address, in the order to try. Only its origin is shown to the file: paths can hold secrets. */
  async routes(url: URL): Promise<readonly Route[]> {
    const known = this.#known.get(url.origin)
    if (known) return known
    const routes = readRoutes(await this.#ask(`${url.origin}/`))
    if (this.#known.size >= rememberedOrigins) this.#known.clear()
    this.#known.set(url.origin, routes)
    return routes
  }

  close(): void {
    void this.#worker.terminate()
  }

  #ask(url: string): Promise<string> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail('it takes too long'), this.#answerMs)
      this.#waiting.set(id, { resolve, reject, timer })
      this.#post({ id, url })
    })
  }

  #receive(message: FromPac): void {
    if ('lookup' in message) return void this.#resolve(message.lookup)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    clearTimeout(waiting?.timer)
    if ('answer' in message) waiting?.resolve(message.answer)
    else waiting?.reject(unusable(message.failed))
  }

  async #resolve(host: string): Promise<void> {
    const addresses = await this.#lookup(host).catch(() => [])
    this.#post({ resolved: host, address: addresses.find(isIPv4) ?? null })
  }

  #post(message: ToPac): void {
    this.#worker.postMessage(message)
  }

  /** The thread is of no more use: everybody who waits is told, and so is everybody who asks later. */
  #fail(reason: string): void {
    this.#failure ??= unusable(reason)
    for (const { timer, reject } of this.#waiting.values()) {
      clearTimeout(timer)
      reject(this.#failure)
    }
    this.#waiting.clear()
    this.close()
  }
}

const unusable = (reason: string) =>
  new NetworkError('bad_proxy', `The PAC file cannot be used: ${reason.slice(0, 200)}.`)

const directives: Readonly<Record<string, readonly [ProxyServer['kind'], number]>> = {
  PROXY: ['http', 80],
  HTTP: ['http', 80],
  HTTPS: ['https', 443],
  SOCKS: ['socks5', 1080],
  SOCKS5: ['socks5', 1080],
  SOCKS4: ['socks4', 1080],
}

/** Reads `PROXY a:8080; SOCKS5 b:1080; DIRECT`; nothing readable is direct, as browsers take it. */
function readRoutes(answer: string): readonly Route[] {
  const routes = answer
    .split(';')
    .map(readRoute)
    .filter((route): route is Route => route !== undefined)
  return routes.length > 0 ? routes : ['direct']
}

function readRoute(text: string): Route | undefined {
  const [directive = '', authority = ''] = text.trim().split(/\s+/)
  if (directive.toUpperCase() === 'DIRECT') return 'direct'
  const found = directives[directive.toUpperCase()]
  const place = /^(\[[0-9a-f:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/i.exec(authority)
  if (!found || !place) return undefined
  const port = place[2] === undefined ? found[1] : Number(place[2])
  return port > 65_535
    ? undefined
    : { kind: found[0], host: place[1]!.toLowerCase(), port, username: '', password: '' }
}

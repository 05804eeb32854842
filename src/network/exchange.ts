import type { Dispatcher } from 'undici'
import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { gather, tooLarge, unpack } from './body.ts'
import { BodyStream } from './body-stream.ts'
import type { Handler } from './clients.ts'
import type { PoolEntry } from './pools.ts'
import type { ProxyServer } from './proxy.ts'
import { type Headers, type Hop, isRedirect } from './redirect.ts'

/** As much of a body that nobody wants is read, so that its connection can serve again. */
export const MOST_DISCARDED = 64 * 1024

export interface ExchangeOptions {
  /** Whether the body is wanted as a stream. Else it is gathered, unless it is packed. */
  readonly streams: boolean
  /** Whether redirects are followed: what they say besides is of no use then. */
  readonly follows: boolean
  /** Of a body that is gathered. */
  readonly maxBytes: number
}

const NONE: Headers = {}
const NOTHING = () => {}

/**
 * The answers that came in one turn of the loop are told together: whatever is done with an answer is then done to all of
 * them, step by step, and the processor has each step at hand. One by one, 64 at once took a fifth longer.
 */
let ended: Exchange[] = []

function tellAll(): void {
  const all = ended
  ended = []
  for (const exchange of all) exchange.tell()
}

/**
 * One request and its answer, told by undici step by step. Undici's own `request` makes a stream of every body, which
 * for a small one costs more than all the rest; this gathers it by itself.
 */
export class Exchange implements Handler {
  /** Resolves when the body is gathered or let go; with a stream, when the headers are there. */
  readonly ready: Promise<void>
  readonly hop: Hop
  /** The proxy that was sent the whole address, and may answer in the place of the host. */
  readonly proxy: ProxyServer | undefined
  status = 0
  headers = NONE
  /** The body, where it is not gathered. */
  stream: BodyStream | undefined
  isAnswered = false
  onFree = NOTHING
  readonly #options: ExchangeOptions
  readonly #entry: PoolEntry
  #resolve!: () => void
  #reject!: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #abortedBy: Error | undefined
  #isDiscarded = false
  #first: Buffer | undefined
  #rest: Buffer[] | undefined
  #size = 0

  constructor(hop: Hop, options: ExchangeOptions, entry: PoolEntry, proxy: ProxyServer | undefined) {
    this.hop = hop
    this.proxy = proxy
    this.#options = options
    this.#entry = entry
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  get isGivenUp(): boolean {
    return this.#abortedBy !== undefined
  }

  /** Its connection led to a public address. */
  get isPublic(): boolean {
    return this.#entry.public
  }

  /** The body, unpacked, where it was not asked for as a stream. */
  whole(): Buffer | Promise<Buffer> {
    if (this.stream) return this.#unpacked(this.stream)
    if (!this.#first) return Buffer.alloc(0)
    return this.#rest ? Buffer.concat([this.#first, ...this.#rest]) : this.#first
  }

  release(): void {
    this.#entry.release()
  }

  #unpacked(stream: BodyStream): Promise<Buffer> {
    try {
      const encoding = String(this.headers['content-encoding'])
      return gather(unpack(stream, encoding, this.#options.maxBytes, error => error))
    } catch (error) {
      // Nobody will read it: its connection would never be free again.
      stream.destroy()
      throw error
    }
  }

  abort(reason: Error): void {
    this.#abortedBy ??= reason
    if (this.stream) this.stream.destroy(reason)
    else this.#controller?.abort(reason)
    this.#reject(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#abortedBy) controller.abort(this.#abortedBy)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 103 and its like come before the answer.
    if (status < 200) return
    this.status = status
    this.headers = headers as Headers
    this.isAnswered = true
    const { streams, follows, maxBytes } = this.#options
    const hasBody = this.hop.method !== 'HEAD' && status !== 204 && status !== 304
    this.#isDiscarded =
      (follows && isRedirect(status, headers)) || (this.proxy !== undefined && status === 407)
    if (this.#isDiscarded) return
    if (streams || (hasBody && headers['content-encoding'] !== undefined)) {
      this.stream = new BodyStream(controller)
      this.#resolve()
    } else if (hasBody && Number(headers['content-length'] ?? 0) > maxBytes) {
      controller.abort(tooLarge(maxBytes))
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length
    const { maxBytes } = this.#options
    if (this.stream) this.stream.data(chunk)
    else if (this.#isDiscarded) this.#discard(controller)
    else if (this.#size > maxBytes) controller.abort(tooLarge(maxBytes))
    else if (!this.#first) this.#first = chunk
    else if (this.#rest) this.#rest.push(chunk)
    else this.#rest = [chunk]
  }

  onResponseEnd(): void {
    this.stream?.end()
    if (ended.push(this) === 1) setImmediate(tellAll)
  }

  /** It is over: its connection can serve again, and whoever waits for it goes on. */
  tell(): void {
    this.#takeFree()()
    this.#resolve()
  }

  /** Once: a connection that is given back twice would get two requests. */
  #takeFree(): () => void {
    const free = this.onFree
    this.onFree = NOTHING
    return free
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.stream?.fail(error)
    // Undici does not expect another request on this connection before it is through with the failure.
    setImmediate(this.#takeFree())
    this.#reject(error)
  }

  #discard(controller: Dispatcher.DispatchController): void {
    if (this.#size <= MOST_DISCARDED) return
    this.#resolve()
    controller.abort(new Error('The rest of the body is not wanted.'))
  }
}

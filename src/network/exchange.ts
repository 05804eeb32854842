import type { Dispatcher } from 'undici'
import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { tooLarge } from './body.ts'
import { BodyStream } from './body-stream.ts'
import type { Handler } from './clients.ts'
import { type Headers, isRedirect } from './redirect.ts'

/** As much of a body that nobody wants is read, so that its connection can serve again. */
export const MOST_DISCARDED = 64 * 1024

export interface ExchangeOptions {
  readonly method: string
  /** Whether the body is wanted as a stream. Else it is gathered, unless it is packed. */
  readonly streams: boolean
  /** Whether redirects are followed: what they say besides is of no use then. */
  readonly follows: boolean
  /** Whether a proxy may answer in the place of the host. */
  readonly isProxied: boolean
  /** Of a body that is gathered. */
  readonly maxBytes: number
}

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
  status = 0
  headers: Headers = {}
  /** The body, where it is not gathered. */
  stream: BodyStream | undefined
  isAnswered = false
  onFree = () => {}
  readonly #options: ExchangeOptions
  #resolve!: () => void
  #reject!: (reason: unknown) => void
  #controller: Dispatcher.DispatchController | undefined
  #abortedBy: Error | undefined
  #isDiscarded = false
  #first: Buffer | undefined
  readonly #rest: Buffer[] = []
  #size = 0

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.ready = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  /** The body, where it was gathered. */
  get bytes(): Buffer {
    if (!this.#first) return Buffer.alloc(0)
    return this.#rest.length === 0 ? this.#first : Buffer.concat([this.#first, ...this.#rest])
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
    const { method, streams, follows, isProxied, maxBytes } = this.#options
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
    this.#isDiscarded = (follows && isRedirect(status, headers)) || (isProxied && status === 407)
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
    else if (this.#first) this.#rest.push(chunk)
    else this.#first = chunk
  }

  onResponseEnd(): void {
    this.stream?.end()
    if (ended.push(this) === 1) setImmediate(tellAll)
  }

  /** It is over: its connection can serve again, and whoever waits for it goes on. */
  tell(): void {
    this.onFree()
    this.#resolve()
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.stream?.fail(error)
    // Undici does not expect another request on this connection before it is through with the failure.
    setImmediate(this.onFree)
    this.#reject(error)
  }

  #discard(controller: Dispatcher.DispatchController): void {
    if (this.#size <= MOST_DISCARDED) return
    this.#resolve()
    controller.abort(new Error('The rest of the body is not wanted.'))
  }
}

import type { Readable } from 'node:stream'
import { gather, tooLarge, unpack } from './body.ts'
import type { BodyStream } from './body-stream.ts'
import { MOST_DISCARDED } from './exchange.ts'
import { type Headers, headerText } from './redirect.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly url: URL
  readonly method: string
  readonly redirects: number
  readonly stream: BodyStream
  readonly maxBytes: number
  readonly toError: (error: unknown) => unknown
}

/** An answer, its body still to be read: once, by `stream`, `bytes`, `text` or `discard`. */
export class HttpResponse {
  readonly status: number
  readonly headers: Headers
  /** Where the answer came from, after all redirects. */
  readonly url: URL
  readonly redirects: number
  readonly #answer: Answer

  constructor(answer: Answer) {
    this.status = answer.status
    this.headers = answer.headers
    this.url = answer.url
    this.redirects = answer.redirects
    this.#answer = answer
  }

  /** One header as text; several of a name are joined. */
  header(name: string): string | undefined {
    return headerText(this.headers, name)
  }

  /** The body, unpacked and held to the byte limit. */
  stream(): Readable {
    const { stream, method, status, maxBytes, toError } = this.#answer
    const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
    try {
      if (hasBody && Number(this.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
      return unpack(stream, hasBody ? this.header('content-encoding') : undefined, maxBytes, toError)
    } catch (error) {
      this.discard()
      throw error
    }
  }

  async bytes(): Promise<Buffer> {
    return gather(this.stream())
  }

  async text(): Promise<string> {
    return (await this.bytes()).toString('utf8')
  }

  /** Lets go of the body: a short one is read to its end, so that the connection can serve again. */
  discard(): void {
    this.#answer.stream.dump(MOST_DISCARDED)
  }
}

import { finished, type Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { tooLarge, unpack } from './body.ts'
import type { Headers } from './redirect.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly url: URL
  readonly redirects: number
  readonly body: Dispatcher.ResponseData['body']
  readonly hasBody: boolean
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

  constructor(answer: Answer, onEnd: () => void) {
    this.status = answer.status
    this.headers = answer.headers
    this.url = answer.url
    this.redirects = answer.redirects
    this.#answer = answer
    finished(answer.body, onEnd)
  }

  /** One header as text; several of a name are joined. */
  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** The body, unpacked and held to the byte limit. */
  stream(): Readable {
    const { body, hasBody, maxBytes, toError } = this.#answer
    try {
      if (this.#announcedBytes() > maxBytes) throw tooLarge(maxBytes)
      return unpack(body, hasBody ? this.header('content-encoding') : undefined, maxBytes, toError)
    } catch (error) {
      this.discard()
      throw error
    }
  }

  async bytes(): Promise<Buffer> {
    const isPacked = this.#answer.hasBody && this.header('content-encoding') !== undefined
    if (!isPacked && this.#announcedBytes() <= this.#answer.maxBytes) return this.#plainBytes()
    const chunks: Buffer[] = []
    for await (const chunk of this.stream()) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  async text(): Promise<string> {
    return (await this.bytes()).toString('utf8')
  }

  /** Lets go of the body: a short one is read to its end, so that the connection can serve again. */
  discard(): void {
    this.#answer.body.dump({ limit: 64 * 1024 }).catch(() => {})
  }

  /** Straight from the socket's chunks: the common case of a small answer, at a fraction of a stream's cost. */
  #plainBytes(): Promise<Buffer> {
    const { body, maxBytes, toError } = this.#answer
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      body.on('error', error => reject(toError(error)))
      body.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
      body.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) body.destroy(tooLarge(maxBytes))
        else chunks.push(chunk)
      })
    })
  }

  #announcedBytes(): number {
    return this.#answer.hasBody ? Number(this.header('content-length') ?? 0) : 0
  }
}

import type { Headers } from './redirect.ts'
import type { HttpResponse } from './response.ts'

/** An answer with its whole body. */
export class WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly url: URL
  readonly bytes: Buffer
  readonly ms: number
  readonly #response: HttpResponse

  private constructor(response: HttpResponse, bytes: Buffer, ms: number) {
    this.status = response.status
    this.headers = response.headers
    this.url = response.url
    this.bytes = bytes
    this.ms = ms
    this.#response = response
  }

  /** `sentAt`: when the request left, by `performance.now()`. */
  static async of(response: HttpResponse, sentAt: number): Promise<WholeResponse> {
    const bytes = await response.bytes()
    return new WholeResponse(response, bytes, Math.round(performance.now() - sentAt))
  }

  header(name: string): string | undefined {
    return this.#response.header(name)
  }

  /** The body has been read: there is nothing left to let go of. */
  discard(): void {}
}

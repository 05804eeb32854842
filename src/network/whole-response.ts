import { type Headers, headerText } from './redirect.ts'

/** An answer with its whole body. */
export class WholeResponse {
  readonly status: number
  readonly headers: Headers
  /** Where the answer came from, after all redirects. */
  readonly url: URL
  readonly bytes: Buffer
  /** From when the request left to the end of the body. */
  readonly ms: number

  constructor(
    { status, headers }: { readonly status: number; readonly headers: Headers },
    url: URL,
    bytes: Buffer,
    ms: number,
  ) {
    this.status = status
    this.headers = headers
    this.url = url
    this.bytes = bytes
    this.ms = ms
  }

  /** One header as text; several of a name are joined. */
  header(name: string): string | undefined {
    return headerText(this.headers, name)
  }

  /** The body has been read: there is nothing left to let go of. */
  discard(): void {}
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from './reply.ts'

const BODY_LIMIT = 10 * 1024 * 1024
const PLAIN_HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i

/** One request, with what the handlers ask of it. */
export class Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  params: Record<string, string> = {}

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request
    this.response = response
    this.url = addressOf(request)
  }

  get method(): string {
    return this.request.method ?? 'GET'
  }

  get path(): string {
    return this.url.pathname
  }

  /** Scheme, host and port as the visitor wrote them, so that links lead back the way they came. */
  get origin(): string {
    return this.url.origin
  }

  get wantsPage(): boolean {
    return (this.request.headers.accept ?? '').includes('text/html')
  }

  query(name: string): string | undefined {
    return this.url.searchParams.get(name) ?? undefined
  }

  /** A whole number from the query string, refused by name when it is none or out of bounds. */
  number(name: string, fallback: number, least: number, most: number): number {
    const text = this.query(name)
    if (text === undefined) return fallback
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw new Refusal(400, `${name} must be a whole number from ${least} to ${most}, not "${text}"`)
  }

  /** This address with other query parameters: undefined takes one away. */
  with(changes: Record<string, string | number | undefined>): URL {
    const url = new URL(this.url)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, String(value))
    }
    return url
  }

  cookie(name: string): string | undefined {
    const pairs = (this.request.headers.cookie ?? '').split(';').map(pair => pair.trim())
    return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1)
  }

  get contentType(): string {
    return (this.request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  }

  async body(): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of this.request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > BODY_LIMIT) {
        throw new Refusal(413, `the body is larger than ${BODY_LIMIT} bytes`, { connection: 'close' })
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  async json(): Promise<unknown> {
    const text = (await this.body()).toString()
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new Refusal(400, `the body is not JSON: ${(error as Error).message}`)
    }
  }

  /** The fields of a form, or of a JSON object sent in its place, as text. */
  async fields(): Promise<Record<string, string>> {
    if (this.contentType !== 'application/json') {
      return Object.fromEntries(new URLSearchParams((await this.body()).toString()))
    }
    const value = await this.json()
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      throw new Refusal(400, 'the body must be a JSON object')
    }
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, String(field)]))
  }
}

function addressOf(request: IncomingMessage): URL {
  const host = request.headers.host ?? ''
  const origin = `http://${PLAIN_HOST.test(host) ? host : `127.0.0.1:${request.socket.localPort ?? 80}`}`
  const target = request.url ?? '/'
  // A path such as //example.org would be read as a host if it were resolved; put behind the origin it stays a path.
  if (target.startsWith('/')) return new URL(origin + target)
  // A client that takes this site for its proxy sends the whole address.
  const whole = new URL(target, origin)
  return new URL(origin + whole.pathname + whole.search)
}

import type { Static } from 'typebox'
import type { EventOf, Session } from '../browser/connection.ts'
import type {
  CapturedRequest as CapturedRequestRecord,
  RequestSummary as RequestSummaryRecord,
} from '../records.ts'

export type CapturedRequest = Static<typeof CapturedRequestRecord>
export type RequestSummary = Static<typeof RequestSummaryRecord>

interface Entry {
  readonly request: CapturedRequest
  readonly startedAt: number
  readonly id: string
}

const MOST_REQUESTS = 10_000
const MOST_BODY_BYTES = 50_000_000
const textual =
  /^(text\/|application\/(json|javascript|xml|.*\+json|.*\+xml|x-javascript|ecmascript)|image\/svg)/i

/** Notes every request of a page as the browser tells of it, without holding any of them up. */
export class RequestLog {
  readonly #session: Session
  readonly #host: string
  readonly #mainFrame: string
  readonly #entries: Entry[] = []
  readonly #byId = new Map<string, Entry>()
  readonly #frames = new Map<string, string>()
  #firstAt: number | undefined

  constructor(session: Session, host: string, mainFrame: string) {
    this.#session = session
    this.#host = host
    this.#mainFrame = mainFrame
    session.on('Network.requestWillBeSent', event => this.#sent(event))
    session.on('Network.responseReceived', event => this.#answered(event))
    session.on('Network.loadingFinished', event => this.#finished(event))
    session.on('Network.loadingFailed', event => this.#failed(event))
    session.on('Network.requestServedFromCache', ({ requestId }) => {
      const entry = this.#byId.get(requestId)
      if (entry) entry.request.fromCache = true
    })
    session.on('Page.frameNavigated', ({ frame }) => this.#frames.set(frame.id, frame.url))
  }

  get requests(): CapturedRequest[] {
    return this.#entries.map(({ request }) => request)
  }

  /** Adds the bodies that are texts. The browser keeps so many bytes of them and no more. */
  async readBodies(): Promise<void> {
    let left = MOST_BODY_BYTES
    for (const { id, request } of this.#entries) {
      request.responseText = null
      if (request.status === null || left <= 0 || !textual.test(request.mimeType ?? '')) continue
      try {
        const { body, base64Encoded } = await this.#session.send('Network.getResponseBody', { requestId: id })
        request.responseText = base64Encoded ? Buffer.from(body, 'base64').toString() : body
        left -= body.length
      } catch {
        // Not kept: a redirect, an empty answer, or past the browser's limit.
      }
    }
  }

  #sent(event: EventOf<'Network.requestWillBeSent'>): void {
    if (event.redirectResponse) this.#redirected(event)
    if (this.#entries.length >= MOST_REQUESTS || !/^(https?|wss?):/i.test(event.request.url)) return
    this.#firstAt ??= event.timestamp
    const { initiator } = event
    const frame = initiator.stack?.callFrames[0] ?? initiator.stack?.parent?.callFrames[0]
    const request: CapturedRequest = {
      url: event.request.url,
      method: event.request.method,
      type: (event.type ?? 'Other').toLowerCase(),
      external: hostOf(event.request.url) !== this.#host,
      frame: event.frameId === undefined ? null : this.#frameOf(event.frameId, event.documentURL),
      initiator: {
        type: initiator.type,
        url: initiator.url ?? frame?.url ?? null,
        line: initiator.lineNumber ?? frame?.lineNumber ?? null,
      },
      requestHeaders: { ...event.request.headers },
      requestBody: event.request.postData ?? null,
      status: null,
      mimeType: null,
      protocol: null,
      responseHeaders: null,
      bytes: null,
      startMs: milliseconds(event.timestamp - this.#firstAt),
      waitMs: null,
      durationMs: null,
      failed: null,
      fromCache: false,
    }
    const entry = { request, startedAt: event.timestamp, id: event.requestId }
    this.#entries.push(entry)
    this.#byId.set(event.requestId, entry)
  }

  #redirected({ requestId, redirectResponse, timestamp }: EventOf<'Network.requestWillBeSent'>): void {
    const entry = this.#byId.get(requestId)
    if (!entry || !redirectResponse) return
    note(entry.request, redirectResponse)
    entry.request.bytes = redirectResponse.encodedDataLength
    entry.request.durationMs = milliseconds(timestamp - entry.startedAt)
  }

  #answered({ requestId, response, timestamp }: EventOf<'Network.responseReceived'>): void {
    const entry = this.#byId.get(requestId)
    if (!entry) return
    note(entry.request, response)
    entry.request.waitMs = milliseconds(timestamp - entry.startedAt)
  }

  #finished({ requestId, timestamp, encodedDataLength }: EventOf<'Network.loadingFinished'>): void {
    const entry = this.#byId.get(requestId)
    if (!entry) return
    entry.request.bytes = Math.max(0, Math.round(encodedDataLength))
    entry.request.durationMs = milliseconds(timestamp - entry.startedAt)
  }

  #failed({ requestId, timestamp, errorText, blockedReason }: EventOf<'Network.loadingFailed'>): void {
    const entry = this.#byId.get(requestId)
    if (!entry) return
    entry.request.failed = blockedReason ?? (errorText.replace(/^net::/, '') || 'failed')
    entry.request.durationMs = milliseconds(timestamp - entry.startedAt)
  }

  #frameOf(frameId: string, documentUrl: string): string {
    return frameId === this.#mainFrame ? 'main' : (this.#frames.get(frameId) ?? documentUrl)
  }
}

function note(request: CapturedRequest, response: EventOf<'Network.responseReceived'>['response']): void {
  request.status = response.status
  request.mimeType = response.mimeType || null
  request.protocol = response.protocol ?? null
  request.responseHeaders = { ...response.headers }
  request.fromCache ||= response.fromDiskCache === true || response.fromServiceWorker === true
}

const milliseconds = (seconds: number) => Math.max(0, Math.round(seconds * 10_000) / 10)
const hostOf = (url: string) => URL.parse(url)?.hostname ?? ''

/** The same counted by domain and by type, the busiest first. */
export function summarize(requests: readonly CapturedRequest[]): RequestSummary {
  const bytesOf = (list: readonly CapturedRequest[]) => list.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
  const failedOf = (list: readonly CapturedRequest[]) => list.filter(({ failed }) => failed !== null).length
  const busiest = (a: { requests: number }, b: { requests: number }) => b.requests - a.requests
  const domains = [...Map.groupBy(requests, ({ url }) => hostOf(url))].map(([domain, list]) => ({
    domain,
    external: list[0]!.external,
    requests: list.length,
    failed: failedOf(list),
    bytes: bytesOf(list),
  }))
  const types = [...Map.groupBy(requests, ({ type }) => type)].map(([type, list]) => ({
    type,
    requests: list.length,
    bytes: bytesOf(list),
  }))
  return {
    requests: requests.length,
    external: requests.filter(({ external }) => external).length,
    failed: failedOf(requests),
    bytes: bytesOf(requests),
    domains: domains.sort(busiest),
    types: types.sort(busiest),
  }
}

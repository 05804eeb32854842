import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { json, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Static } from 'typebox'
import type { ExportFormat } from '../../engine/tables/export.ts'
import type { ResultColumn } from '../../engine/tables/results.ts'
import { Fault, systemCode } from '../../fault.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import { parseJson, type Row } from '../../language/json.ts'
import type { PlanDocument } from '../../language/plan.ts'
import type { QueryRecord } from '../../services/sirp/records.ts'
import { InvalidQuery, type Rows, type Session, type Stage } from './session.ts'

type Query = Static<typeof QueryRecord>

interface Request {
  readonly method?: 'GET' | 'POST'
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A service that restarts answers 503 for a moment. */
const RETRIES = 30
const RETRY_MS = 1000

/** Queries on a server, over its HTTP interface. */
export class ServerSession implements Session {
  readonly #base: URL
  readonly #key: string

  constructor(address: string, key: string) {
    this.#base = baseOf(address)
    this.#key = key
  }

  async plan(query: string): Promise<PlanDocument> {
    const answer = await this.#ask('query/parse', { method: 'POST', body: { query } })
    return parseJson(await text(answer)) as unknown as PlanDocument
  }

  async dispatch(query: string): Promise<string> {
    const answer = await this.#ask('query/runner/dispatch?limit=0', {
      method: 'POST',
      body: { query },
      headers: { prefer: 'respond-async' },
    })
    return ((await json(answer)) as Query).id
  }

  /** The stream of events ends with the query; where it ends earlier (a proxy, a restart) it is asked for again. */
  async ended(id: string): Promise<Query> {
    for (;;) {
      const record = await this.#get<Query>(`queries/${id}`)
      if (record.status !== 'queued' && record.status !== 'running') return record
      await this.#waitForEvents(id)
    }
  }

  async stages(id: string): Promise<readonly Stage[]> {
    return (await this.#get<{ items: Stage[] }>(`queries/${id}/stages?limit=1000`)).items
  }

  async cancel(id: string): Promise<void> {
    const answer = await this.#send(`queries/${id}/cancel`, { method: 'POST' })
    // 409: it has ended meanwhile.
    if (answer.statusCode === 409) answer.resume()
    else (await this.#accepted(answer)).resume()
  }

  async rows(id: string, limit: number): Promise<Rows> {
    const answer = await this.#ask(`queries/${id}/results?limit=${limit}`)
    const page = parseJson(await text(answer)) as unknown as {
      results: { content: Row }[]
      columns: ResultColumn[]
      total: number
    }
    return { columns: page.columns, total: page.total, rows: page.results.map(({ content }) => content) }
  }

  export(id: string, format: ExportFormat, signal: AbortSignal): Promise<Readable> {
    return this.#ask(`queries/${id}/results?mode=${format}`, { signal })
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #waitForEvents(id: string): Promise<void> {
    try {
      for await (const _ of await this.#ask(`queries/${id}/events`));
    } catch (error) {
      if (error instanceof Fault && error.code !== 'server_failed') throw error
      await sleep(RETRY_MS)
    }
  }

  async #get<T>(path: string): Promise<T> {
    return (await json(await this.#ask(path))) as T
  }

  async #ask(path: string, request: Request = {}): Promise<IncomingMessage> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#send(path, request)
      if (answer.statusCode !== 503 || tries === RETRIES) return this.#accepted(answer)
      answer.resume()
      await sleep(RETRY_MS)
    }
  }

  #send(path: string, { method = 'GET', body, headers, signal }: Request = {}): Promise<IncomingMessage> {
    const url = new URL(`v1/sirp/${path}`, this.#base)
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      headers: {
        authorization: `svc ${this.#key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(signal && { signal }),
    })
    request.once('response', resolve)
    request.once('error', error => reject(signal?.aborted ? signal.reason : this.#unreachable(error)))
    request.end(body && JSON.stringify(body))
    return promise
  }

  async #accepted(answer: IncomingMessage): Promise<IncomingMessage> {
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) return answer
    const problem = problemOf(await text(answer))
    if (status === 422 && problem.code === 'query_invalid')
      throw new InvalidQuery(problem.errors as Diagnostic[])
    if (status === 401)
      throw new Fault(
        'server_failed',
        `${this.#base.origin} does not know the API key`,
        'Give a valid one with --key or FORAGE_API_KEY; `forage key create` makes one where its data folder is.',
      )
    throw new Fault(
      'server_failed',
      `${this.#base.origin} answered ${status}: ${problem.detail ?? 'not as Forage does'}`,
      status === 503
        ? 'Try again in a moment; the log of the server says what is the matter.'
        : 'Check that the address is that of a Forage server of this version.',
    )
  }

  #unreachable(error: Error): Fault {
    return new Fault(
      'server_failed',
      `${this.#base.origin} cannot be reached (${systemCode(error) ?? error.message})`,
      'Start it (`forage serve`), correct --server or FORAGE_URL, or leave them out to run the query in this process.',
      { cause: error },
    )
  }
}

function baseOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:')
    return new URL(url.pathname.endsWith('/') ? url : `${url.origin}${url.pathname}/`)
  throw new Fault(
    'usage',
    `"${address}" is not the address of a server`,
    'It looks like http://127.0.0.1:1968.',
  )
}

function problemOf(body: string): { code?: string; detail?: string; errors?: unknown } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}

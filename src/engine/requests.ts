import type { JobRequest } from '../commands/command.ts'
import type { HttpClient, HttpRequest } from '../network/http.ts'
import { readUrl } from '../network/redirect.ts'
import type { HttpResponse } from '../network/response.ts'
import { type Answer, withRetries } from '../network/retry.ts'
import { hostKey, Scope } from '../network/scope.ts'
import type { WholeResponse } from '../network/whole-response.ts'
import type { JobSecrets } from './job-secrets.ts'
import type { Turn } from './jobs.ts'

/** Says when a domain may be asked again; gonogo's limiter is one. */
export interface DomainLimiter {
  tryBook(host: string): { readonly go: boolean } | Promise<{ readonly go: boolean }>
  acquire(host: string, signal?: AbortSignal, owner?: string): Promise<void>
  holdBack(host: string, untilMs: number): void | Promise<void>
}

export interface RequestsOptions {
  readonly client: HttpClient
  readonly limiter: DomainLimiter
  readonly queryId: string
  /** Hosts that stand in the text of the query: the only ones that may turn out to be local. */
  readonly writtenHosts: ReadonlySet<string>
  readonly signal: AbortSignal
  /** Waits for the turn of a domain without holding anybody else up. */
  readonly turn: Turn
  readonly retries?: number | undefined
  readonly timeoutSeconds?: number | undefined
  /** What it sends that nobody else may see. */
  readonly secrets?: JobSecrets | undefined
}

const DEFAULT_RETRIES = 2
const DEFAULT_TIMEOUT_SECONDS = 30

/** The requests of a job or a stage: under the domain policies, tried again where that may help. */
export class Requests {
  readonly #options: RequestsOptions
  #attempts = 0

  constructor(options: RequestsOptions) {
    this.#options = options
  }

  /** Requests that were made so far, tries and redirects included. */
  get attempts(): number {
    return this.#attempts
  }

  send(request: JobRequest): Promise<HttpResponse> {
    return this.#try(request, asked => this.#options.client.request(asked))
  }

  /** With the body, read whole as a part of the try. */
  fetch(request: JobRequest): Promise<WholeResponse> {
    return this.#try(request, asked => this.#options.client.fetch(asked))
  }

  /** Waits for the turn of an address that somebody else will ask, the browser. */
  async book(url: URL): Promise<void> {
    await this.#waitForTurn(hostKey(url.hostname))
  }

  /** Counts tries that somebody else made. */
  count(tries: number): void {
    this.#attempts += tries
  }

  /** Whether its host came in an answer and not from the user. */
  isFromData(url: URL): boolean {
    return !this.#options.writtenHosts.has(hostKey(url.hostname))
  }

  /** Not async, and so on the whole way of a request: each such function costs a microsecond and a kilobyte. */
  #try<T extends Answer>(request: JobRequest, ask: (asked: HttpRequest) => Promise<T>): Promise<T> {
    const { signal, limiter, secrets } = this.#options
    const url = readUrl(request.url)
    return withRetries(
      {
        method: request.idempotent ? 'GET' : (request.method ?? 'GET'),
        retries: request.retries ?? this.#options.retries ?? DEFAULT_RETRIES,
        signal,
        accepts: request.accepts,
        holdBack: (held, untilMs) => limiter.holdBack(hostKey(held.hostname), untilMs),
      },
      secrets
        ? async () => ask(this.#asked(await secrets.authorize(request), url))
        : () => ask(this.#asked(request, url)),
    )
  }

  #asked(request: JobRequest, url: URL): HttpRequest {
    const { signal, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, secrets } = this.#options
    // One by one: to spread it out for every request costs more than the limiter.
    return {
      url,
      method: request.method,
      headers: request.headers,
      body: request.body,
      redirects: request.redirects,
      timeoutMs: request.timeoutMs ?? timeoutSeconds * 1000,
      maxBytes: request.maxBytes,
      verify: request.verify,
      proxy: request.proxy,
      secretHeaders: request.secretHeaders,
      scope: request.isConfigured ? Scope.ofUrl(url) : this.#reachOf(url),
      signal,
      beforeSend: hop => {
        secrets?.checkHop(hop, url)
        return this.#waitForTurn(hostKey(hop.hostname))
      },
    }
  }

  /** Only an address that the user wrote may be one of this machine or its network. */
  #reachOf(url: URL): Scope {
    return new Scope(this.isFromData(url) ? undefined : url.hostname)
  }

  /** Undefined where there is nothing to wait for. */
  #waitForTurn(host: string): Promise<void> | undefined {
    this.#attempts++
    const verdict = this.#options.limiter.tryBook(host)
    if (verdict instanceof Promise) return this.#waitUnless(verdict, host)
    return verdict.go ? undefined : this.#wait(host)
  }

  async #waitUnless(verdict: Promise<{ readonly go: boolean }>, host: string): Promise<void> {
    if (!(await verdict).go) await this.#wait(host)
  }

  #wait(host: string): Promise<void> {
    const { limiter, queryId, turn, signal } = this.#options
    return turn.pause(host, () => limiter.acquire(host, signal, queryId))
  }
}

import type { JobRequest } from '../commands/command.ts'
import type { HttpClient } from '../network/http.ts'
import type { HttpResponse } from '../network/response.ts'
import { type Answer, withRetries } from '../network/retry.ts'
import { hostKey, Scope } from '../network/scope.ts'
import { WholeResponse } from '../network/whole-response.ts'
import type { JobSecrets } from './job-secrets.ts'

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
  readonly pause: (domain: string, wait: () => Promise<void>) => Promise<void>
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
    return this.#try(request, async response => response)
  }

  /** With the body, read whole as a part of the try. */
  fetch(request: JobRequest): Promise<WholeResponse> {
    return this.#try(request, WholeResponse.of)
  }

  /** Waits for the turn of an address that somebody else will ask, the browser. */
  async book(url: URL): Promise<void> {
    await this.#waitForTurn(hostKey(url.hostname), this.#options.signal)
  }

  /** Counts tries that somebody else made. */
  count(tries: number): void {
    this.#attempts += tries
  }

  /** Whether its host came in an answer and not from the user. */
  isFromData(url: URL): boolean {
    return !this.#options.writtenHosts.has(hostKey(url.hostname))
  }

  async #try<T extends Answer>(
    request: JobRequest,
    read: (response: HttpResponse, sentAt: number) => Promise<T>,
  ): Promise<T> {
    const { retries, idempotent, accepts } = request
    const { signal, limiter, client, timeoutSeconds, secrets } = this.#options
    const first = new URL(request.url)
    const tried = await withRetries(
      {
        method: idempotent ? 'GET' : (request.method ?? 'GET'),
        retries: retries ?? this.#options.retries ?? DEFAULT_RETRIES,
        signal,
        accepts,
        holdBack: (url, untilMs) => limiter.holdBack(hostKey(url.hostname), untilMs),
      },
      async () => {
        let sentAt: number | undefined
        const response = await client.request({
          timeoutMs: (timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
          ...((await secrets?.authorize(request)) ?? request),
          scope: request.isConfigured ? Scope.ofUrl(first) : this.#reachOf(first),
          signal,
          beforeSend: async (url, inTime) => {
            secrets?.checkHop(url, first)
            await this.#waitForTurn(hostKey(url.hostname), inTime)
            sentAt ??= performance.now()
          },
        })
        return read(response, sentAt!)
      },
    )
    return tried.value
  }

  /** Only an address that the user wrote may be one of this machine or its network. */
  #reachOf(url: URL): Scope {
    return new Scope(this.isFromData(url) ? undefined : url.hostname)
  }

  async #waitForTurn(host: string, signal: AbortSignal): Promise<void> {
    this.#attempts++
    const { limiter, queryId, pause } = this.#options
    const { go } = await limiter.tryBook(host)
    if (!go) await pause(host, () => limiter.acquire(host, signal, queryId))
  }
}

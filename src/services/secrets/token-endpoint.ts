import { CommandFailure } from '../../commands/failure.ts'
import type { TokenRequest } from '../../credentials/credential-type.ts'
import type { DomainLimiter } from '../../engine/requests.ts'
import type { HttpClient } from '../../network/http.ts'
import { hostKey, Scope } from '../../network/scope.ts'

/** What a token endpoint answered. */
export interface Token {
  readonly accessToken: string
  readonly tokenType: string
  readonly refreshToken: string | undefined
  readonly scope: string | undefined
  /** Seconds; undefined when the server does not say. */
  readonly lifetime: number | undefined
}

const mostBytes = 1024 * 1024

/** Asks OAuth servers for tokens: by the same client and under the same domain policies as every other request. */
export class TokenEndpoint {
  readonly #client: Pick<HttpClient, 'fetch'>
  readonly #limiter: Pick<DomainLimiter, 'acquire'>

  constructor(client: Pick<HttpClient, 'fetch'>, limiter: Pick<DomainLimiter, 'acquire'>) {
    this.#client = client
    this.#limiter = limiter
  }

  async ask({ url, form, headers }: TokenRequest): Promise<Token> {
    const response = await this.#client.fetch({
      url,
      // The address was written by whoever made the credential.
      scope: Scope.ofUrl(url),
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
      // A form with secrets in it goes where the credential says and nowhere else.
      redirects: 0,
      maxBytes: mostBytes,
      beforeSend: at => this.#limiter.acquire(hostKey(at.hostname)),
    })
    const answer = parsed(response.bytes.toString())
    const accessToken = answer.access_token
    if (response.status !== 200 || typeof accessToken !== 'string' || accessToken === '')
      throw refusal(response.status, url, answer)
    return {
      accessToken,
      tokenType: typeof answer.token_type === 'string' ? answer.token_type : 'Bearer',
      refreshToken: textIn(answer.refresh_token),
      scope: textIn(answer.scope),
      lifetime: secondsIn(answer.expires_in),
    }
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const secondsIn = (value: unknown): number | undefined => {
  const seconds = Number(value)
  return value !== undefined && value !== null && Number.isFinite(seconds) && seconds > 0
    ? seconds
    : undefined
}

/** The standard code (`invalid_client`) and nothing else of the answer: servers have been seen to repeat what was sent. */
function refusal(status: number, url: string, answer: Record<string, unknown>): CommandFailure {
  const code =
    typeof answer.error === 'string' && /^[a-z_]{1,40}$/.test(answer.error) ? answer.error : undefined
  return new CommandFailure(
    'token_refused',
    `${new URL(url).host} gave no token: status ${status}${code ? `, ${code}` : ''}.`,
    { hint: 'Look at the grant, the client and the scope of the credential.' },
  )
}

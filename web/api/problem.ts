/** One thing that was wrong with a request: a field of its body, or a place in a query. */
export interface ProblemItem {
  readonly path?: string
  readonly message: string
  readonly line?: number
  readonly column?: number
  readonly hint?: string
}

interface ProblemBody {
  readonly title?: string
  readonly detail?: string
  readonly code?: string
  readonly errors?: readonly ProblemItem[]
}

/** What the server answered instead of what was asked for (RFC 9457). */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: string
  readonly errors: readonly ProblemItem[]
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ProblemBody, retryAfter: string | null) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.errors = body.errors ?? []
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
  }
}

/** The server could not be reached at all. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  constructor(cause: unknown) {
    super('Forage does not answer. It may be restarting.', { cause })
  }
}

/** Any failure in words for a person, with each field that was wrong. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error)
  const details = error.errors.map(({ path = '$', message }) =>
    path === '$' ? message : `${path.replace(/^\$\./, '')}: ${message}`,
  )
  return details.length > 0 ? [...new Set(details)].join('\n') : error.message
}

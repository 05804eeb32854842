/**
 * Every error that a client can be told of, declared once. The answers of the server, `error.code` in records and
 * docs/errors.md come from this table. A code is a promise: it is never renamed or given another meaning.
 */
export const errorCodes = {
  // What was sent cannot be understood.
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    meaning:
      'A field, query parameter, path parameter or header is missing, unknown or outside its limits. `errors` lists each one.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    meaning:
      '`errors` has the place of the first mistake: `line`, `column` (both from 1) and `offset` (from 0).',
  },
  malformed_request: {
    status: 400,
    title: 'The request is malformed',
    meaning:
      'It is not HTTP as we understand it: a broken request line or header, a path with a broken percent code, a body shorter than announced.',
  },
  foreign_address: {
    status: 400,
    title: 'Not our address',
    meaning: 'A field that may only name this service (`sirpURL`) names another one.',
  },

  // Who asks, and from where.
  unauthorized: {
    status: 401,
    title: 'A valid API key is needed',
    meaning:
      'Send `Authorization: svc <API_KEY>` (or `Bearer`). The key is missing, malformed, unknown or deleted; which of these is not said.',
  },
  forbidden: { status: 403, title: 'Not allowed here', meaning: 'The caller is known but may not do this.' },
  unknown_host: {
    status: 403,
    title: 'Unknown host name',
    meaning:
      'The `Host` header is none of the names of this service. Add the name to `FORAGE_HOSTS` if clients use it on purpose.',
  },
  blocked_address: {
    status: 403,
    title: 'The address is blocked',
    meaning:
      'The address lies in a network that queries may not reach from this service. `FORAGE_NETWORK` allows private ranges.',
  },
  blocked_scheme: {
    status: 403,
    title: 'The scheme is blocked',
    meaning: 'Only http and https addresses can be opened.',
  },

  // What was asked for.
  no_such_route: {
    status: 404,
    title: 'No such route',
    meaning: 'Nothing is served under this path. `/v1/openapi.json` and `/docs` list what is.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no record of that id or name, or it was deleted.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Wrong method',
    meaning: 'The path exists, but not with this method; `Allow` lists those that it has.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The connection was open but the request was not complete in time.',
  },

  // What stands in the way.
  name_taken: {
    status: 409,
    title: 'The name is taken',
    meaning: 'Another record has this id, name or domain.',
  },
  wrong_state: {
    status: 409,
    title: 'Not possible in this state',
    meaning: 'For instance: reading the results of a query that still runs.',
  },
  query_failed: {
    status: 409,
    title: 'The query failed',
    meaning: 'It has no results because it failed; the record of the query says why.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'The Idempotency-Key was used for another request',
    meaning:
      'Within 24 hours a key stands for one request: the same method, address and body. Take a new key.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key still runs',
    meaning: 'Ask again after `Retry-After`; the answer will be that of the first request.',
  },
  idempotency_not_kept: {
    status: 409,
    title: 'The first answer was too large to keep',
    meaning:
      'The request with this Idempotency-Key succeeded and was not done again, but its answer cannot be repeated; `detail` says where to read it.',
  },
  expired: {
    status: 410,
    title: 'It was there and has expired',
    meaning: 'The rows of a query are gone after its `ttl`.',
  },
  changed_meanwhile: {
    status: 412,
    title: 'Changed meanwhile',
    meaning: 'The `ETag` in `If-Match` is not that of the record any more. Read it again, then decide.',
  },
  too_large: {
    status: 413,
    title: 'Too large',
    meaning: 'The body, file, page, response or result is larger than its limit, which `detail` names.',
  },
  address_too_long: {
    status: 414,
    title: 'The address is too long',
    meaning: 'A path parameter is longer than any that could be valid.',
  },
  wrong_media_type: {
    status: 415,
    title: 'Wrong media type',
    meaning:
      'The `Content-Type` or `Content-Encoding` of the body is not one that this route takes; nearly all take `application/json` in UTF-8.',
  },
  unsupported_expectation: {
    status: 417,
    title: 'Unsupported expectation',
    meaning: 'The `Expect` header asks for something other than `100-continue`.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    meaning: 'Request line and headers together are over the limit.',
  },

  // What the request, understood, could not bring about.
  query_invalid: {
    status: 422,
    title: 'The query is not valid',
    meaning:
      'It does not parse, or names things that do not exist. Each of `errors` has `code`, `message`, `line`, `column`, `offset`, `length` and often `expected`, `hint` and `suggestion`.',
  },
  page_unreachable: {
    status: 422,
    title: 'The page cannot be reached',
    meaning:
      'Its name does not resolve, nothing listens there, or the connection broke; `detail` says what was seen.',
  },
  script_failed: {
    status: 422,
    title: 'The script failed',
    meaning: 'The JavaScript expression does not compile or threw; `detail` has its message.',
  },
  no_match: {
    status: 422,
    title: 'The selector matches nothing',
    meaning: 'The page loaded, but has no such element.',
  },
  dialog_loop: {
    status: 422,
    title: 'The page opens dialogs without end',
    meaning: 'More alerts, prompts or confirmations than the limit.',
  },
  download: {
    status: 422,
    title: 'The address is a download',
    meaning: 'The server offers a file to keep instead of a page; `detail` has its name and type.',
  },
  no_content: { status: 422, title: 'The page has no content', meaning: 'The server answered 204 or 205.' },
  proxy_error: {
    status: 422,
    title: 'The proxy failed',
    meaning: 'The proxy that was given cannot be reached, refuses the credentials, or answers nonsense.',
  },
  delivery_failed: {
    status: 422,
    title: 'The rows could not be delivered',
    meaning:
      'The store is out of reach, refuses the credentials or refused too many rows; `detail` says which. What it took before that is with it.',
  },
  license_refused: {
    status: 422,
    title: 'The license is refused',
    meaning: 'It is forged, made for somebody else, damaged or expired; `detail` says which.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    meaning: 'A queue is full or a limit is reached. Ask again after `Retry-After` seconds.',
  },

  // What is wrong on this side.
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    meaning: 'A mistake in Forage. The log has the reason under the `requestId`.',
  },
  crash_loop: {
    status: 500,
    title: 'The query crashed the service three times',
    meaning:
      'It was running in three crashes in a row and is not taken up again. Seen in the record of a query.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service is not available',
    meaning:
      'One of the ten services is starting, restarting, stopped or failed. Ask again after `Retry-After`.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    meaning: 'Forage is starting or stopping. Ask again after `Retry-After`.',
  },
  no_browser: {
    status: 503,
    title: 'There is no browser',
    meaning: 'No browser was found or it cannot be started; `forage doctor` says how to mend it.',
  },
  timeout: {
    status: 504,
    title: 'Out of time',
    meaning: 'The work was not done within its deadline; `detail` names the phase.',
  },
  disk_full: {
    status: 507,
    title: 'The disk is full',
    meaning: 'Nothing was written. Free some space on the disk of the data folder, then ask again.',
  },
} as const satisfies Record<string, ErrorDeclaration>

interface ErrorDeclaration {
  readonly status: number
  readonly title: string
  /** In Markdown, for docs/errors.md. */
  readonly meaning: string
}

export type ErrorCode = keyof typeof errorCodes

/** One thing that is wrong: where (a path into the body, the name of a parameter), and what. */
export interface ErrorItem {
  readonly path: string
  readonly message: string
  readonly [more: string]: unknown
}

export interface ForageErrorOptions {
  readonly errors?: readonly ErrorItem[]
  readonly retryAfterSeconds?: number
  readonly cause?: unknown
}

/** Something that a client is told: a stable code, and what happened in words. Never put a secret in `detail`. */
export class ForageError extends Error {
  override readonly name = 'ForageError'
  readonly code: ErrorCode
  readonly errors: readonly ErrorItem[]
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, detail: string, options: ForageErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.errors = options.errors ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return errorCodes[this.code].status
  }

  get detail(): string {
    return this.message
  }
}

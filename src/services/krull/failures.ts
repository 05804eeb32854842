import { type ErrorCode, ForageError } from '../../errors.ts'
import { NetworkError, type NetworkErrorCode } from '../../network/errors.ts'

const codes: Readonly<Partial<Record<NetworkErrorCode, ErrorCode>>> = {
  blocked_address: 'blocked_address',
  blocked_scheme: 'blocked_scheme',
  bad_proxy: 'proxy_error',
  proxy_error: 'proxy_error',
  too_large: 'too_large',
}

/** A failure on the way, as a client is told of it. */
export const networkFailure = (error: NetworkError): ForageError =>
  new ForageError(codes[error.code] ?? 'page_unreachable', error.message)

/** What the browser's words for a failed navigation mean. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/ERR_TOO_MANY_REDIRECTS/, 'it redirects without end'],
  [/ERR_NAME_NOT_RESOLVED/, 'its name does not resolve'],
  [/ERR_CERT_|ERR_SSL_/, 'its certificate is not valid, or TLS failed'],
  [/ERR_EMPTY_RESPONSE|ERR_CONNECTION_(RESET|CLOSED|ABORTED)/, 'the connection broke'],
  [/ERR_INVALID_HTTP_RESPONSE|ERR_RESPONSE_HEADERS/, 'the answer is not HTTP'],
  [/ERR_UNSAFE_PORT/, 'browsers do not open this port'],
]

export function navigationFailure(errorText: string): ForageError {
  const meaning = meanings.find(([pattern]) => pattern.test(errorText))?.[1]
  const name = errorText.replace(/^net::/, '')
  return new ForageError(
    'page_unreachable',
    meaning === undefined
      ? `The page cannot be opened: ${name}.`
      : `The page cannot be opened: ${meaning} (${name}).`,
  )
}

/** Where a refused request or a broken connection is told as itself; everything else stays what it is. */
export const failureOf = (error: unknown): unknown =>
  error instanceof NetworkError ? networkFailure(error) : error

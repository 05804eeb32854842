import { errors } from 'undici'
import { systemCode } from '../fault.ts'
import { NetworkError } from './errors.ts'

/**
 * Names what undici, zlib or the system reported; anything else (a refusal of `beforeSend`, a mistake of ours) stays as
 * it is. The original is not kept as a cause: it can hold headers.
 */
export function networkError(error: unknown): unknown {
  if (error instanceof errors.HTTPParserError) return notHttp()
  const code = systemCode(error)
  if (error instanceof NetworkError || code === undefined) return error
  if (error instanceof errors.InvalidArgumentError)
    return new NetworkError('bad_request', `The request cannot be sent: ${error.message}.`)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return notHttp()
  if (/^(Z_|ZSTD_|ERR_)/.test(code))
    return new NetworkError('bad_response', 'The body is not packed as its headers say.')
  if (/^(UND_ERR_|E[A-Z]+$)/.test(code))
    return new NetworkError(
      'connection_lost',
      `The connection broke before the whole answer was there (${code}).`,
    )
  return error
}

const notHttp = () =>
  new NetworkError('bad_response', 'The answer is not valid HTTP, or its headers are too large.')

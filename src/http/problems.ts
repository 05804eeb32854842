import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { TableError } from '../engine/tables/errors.ts'
import { type ErrorCode, errorCodes, ForageError } from '../errors.ts'
import { Fault, systemCode } from '../fault.ts'
import { record } from '../services/fields.ts'
import { UnknownColumn } from '../sql/errors.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export const Problem = record(
  'Problem',
  {
    type: Type.String({ description: 'Where the code is explained, relative to this server' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.Enum(Object.keys(errorCodes) as ErrorCode[]),
    errors: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'A path into the body, or the name of a parameter, from `$`' }),
          message: Type.String(),
        },
        { additionalProperties: true },
      ),
    ),
    requestId: Type.String(),
  },
  'RFC 9457',
)

/** Fastify's own errors and those of its plugins that a client causes. */
const frameworkCodes: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: [
    'malformed_request',
    'The path has a percent sign that is not followed by two hexadecimal digits of UTF-8.',
  ],
  FST_ERR_MAX_PARAM_LENGTH: ['address_too_long', 'A part of the path is longer than any name or id can be.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_request',
    'The body is not as long as Content-Length says.',
  ],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['wrong_media_type', 'Send the body as application/json in UTF-8.'],
  FST_CP_ERR_INVALID_CONTENT_ENCODING: [
    'wrong_media_type',
    'The body may be sent plain, or with Content-Encoding gzip or br.',
  ],
  FST_CP_ERR_INVALID_CONTENT: [
    'malformed_request',
    'The body cannot be decompressed as its Content-Encoding says.',
  ],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['wrong_media_type', 'Send the body as multipart/form-data.'],
  FST_REQ_FILE_TOO_LARGE: ['too_large', 'The file is larger than FORAGE_UPLOAD_LIMIT allows.'],
  FST_PARTS_LIMIT: ['too_large', 'The form has too many parts.'],
  FST_FILES_LIMIT: ['too_large', 'The form has more than one file.'],
  FST_FIELDS_LIMIT: ['too_large', 'The form has too many fields.'],
  ENOSPC: ['disk_full', 'No space is left on the disk; nothing was written.'],
  EDQUOT: ['disk_full', 'The disk quota is used up; nothing was written.'],
  ECONNRESET: ['malformed_request', 'The connection ended before the request was complete.'],
}

/** What the client is told of an error. Anything that is not meant for it becomes `internal_error`. */
function toForageError(error: unknown, request?: FastifyRequest): ForageError {
  if (error instanceof ForageError) return error
  const code = systemCode(error) ?? ''
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const limit = request?.routeOptions.bodyLimit
    return new ForageError('too_large', `The body is larger than the ${limit} bytes that this route takes.`)
  }
  if (error instanceof Fault && error.code === 'disk_full')
    return new ForageError('disk_full', 'No space is left on the disk; nothing was written.', {
      cause: error,
    })
  const ofTable = tableProblem(error)
  if (ofTable) return ofTable
  const known = frameworkCodes[code]
  if (known) return new ForageError(known[0], known[1], { cause: error })
  const id = request ? ` under ${request.id}` : ''
  return new ForageError('internal_error', `Something went wrong on our side; the log has the reason${id}.`, {
    cause: error,
  })
}

const TABLE_CODES: Readonly<Record<string, ErrorCode>> = {
  too_many_columns: 'too_large',
  table_memory: 'too_large',
  table_disk: 'disk_full',
}

/** What only the rows that were asked for can show: a column that is not there, more than can be shown or sorted. */
function tableProblem(error: unknown): ForageError | undefined {
  if (!(error instanceof UnknownColumn || error instanceof TableError)) return undefined
  const message = [error.message, error.hint].filter(Boolean).join(' ')
  if (error instanceof UnknownColumn)
    return new ForageError('invalid_request', message, { errors: [{ path: '$.sortKey', message }] })
  const code = TABLE_CODES[error.code]
  return code && new ForageError(code, message, { cause: error })
}

/** The body of a problem answer, as text. */
export function problemText(error: ForageError, requestId: string): string {
  const { code, status, detail, errors } = error
  const { title } = errorCodes[code]
  return JSON.stringify({ type: `/docs/errors#${code}`, title, status, detail, code, errors, requestId })
}

export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toForageError(error, request)
  if (known.status >= 500 && known.code !== 'service_unavailable' && known.code !== 'not_ready')
    request.log.error(
      { err: known.cause ?? known, requestId: request.id, code: known.code },
      'request failed',
    )
  if (known.code === 'unauthorized') reply.header('www-authenticate', 'svc')
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterSeconds))
  // Fastify closes the connection on a body it did not read to its end; the client, still sending, would then be reset
  // before it has read why. Kept open, Node discards the rest and the answer arrives.
  if (known.code === 'too_large') reply.removeHeader('connection')
  return reply.code(known.status).header('content-type', PROBLEM_TYPE).send(problemText(known, request.id))
}

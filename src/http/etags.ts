import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ForageError } from '../errors.ts'

/** The version of a record: a hash of all that is answered of it. */
const etagOf = (record: object): string =>
  `"${createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 27)}"`

/** Answers a record with its ETag; 304 when the client has this version already. */
export function sendRecord<T extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  record: T,
): T | FastifyReply {
  const etag = etagOf(record)
  reply.header('etag', etag)
  if (request.method !== 'GET' && request.method !== 'HEAD') return record
  reply.header('cache-control', 'private, no-cache')
  return names(request.headers['if-none-match'], etag) ? reply.code(304).send() : record
}

/** Guards an update: 412 when `If-Match` names another version than the present one. */
export function requireMatch(request: FastifyRequest, present: object): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || names(wanted, etagOf(present))) return
  throw new ForageError(
    'changed_meanwhile',
    'The record is not the version that If-Match names. Read it again, then decide.',
  )
}

function names(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  // A weak tag is what a proxy makes of ours when it compresses the answer: the same version.
  return header.split(',').some(tag => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}

import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ForageError } from '../errors.ts'
import type { Idempotency, StoredAnswer } from '../storage/idempotency.ts'
import type { App } from './context.ts'

type IdempotencyStore = Pick<Idempotency, 'claim' | 'complete' | 'abandon'>

const HEADER = 'idempotency-key'
const SANE = /^[\x21-\x7e]{1,255}$/
const WRITES = new Set(['POST', 'PUT', 'DELETE'])
const KEPT_HEADERS = ['content-type', 'location', 'etag']
/** Marks an answer whose body was not kept. */
const NOT_KEPT = 'x-not-kept'
/** Answers up to this size can be repeated. */
const MOST_KEPT = 4 * 1024 * 1024

/** Hash of a body for the fingerprint, if this request will need one. */
export const digestFor = (request: FastifyRequest, body: Buffer): string | null =>
  request.headers[HEADER] === undefined ? null : sha256(body)

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

/**
 * A write that comes with an `Idempotency-Key` is done once: the same request under the same key gets the first answer
 * again. Only answers of success are kept; after a failure nothing was done, and the key may be tried again.
 */
export function registerIdempotency(app: App, store: IdempotencyStore): void {
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers[HEADER]
    if (key === undefined || !WRITES.has(request.method) || request.caller === null) return
    const { kind, id } = request.caller
    const claimed = { scope: `${kind}:${id}`, key: saneKey(key), request: fingerprintOf(request) }
    const claim = await store.claim(claimed)
    if (claim.state === 'done') return repeat(reply, claim.answer)
    if (claim.state === 'mismatch')
      throw new ForageError('idempotency_conflict', 'This Idempotency-Key was used for another request.')
    if (claim.state === 'running')
      throw new ForageError(
        'idempotency_in_progress',
        'The first request with this Idempotency-Key still runs.',
        {
          retryAfterSeconds: 1,
        },
      )
    request.claim = claimed
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const { claim } = request
    if (claim === null) return payload
    request.claim = null
    const keep = (text: string | null) => store.complete(claim, answerToKeep(request, reply, text))
    if (reply.statusCode >= 400) await store.abandon(claim)
    else if (payload instanceof Readable) return keepStream(payload, keep, request)
    else await keep(payload === undefined || payload === null ? '' : String(payload))
    return payload
  })
}

function saneKey(key: string | string[]): string {
  if (typeof key === 'string' && SANE.test(key)) return key
  const message = 'must have 1 to 255 visible ASCII characters'
  const errors = [{ path: '$["idempotency-key"]', message, in: 'header' }]
  throw new ForageError('invalid_request', `Idempotency-Key ${message}.`, { errors })
}

/** Method, address and body. A body that is streamed (an upload) is known by its type and length only. */
function fingerprintOf(request: FastifyRequest): string {
  const { 'content-type': type = '', 'content-length': length = '' } = request.headers
  const body = request.bodyDigest ?? `${type.split(';')[0]} ${length}`
  return sha256(`${request.method} ${request.url}\n${body}`)
}

function repeat(reply: FastifyReply, { status, headers, body }: StoredAnswer): FastifyReply {
  if (headers[NOT_KEPT] !== undefined) {
    const where = headers.location === undefined ? '' : ` It can be read at ${headers.location}.`
    throw new ForageError(
      'idempotency_not_kept',
      `It was done, but the answer was too large to keep.${where}`,
    )
  }
  reply.code(status).headers(headers).header('idempotency-replayed', 'true')
  return reply.send(body === '' ? undefined : body)
}

/** Passes the stream on and keeps a copy; null when that is too large or the stream broke off. */
function keepStream(
  payload: Readable,
  keep: (text: string | null) => Promise<void>,
  request: FastifyRequest,
): Readable {
  const chunks: Buffer[] = []
  let size = 0
  const copy = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= MOST_KEPT) chunks.push(chunk)
      done(null, chunk)
    },
    // The answer is kept before its end is sent: a client that has it all can rely on it.
    flush(done) {
      keep(size <= MOST_KEPT ? Buffer.concat(chunks).toString('utf8') : null).then(() => done(), done)
    },
  })
  payload.on('error', error => copy.destroy(error))
  // Broken off on either side: it was done all the same.
  copy.on('close', () => {
    if (copy.writableFinished) return
    payload.destroy()
    keep(null).catch(error => request.log.error({ err: error, requestId: request.id }, 'answer not kept'))
  })
  return payload.pipe(copy)
}

function answerToKeep(request: FastifyRequest, reply: FastifyReply, text: string | null): StoredAnswer {
  const headers: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  const status = reply.statusCode
  if (text === null || text.length > MOST_KEPT)
    return { status, headers: { ...headers, [NOT_KEPT]: 'true' }, body: '' }
  return { status, headers, body: without(text, request.routeOptions.config.secretFields ?? []) }
}

function without(text: string, secretFields: readonly string[]): string {
  if (secretFields.length === 0) return text
  const answer = JSON.parse(text)
  for (const field of secretFields) delete answer[field]
  return JSON.stringify(answer)
}

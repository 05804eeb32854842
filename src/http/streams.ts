import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Small pieces are gathered to this size, so that a page of a million rows is not a million writes. */
const CHUNK = 64 * 1024

type Texts = Iterable<string> | AsyncIterable<string>

export const sendJsonText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.header('content-type', 'application/json; charset=utf-8').send(text)

/** Bytes that are whole already, such as an image. */
export const sendBytes = (reply: FastifyReply, contentType: string, bytes: Uint8Array): FastifyReply =>
  reply
    .header('content-type', contentType)
    .header('content-length', bytes.byteLength)
    .send(Readable.from([bytes], { objectMode: false }))

/** An object of which one field is a list of JSON texts that are passed through as they are, never parsed. */
export async function* jsonWithItems(field: string, items: Texts, rest: object): AsyncGenerator<string> {
  let separator = `{${JSON.stringify(field)}:[`
  for await (const item of items) {
    yield separator + item
    separator = ','
  }
  const tail = JSON.stringify(rest)
  const opened = separator === ',' ? '' : separator
  yield tail === '{}' ? `${opened}]}` : `${opened}],${tail.slice(1)}`
}

/**
 * Streams texts as the answer, as fast as the client reads. The first piece is made before anything is sent, so that what
 * fails at once is still answered as a problem; a later failure breaks the connection off, never looks like an end.
 */
export async function sendTexts(
  reply: FastifyReply,
  contentType: string,
  texts: Texts,
): Promise<FastifyReply> {
  const chunks = gathered(texts)
  const first = await chunks.next()
  const all = (async function* () {
    if (!first.done) yield first.value
    yield* chunks
  })()
  return reply
    .header('content-type', contentType)
    .send(Readable.from(all, { objectMode: false, highWaterMark: CHUNK }))
}

export const streamJson = (reply: FastifyReply, texts: Texts): Promise<FastifyReply> =>
  sendTexts(reply, 'application/json; charset=utf-8', texts)

async function* gathered(texts: Texts): AsyncGenerator<string> {
  let chunk = ''
  for await (const text of texts) {
    chunk += text
    if (chunk.length >= CHUNK) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk !== '') yield chunk
}

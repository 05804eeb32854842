import type { Protocol } from 'puppeteer-core'
import { ForageError } from '../../../errors.ts'
import type { Slot } from '../browser/slot.ts'

/** A document that the browser cannot show, as it was sent. */
export interface PageBody {
  readonly type: string
  readonly base64: string
}

type Paused = Protocol.Fetch.RequestPausedEvent

const headerOf = ({ responseHeaders }: Paused, name: string): string | undefined =>
  responseHeaders?.find(header => header.name.toLowerCase() === name)?.value

/**
 * Asks for the address once more, holding its answer: a file to keep is refused with its name and type, anything else
 * that the browser cannot show (a PDF) is taken as it is, and an empty page shown in its place.
 */
export async function readBody(slot: Slot, url: URL, limit: number): Promise<PageBody> {
  const { session, watch } = slot
  const name = watch.download?.name ?? ''
  const answer = Promise.withResolvers<Paused>()
  const off = session.on('Fetch.requestPaused', event => {
    if (event.responseStatusCode === undefined || isRedirect(event.responseStatusCode))
      session.send('Fetch.continueRequest', { requestId: event.requestId }).catch(() => {})
    else answer.resolve(event)
  })
  await session.send('Fetch.enable', {
    patterns: [{ urlPattern: '*', resourceType: 'Document', requestStage: 'Response' }],
  })
  const arriving = session.send('Page.navigate', { url: url.href })
  arriving.catch(() => {})
  const paused = await answer.promise
  const type = headerOf(paused, 'content-type')?.split(';')[0]?.trim() || 'application/octet-stream'
  const { requestId } = paused
  if (/^\s*attachment/i.test(headerOf(paused, 'content-disposition') ?? '') || !/pdf/i.test(type))
    throw new ForageError(
      'download',
      `The address is a file to keep${name === '' ? '' : ` named ${JSON.stringify(name.slice(0, 200))}`}, of the type ${type}.`,
    )
  if (Number(headerOf(paused, 'content-length') ?? 0) > limit)
    throw new ForageError('too_large', `The file has more than ${limit} bytes.`)
  const { body, base64Encoded } = await session.send('Fetch.getResponseBody', { requestId })
  await session.send('Fetch.fulfillRequest', {
    requestId,
    responseCode: paused.responseStatusCode!,
    responseHeaders: [{ name: 'content-type', value: 'text/html' }],
    body: Buffer.from(`<!doctype html><title>${name.replaceAll(/[<&]/g, ' ')}</title>`).toString('base64'),
  })
  await arriving
  off()
  await session.send('Fetch.disable')
  return { type, base64: base64Encoded ? body : Buffer.from(body).toString('base64') }
}

const isRedirect = (status: number) => status >= 300 && status < 400 && status !== 304

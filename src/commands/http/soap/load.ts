import { createHash } from 'node:crypto'
import type { Headers } from '../../../network/redirect.ts'
import type { JobRequest } from '../../command.ts'
import { CommandFailure } from '../../failure.ts'
import { decodeText } from '../charset.ts'
import type { HttpContext } from '../context.ts'
import { secretsIn } from '../request.ts'
import { refusedStatus } from '../status.ts'
import { readElement } from '../xml-element.ts'
import { Wsdl } from './wsdl.ts'

export interface WsdlRequest {
  readonly url: URL
  readonly queryId: string
  readonly connection: Omit<JobRequest, 'url'>
  readonly headers: Headers
}

/** More documents than any service is split into. */
const MOST_DOCUMENTS = 50
const MOST_BYTES = 10 * 1024 * 1024
const MOST_KEPT = 32

/** The descriptions that were read lately, for the rows of the queries that read them. */
const kept = new Map<string, Promise<Wsdl>>()

/** The description of a service: fetched once for all rows of a query, with all that it imports. */
export function wsdlAt(request: WsdlRequest, context: HttpContext): Promise<Wsdl> {
  const { queryId, url, headers, connection } = request
  // Hashed, since the headers may hold secrets.
  const key = createHash('sha256')
    .update(JSON.stringify([queryId, url.href, headers, connection]))
    .digest('hex')
  const known = kept.get(key)
  if (known) return known
  const loading = load(request, context)
  kept.set(key, loading)
  loading.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT) kept.delete(oldest!)
  return loading
}

async function load({ url, connection, headers }: WsdlRequest, context: HttpContext): Promise<Wsdl> {
  const wsdl = new Wsdl()
  const seen = new Set([url.href])
  const pending = [{ url, around: '' }]
  for (let next = pending.shift(); next; next = pending.shift()) {
    const isOwn = next.url.origin === url.origin
    const response = await context.fetch({
      ...connection,
      maxBytes: Math.min(connection.maxBytes ?? MOST_BYTES, MOST_BYTES),
      url: next.url,
      headers: isOwn ? headers : {},
      secretHeaders: secretsIn(headers),
      fromData: next.url !== url,
    })
    if (response.status < 200 || response.status > 299)
      throw refusedStatus(response, `The answer to ${next.url.host}${next.url.pathname}, a part of the WSDL,`)
    const root = readElement(decodeText(response.bytes, response.header('content-type')))
    for (const imported of wsdl.add({ root, url: response.url }, next.around)) {
      if (seen.has(imported.url.href)) continue
      seen.add(imported.url.href)
      pending.push(imported)
    }
    if (seen.size > MOST_DOCUMENTS)
      throw new CommandFailure('bad_wsdl', `The WSDL imports more than ${MOST_DOCUMENTS} documents.`)
  }
  return wsdl
}

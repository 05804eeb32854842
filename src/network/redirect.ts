import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { NetworkError } from './errors.ts'

export type Headers = Record<string, string | string[]>
export type Body = string | Uint8Array | (() => AsyncIterable<Uint8Array>)

/** One request on the way to an answer: the one asked for, or one that a redirect led to. */
export interface Hop {
  readonly url: URL
  readonly method: string
  /** Names in lower case. */
  readonly headers: Headers
  readonly body: Body | undefined
}

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const bodyHeaders = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
]
const secretHeaders = ['authorization', 'cookie', 'cookie2', 'host']

/** Reads an address to fetch: http or https, and nothing else. */
export function readUrl(text: string | URL, base?: URL): URL {
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new NetworkError('bad_url', 'This is not an address: it needs http:// or https:// and a host.')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetworkError('blocked_scheme', `Only http and https addresses are fetched, not ${url.protocol}`)
  return url
}

/** The request that an answer redirects to, if it does. `secrets`: further headers that only the first origin gets. */
export function redirected(
  hop: Hop,
  status: number,
  headers: IncomingHttpHeaders,
  secrets: readonly string[],
): Hop | undefined {
  const location = headers.location
  if (!statuses.has(status) || typeof location !== 'string' || location === '') return undefined
  const url = readUrl(location, hop.url)
  // Whoever redirects does not get to choose a user name and password.
  url.username = ''
  url.password = ''
  if (url.hash === '') url.hash = hop.url.hash
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST'
  const dropped = new Set<string>(becomesGet ? bodyHeaders : [])
  if (url.origin !== hop.url.origin) {
    for (const name of [...secretHeaders, ...secrets]) dropped.add(name.toLowerCase())
  }
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => !dropped.has(name))),
    body: becomesGet ? undefined : hop.body,
  }
}

import { unescape as decodeLoosely } from 'node:querystring'
import type { IncomingHttpHeaders } from 'undici/types/header.js'
import { acceptEncoding } from './body.ts'
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

/** Reads an address to fetch: http or https, and nothing else. What is read already is not copied. */
export function readUrl(text: string | URL, base?: URL): URL {
  let url: URL
  try {
    url = typeof text === 'string' ? new URL(text, base) : text
  } catch {
    throw new NetworkError('bad_url', 'This is not an address: it needs http:// or https:// and a host.')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new NetworkError('blocked_scheme', `Only http and https addresses are fetched, not ${url.protocol}`)
  return url
}

/** One header as text; several of a name are joined. */
export function headerText(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

interface Asked {
  readonly url: string | URL
  readonly method?: string | undefined
  readonly headers?: Readonly<Headers> | undefined
  readonly body?: Body | undefined
}

/** The request that is asked for, as it is sent. */
export function firstHop({ url: address, method = 'GET', headers: given = NONE, body }: Asked): Hop {
  const written = readUrl(address)
  const hasUser = written.username !== '' || written.password !== ''
  return {
    url: hasUser ? withoutUser(written) : written,
    headers: hasUser ? withOurs(given, { authorization: basic(written) }) : plainHeaders(given),
    method: method.toUpperCase(),
    body,
  }
}

const NONE: Headers = {}
/** The rows of a stage mostly send the same headers, as one object: they are put together once. */
const PLAIN = new WeakMap<Readonly<Headers>, Headers>()

function plainHeaders(given: Readonly<Headers>): Headers {
  const known = PLAIN.get(given)
  if (known) return known
  const headers = withOurs(given, {})
  PLAIN.set(given, headers)
  return headers
}

/** With what every request has; what is given wins. */
function withOurs(given: Readonly<Headers>, more: Headers): Headers {
  const headers: Headers = { 'accept-encoding': acceptEncoding, 'user-agent': 'Forage', ...more }
  for (const name of Object.keys(given)) {
    const lower = name.toLowerCase()
    // Only a proxy is to get it, and it gets its own.
    if (lower !== 'proxy-authorization') headers[lower] = given[name]!
  }
  return headers
}

function withoutUser(written: URL): URL {
  const url = new URL(written)
  url.username = ''
  url.password = ''
  return url
}

function basic(url: URL): string {
  const pair = `${decodeLoosely(url.username)}:${decodeLoosely(url.password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

export const isRedirect = (status: number, headers: IncomingHttpHeaders): boolean =>
  status >= 300 && statuses.has(status) && typeof headers.location === 'string' && headers.location !== ''

/** The request that an answer redirects to, if it does. `secrets`: further headers that only the first origin gets. */
export function redirected(
  hop: Hop,
  status: number,
  headers: IncomingHttpHeaders,
  secrets: readonly string[],
): Hop | undefined {
  if (!isRedirect(status, headers)) return undefined
  // Whoever redirects does not get to choose a user name and password.
  const url = withoutUser(readUrl(headers.location as string, hop.url))
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

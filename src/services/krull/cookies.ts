import type { Protocol } from 'puppeteer-core'
import { ForageError } from '../../errors.ts'

/** A cookie as it is given and answered. */
export interface CookieRecord {
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly expires?: string
  readonly size: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly session: boolean
}
export type GivenCookie = { readonly value: string } & {
  readonly [K in keyof CookieRecord]?: CookieRecord[K]
}
export type GivenCookies = Readonly<Record<string, GivenCookie | readonly GivenCookie[]>>

type CookieParam = Protocol.Network.CookieParam

/** What the browser is told to set; what a cookie leaves out it takes from the address of the page. */
export const cookieParams = (given: GivenCookies, url: URL): CookieParam[] =>
  Object.entries(given).flatMap(([name, one]) =>
    (Array.isArray(one) ? (one as readonly GivenCookie[]) : [one as GivenCookie]).map(cookie =>
      cookieParam(name, cookie, url),
    ),
  )

function cookieParam(name: string, given: GivenCookie, url: URL): CookieParam {
  const { value, domain, path = '/', httpOnly, secure } = given
  const expires = given.session === true ? undefined : readExpiry(name, given.expires)
  return {
    name,
    value,
    path,
    // With a domain the browser gives the cookie to all names below it; for one host alone it wants an address.
    ...(domain?.startsWith('.') ? { domain } : { url: hostUrl(domain, path, url, secure) }),
    ...(httpOnly !== undefined && { httpOnly }),
    ...(secure !== undefined && { secure }),
    ...(expires !== undefined && { expires }),
  }
}

function hostUrl(domain: string | undefined, path: string, url: URL, secure: boolean | undefined): string {
  const host = domain === undefined || domain === url.hostname ? url.host : domain
  const scheme = secure ? 'https:' : url.protocol
  return `${scheme}//${host}${path.startsWith('/') ? path : '/'}`
}

/** ISO 8601, or seconds since 1970 in text. */
function readExpiry(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const seconds = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000
  if (!Number.isNaN(seconds)) return seconds < 0 ? undefined : seconds
  const path = `$.cookieStorage[${JSON.stringify(name)}].expires`
  const message = 'must be a time in ISO 8601, or seconds since 1970 in text'
  throw new ForageError('invalid_request', `Not valid in the body: ${path} ${message}`, {
    errors: [{ path, message, in: 'body' }],
  })
}

/** By name; two of one name (for two paths, say) are a list. */
export function readCookies(
  cookies: readonly Protocol.Network.Cookie[],
): Record<string, CookieRecord | CookieRecord[]> {
  const byName = Map.groupBy(cookies, ({ name }) => name)
  return Object.fromEntries(
    [...byName].map(([name, same]) => [name, same.length === 1 ? recordOf(same[0]!) : same.map(recordOf)]),
  )
}

const recordOf = (cookie: Protocol.Network.Cookie): CookieRecord => ({
  value: cookie.value,
  domain: cookie.domain,
  path: cookie.path,
  ...(!cookie.session && { expires: new Date(cookie.expires * 1000).toISOString() }),
  size: cookie.size,
  httpOnly: cookie.httpOnly,
  secure: cookie.secure,
  session: cookie.session,
})

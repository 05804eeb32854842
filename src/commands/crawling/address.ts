/** Characters that mean the same whether they are escaped or not (RFC 3986, 2.3). */
const UNRESERVED = /[A-Za-z0-9\-._~]/

/** Escapes in their one normal form: in capitals, and only where they are needed. */
export const normalEscapes = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\x21-\x7e]/gu, encodeURIComponent)
    .replace(/%([0-9a-fA-F]{2})/g, (sequence, hex: string) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16))
      return UNRESERVED.test(character) ? character : sequence.toUpperCase()
    })

/**
 * An address in its one normal form, so that a page is known by it: without fragment, user and password, default port,
 * dot segments and needless escapes. The order of the query is kept, since to some servers it matters. Undefined for
 * what is no address of the web.
 */
export function canonicalAddress(text: string, base?: URL): URL | undefined {
  const url = URL.parse(text.trim(), base?.href)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined
  url.hash = ''
  url.username = ''
  url.password = ''
  url.pathname = normalEscapes(url.pathname)
  // Set to nothing, a lone question mark goes as well.
  url.search = url.search.length > 1 ? normalEscapes(url.search) : ''
  return url
}

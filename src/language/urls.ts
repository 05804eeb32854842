import type { Template } from './values.ts'

/** The scheme and the host with its port, up to where the path begins. */
const ORIGIN = /^https?:\/\/[^/?#\\]+(?=[/?#])/i

/**
 * Whether every token stands behind the host, or is the whole address. Only then can no value choose whom the
 * request goes to.
 */
export function tokensAvoidHost(template: Template): boolean {
  const [first] = template.parts
  if (template.parts.length < 2) return true
  return typeof first === 'string' && ORIGIN.test(first)
}

/** The host that a URL asks for, as far as the text alone tells. */
export function literalHost(template: Template): string | undefined {
  const [first] = template.parts
  return typeof first === 'string' ? parseUrl(first)?.host : undefined
}

export function parseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
    ? url
    : undefined
}

const LOCAL = /^(localhost|127\.|\[?::1|10\.|192\.168\.)/i

/** `shop.example/x` lacks only its scheme: the address with one, if it then is one. */
export function withScheme(text: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !/^[\w[]/.test(text)) return undefined
  const whole = `${LOCAL.test(text) ? 'http' : 'https'}://${text}`
  const url = parseUrl(whole)
  return url && (url.hostname.includes('.') || LOCAL.test(url.hostname)) ? whole : undefined
}

/** Everything but unreserved characters, so that no value can add a segment, a parameter or a fragment. */
export const percentEncode = (text: string): string =>
  UNRESERVED.test(text)
    ? text
    : encodeURIComponent(text.toWellFormed()).replace(
        /[!'()*]/g,
        char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      )

/** Numbers and words, which is what most values are. */
const UNRESERVED = /^[\w.~-]*$/

/** `.` and `..` mean another folder even when percent-encoded. */
export const isDotSegment = (segment: string): boolean => /^(?:\.|%2e){1,2}$/i.test(segment)

import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

const plain = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/

/**
 * A host as policies and windows know it: lower case, punycode, without port, brackets and final dot.
 * Undefined when the text names no host.
 */
export function readHost(text: string): string | undefined {
  const given = text.trim()
  if (/[/\\@?#\s*]/.test(given)) return undefined
  const host = URL.parse(`http://${isIPv6(given) ? `[${given}]` : given}`)?.hostname ?? ''
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return isIPv6(name) || plain.test(name) ? name : undefined
}

/** The domain of a policy: `a.b.com`, `*.b.com` or `*`. */
export function readDomain(text: string): string | undefined {
  const given = text.trim()
  if (given === '*') return given
  if (!given.startsWith('*.')) return readHost(given)
  const name = domainToASCII(given.slice(2)).replace(/\.$/, '')
  return plain.test(name) && isIP(name) === 0 ? `*.${name}` : undefined
}

import { hostKey } from '../../network/scope.ts'

const PATTERN =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$|^\[[0-9a-f:.]+\]$/

/** A host as credentials name it, in its usual form: `api.b.com`, or `*.b.com` for all below it. */
export function readHostPattern(text: string): string | undefined {
  const [wildcard, name] = text.startsWith('*.') ? ['*.', text.slice(2)] : ['', text]
  // A port, a path or a user is no part of a host; the colons of IPv6 are, in their brackets.
  if (/[/?#@\\\s]|:(?![^[]*\])/.test(name)) return undefined
  const host = URL.parse(`http://${name}`)?.hostname ?? ''
  return PATTERN.test(wildcard + host) ? wildcard + host : undefined
}

/** Whether a secret may go to a host; to any, when nothing is said. */
export function allowsHost(patterns: readonly string[] | undefined, hostname: string): boolean {
  if (patterns === undefined || patterns.length === 0) return true
  const host = hostKey(hostname)
  return patterns.some(pattern =>
    pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === hostKey(pattern),
  )
}

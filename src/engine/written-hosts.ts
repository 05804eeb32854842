import { hostKey } from '../network/scope.ts'

const ADDRESS = /\bhttps?:\/\/(?:[^\s/?#@"'`]*@)?([^\s/?#"'`$\\]+)/gi

/**
 * The hosts that stand in the text of a query. Only an address that its author wrote may be one of this machine or its
 * network: what a page or an answer says may not lead there.
 */
export function writtenHosts(query: string): ReadonlySet<string> {
  const hosts = new Set<string>()
  for (const [, host] of query.matchAll(ADDRESS)) {
    const url = URL.parse(`http://${host}`)
    if (url) hosts.add(hostKey(url.hostname))
  }
  return hosts
}

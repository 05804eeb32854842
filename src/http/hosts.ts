import type { FastifyRequest } from 'fastify'
import { ForageError } from '../errors.ts'

const ALWAYS_KNOWN = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses requests to names that are not ours, so that a foreign page whose name was made to resolve to this machine cannot
 * talk to us. The address at which a connection arrived is ours too: nobody can make a browser send it for another site.
 */
export function hostCheck(
  ownHost: string,
  furtherHosts: readonly string[],
): (request: FastifyRequest) => void {
  const known = new Set([...ALWAYS_KNOWN, ownHost, ...furtherHosts].map(normalize))
  return request => {
    const header = request.headers.host
    if (header === undefined) throw new ForageError('malformed_request', 'The Host header is missing.')
    const name = normalize(withoutPort(header))
    if (known.has(name) || name === normalize(request.socket.localAddress ?? '')) return
    throw new ForageError(
      'unknown_host',
      `This service is not known as "${name.slice(0, 200)}". Add the name to FORAGE_HOSTS if it should be.`,
    )
  }
}

const withoutPort = (host: string): string => host.replace(/:\d*$/, '')

/** Lower case, without the dot that a full name may end with; IPv6 in brackets, IPv4 never inside IPv6. */
function normalize(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^::ffff:(?=\d+\.)/, '')
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
}

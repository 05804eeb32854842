import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ForageError } from '../errors.ts'
import type { Authenticator } from './context.ts'
import { isPageVisit } from './web.ts'

/** Looks a key up; by its hash, so that the time it takes tells nothing about keys that exist. */
export interface KeyVerifier {
  verify(key: string): Promise<{ readonly id: string; readonly name: string } | undefined>
}

const SCHEME = /^(?:svc|bearer) +([^\s]{1,1000}) *$/i

/** `Authorization: svc <API_KEY>`, or `Bearer` with the same key. */
export const byKey =
  (keys: KeyVerifier): Authenticator =>
  async request => {
    const key = SCHEME.exec(request.headers.authorization ?? '')?.[1]
    const found = key === undefined ? undefined : await keys.verify(key)
    return found && { kind: 'key', id: found.id, name: found.name }
  }

/** The key of this run of the server, which `forage query` reads from the data folder. */
export const byLocalKey =
  (own: string): Authenticator =>
  async request => {
    const key = SCHEME.exec(request.headers.authorization ?? '')?.[1]
    if (key === undefined || !timingSafeEqual(digest(key), digest(own))) return undefined
    return { kind: 'key', id: 'local', name: 'forage on this machine' }
  }

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Asks one authenticator after the other; whoever none knows is refused, always in the same words. */
export function authentication(
  authenticators: readonly Authenticator[],
): (request: FastifyRequest) => Promise<void> {
  return async request => {
    if (request.routeOptions.config?.open || (request.is404 && isPageVisit(request))) return
    for (const authenticate of authenticators) {
      const caller = await authenticate(request)
      if (caller !== undefined) {
        request.caller = caller
        return
      }
    }
    throw new ForageError(
      'unauthorized',
      'Send a valid API key in the header "Authorization: svc <API_KEY>".',
    )
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ForageError } from '../errors.ts'
import { isSameToken, type Session, type Sessions } from '../services/secrets/sessions.ts'
import type { Authenticator } from './context.ts'
import { ownOrigin, readCookie, setCookie } from './cookies.ts'

const COOKIE = 'forage_session'
const CSRF_HEADER = 'x-csrf-token'
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Whoever came by a link, before there is a user. */
const LINK = 'sign-in link'

export const sessionToken = (request: FastifyRequest): string | undefined => readCookie(request, COOKIE)

export const setSession = (request: FastifyRequest, reply: FastifyReply, token: string): void =>
  setCookie(request, reply, COOKIE, token, { sameSite: 'strict' })

/** A browser that is signed in. What changes something has to come from our own pages, and to prove it twice. */
export const bySession =
  (sessions: Pick<Sessions, 'find'>): Authenticator =>
  async request => {
    const token = sessionToken(request)
    const session = token === undefined ? undefined : await sessions.find(token)
    if (session === undefined) return undefined
    if (!READS.has(request.method)) requireOwnPage(request, session)
    const name = session.username ?? LINK
    return { kind: 'user', id: name, name }
  }

function requireOwnPage(request: FastifyRequest, { csrfToken }: Session): void {
  requireOwnOrigin(request)
  const given = request.headers[CSRF_HEADER]
  if (typeof given === 'string' && isSameToken(given, csrfToken)) return
  throw new ForageError('forbidden', 'The header X-CSRF-Token has to hold the csrfToken of GET /session.')
}

export function requireOwnOrigin(request: FastifyRequest): void {
  if (request.headers.origin === ownOrigin(request)) return
  throw new ForageError('forbidden', 'This request did not come from a page of this service (Origin).')
}

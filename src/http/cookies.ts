import type { FastifyReply, FastifyRequest } from 'fastify'

/** Whether the browser speaks TLS: with us, or with the proxy before us, which says so. */
const isSecure = (request: FastifyRequest): boolean =>
  request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https'

/** The address at which the browser sees us. The host was checked against the known ones. */
export const ownOrigin = (request: FastifyRequest): string =>
  `${isSecure(request) ? 'https' : 'http'}://${request.headers.host}`

/** Under TLS the prefix keeps other hosts of the domain from setting it. */
const cookieName = (request: FastifyRequest, name: string): string =>
  isSecure(request) ? `__Host-${name}` : name

export const readCookie = (request: FastifyRequest, name: string): string | undefined =>
  request.cookies[cookieName(request, name)]

interface CookieOptions {
  readonly sameSite: 'strict' | 'lax'
  /** Without it the browser forgets it when it is closed. */
  readonly maxAgeSeconds?: number
}

/** Sets a cookie that scripts cannot read; an empty value takes it away. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  { sameSite, maxAgeSeconds }: CookieOptions,
): void {
  const maxAge = value === '' ? 0 : maxAgeSeconds
  reply.setCookie(cookieName(request, name), value, {
    httpOnly: true,
    path: '/',
    sameSite,
    secure: isSecure(request),
    ...(maxAge !== undefined && { maxAge }),
  })
}

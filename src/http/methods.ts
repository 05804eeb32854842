import type { FastifyReply, FastifyRequest } from 'fastify'
import { ForageError } from '../errors.ts'
import type { App } from './context.ts'
import { isPageVisit } from './web.ts'

interface KnownRoute {
  readonly methods: readonly string[]
  readonly segments: readonly string[]
}

/** What is not served: for a person the web application, else 405 when the path has other methods, or 404. */
export function registerNotFound(app: App): void {
  const routes: KnownRoute[] = []
  app.addHook('onRoute', ({ method, url }) => {
    routes.push({ methods: [method].flat(), segments: url.split('/') })
  })

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (isPageVisit(request)) return app.sendPage(reply)
    const path = request.url.split('?', 1)[0]!
    const allowed = allowedMethods(routes, path.split('/'))
    if (allowed.length === 0)
      throw new ForageError(
        'no_such_route',
        `There is no ${request.method} ${path.slice(0, 200)}; see /docs for what there is.`,
      )
    reply.header('allow', allowed.join(', '))
    throw new ForageError(
      'method_not_allowed',
      `${path.slice(0, 200)} takes ${allowed.join(', ')}, not ${request.method}.`,
    )
  })
}

function allowedMethods(routes: readonly KnownRoute[], path: readonly string[]): string[] {
  const matching = routes.filter(
    ({ segments }) =>
      segments.length === path.length &&
      segments.every((segment, index) =>
        segment.startsWith(':') ? path[index] !== '' : segment === path[index],
      ),
  )
  return [...new Set(matching.flatMap(route => route.methods))].sort()
}

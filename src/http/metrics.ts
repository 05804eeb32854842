import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { App } from './context.ts'

/** Figures of the process and of every request, as Prometheus reads them. Services may add theirs to the registry. */
export function createMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return registry
}

export function registerMetrics(app: App, registry: Registry): void {
  const requests = new Counter({
    name: 'forage_http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'forage_http_request_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by route.',
    labelNames: ['route'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
    registers: [registry],
  })

  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, never the path: a label for each id would grow without end.
    const route = request.routeOptions.url ?? 'none'
    requests.inc({ method: request.method, route, status: reply.statusCode })
    seconds.observe({ route }, reply.elapsedTime / 1000)
    done()
  })

  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await registry.metrics()),
  )
}

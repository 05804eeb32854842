import { ForageError } from '../errors.ts'
import type { Supervisor } from '../services/supervisor.ts'
import type { App } from './context.ts'

/** For whoever watches the process: alive (`/healthz`), and able to work (`/readyz`). */
export function registerHealth(app: App, supervisor: Pick<Supervisor, 'status'>): void {
  const open = { schema: { hide: true }, config: { open: true } }
  app.get('/healthz', open, async () => ({ status: 'ok' }))
  app.get('/readyz', open, async () => {
    // The other services come and go behind it: queries are taken as long as sirp runs.
    const { status, detail } = supervisor.status('sirp')
    if (status === 'running') return { status: 'ready' }
    throw new ForageError('not_ready', `sirp is ${status}: ${detail}`, { retryAfterSeconds: 1 })
  })
}

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { startDemo } from '../demo/server.ts'
import { assemble } from './assembly.ts'
import { Fault, systemCode } from './fault.ts'
import { byLocalKey } from './http/authentication.ts'
import type { Routes } from './http/route.ts'
import { createServer } from './http/server.ts'
import type { Logger } from './log.ts'
import type { Keys } from './services/secrets/keys.ts'
import type { Supervisor } from './services/supervisor.ts'
import { isExposed, type Settings } from './settings.ts'

/** Forage, running. */
export interface Forage {
  readonly address: string
  readonly demoAddress: string | undefined
  /** The key that the very first start made; nobody can read it again. */
  readonly firstKey: string | undefined
  readonly hasUsers: boolean
  createSignInLink(): Promise<string>
  /** Takes no new work, gives running work the grace time, and lets go of everything. */
  stop(): Promise<void>
}

/** Puts the parts together; `routes` come besides its own. What was begun is undone when a later part cannot start. */
export async function startForage(
  settings: Settings,
  log: Logger,
  routes: readonly Routes[] = [],
): Promise<Forage> {
  await using parts = new AsyncDisposableStack()

  const services = await assemble(parts, settings, log, { takesUp: true })
  const { folder, network, secrets, supervisor } = services
  const localKey = randomBytes(32).toString('base64url')
  let demoAddress: string | undefined
  const server = await createServer({
    ...services,
    settings,
    log,
    keys: secrets.keys,
    authenticators: [byLocalKey(localKey)],
    routes,
    demoAddress: () => demoAddress,
  })
  parts.defer(() => stopWork(server, supervisor, settings.grace * 1000))
  const port = await listen(server, settings)
  // A query that asks Forage itself could do anything that its key may; nothing but its own client has reason to.
  network.closePort(port)
  const demo = await startDemoSite(settings, log)
  if (demo !== undefined) {
    demoAddress = `http://127.0.0.1:${demo.port}`
    parts.defer(() => demo.close())
  }

  // After the port is ours: a key that was made for a start that then failed would be lost.
  const firstKey = await prepareKeys(secrets.keys, settings.apiKey)
  // Routes of a service that is not up yet answer 503, as they do when it restarts.
  await supervisor.start()
  const address = `http://${shownHost(settings.host)}:${port}`
  // Who may read the data folder may do anything with it: `forage query` finds the server and a key for it there.
  folder.announce({ address, key: localKey })
  const running = parts.move()
  return {
    address,
    demoAddress,
    firstKey,
    hasUsers: await secrets.signInLinks.hasUsers(),
    createSignInLink: async () => `${address}/sign-in#${await secrets.signInLinks.create()}`,
    stop: () => running.disposeAsync(),
  }
}

const IDLE_LOOK_MS = 50

/** Requests that wait for a query would hold the server as long as the query runs: both are stopped at once. */
async function stopWork(server: FastifyInstance, supervisor: Supervisor, graceMs: number): Promise<void> {
  const impatience = setTimeout(() => server.server.closeAllConnections(), graceMs)
  // A client that keeps its connection after the last answer would hold the server just as long.
  const tidying = setInterval(() => server.server.closeIdleConnections(), IDLE_LOOK_MS)
  await Promise.all([server.close(), supervisor.stop(graceMs)])
  clearInterval(tidying)
  clearTimeout(impatience)
}

async function listen(server: FastifyInstance, { host, port }: Settings): Promise<number> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const code = systemCode(error)
    const taken = code === 'EADDRINUSE'
    if (!taken && code !== 'EACCES' && code !== 'EADDRNOTAVAIL' && code !== 'ENOTFOUND') throw error
    throw new Fault(
      'port_taken',
      taken
        ? `port ${port} on ${host} is taken by another program`
        : `cannot listen on port ${port} of ${host} (${code})`,
      taken
        ? `Stop that program (\`ss -ltnp 'sport = :${port}'\` names it; it may be another Forage), or set FORAGE_PORT to a free port, for instance FORAGE_PORT=${port + 10}.`
        : 'Set FORAGE_HOST to an address of this machine and FORAGE_PORT to a port that you may use (above 1023 for most users).',
      { cause: error },
    )
  }
  const bound = server.server.address()
  return typeof bound === 'object' && bound !== null ? bound.port : port
}

/** The demo site is a convenience: a port that is taken does not keep Forage from starting. */
async function startDemoSite(settings: Settings, log: Logger) {
  if (!settings.demo || isExposed(settings)) return undefined
  try {
    return await startDemo({ port: settings.demoPort, host: '127.0.0.1' })
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error
    log.warn(`the demo site is off: port ${settings.demoPort} is taken; FORAGE_DEMO_PORT sets another one`)
    return undefined
  }
}

async function prepareKeys(keys: Keys, given: string | undefined): Promise<string | undefined> {
  if (given !== undefined) await keys.adopt(given)
  const { total } = await keys.list({ offset: 0, limit: 1 })
  return total === 0 ? (await keys.create('first key')).key : undefined
}

/** An address that a browser on this machine can open. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

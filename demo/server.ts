import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demoRouter } from './routes.ts'

export interface Demo {
  port: number
  url: string
  close(): Promise<void>
}

/** How long an answer that is under way may take once the site is to close. */
const GRACE_MS = 1000

/** Port 0 takes a free one. A port that is taken rejects with the system's own error (`EADDRINUSE`). */
export async function startDemo({
  port,
  host = '127.0.0.1',
}: {
  port: number
  host?: string
}): Promise<Demo> {
  const router = demoRouter()
  const server = createServer((request, response) => {
    // By which `forage doctor` knows it.
    response.setHeader('server', 'Forage demo site')
    void router.handle(request, response)
  })
  await listen(server, port, host)
  const address = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { port: address.port, url: `http://${name}:${address.port}`, close: () => close(server) }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    // Closing a server that is already closed is no fault.
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
    server.closeIdleConnections()
  })
}

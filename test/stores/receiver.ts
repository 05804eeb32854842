import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly requests: Received[]
  /** Rows in the order in which they were taken, whatever the format. */
  rows(): unknown[]
  /** What to answer to the requests to come: by default 204. */
  answer: (request: Received, response: ServerResponse) => void
}

const taken = (_request: Received, response: ServerResponse) => void response.writeHead(204).end()

/** A real HTTP server that keeps what it was sent and answered 2xx to. */
export async function receiver(): Promise<Receiver> {
  const requests: Received[] = []
  const accepted: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const received = {
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    requests.push(received)
    response.once('finish', () => {
      if (response.statusCode < 300) accepted.push(received)
    })
    made.answer(received, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const made: Receiver = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    rows: () => accepted.flatMap(({ body }) => rowsIn(body)),
    answer: taken,
  }
  return made
}

export function rowsIn(body: string): unknown[] {
  if (body.startsWith('[')) return JSON.parse(body) as unknown[]
  return body
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as unknown)
}

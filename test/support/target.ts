import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export interface Target {
  readonly url: string
  /** Every request that came, in order. */
  readonly requests: {
    readonly path: string
    readonly at: number
    readonly headers: IncomingMessage['headers']
  }[]
  /** Requests that wait for an answer now. */
  readonly open: number
  /** The most that were open at one time. */
  readonly mostOpen: number
  /** How often each path was asked for. */
  counts(): Map<string, number>
  /** Resolves when that many requests are open. */
  opened(count: number): Promise<void>
  close(): Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>

/** A server that a query fetches from, and that remembers how. Gone when the tests of the file have run. */
export async function target(answer: Answer): Promise<Target> {
  const requests: Target['requests'] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let open = 0
  let mostOpen = 0
  const server = createServer((request, response) => {
    requests.push({ path: request.url!, at: performance.now(), headers: request.headers })
    open++
    mostOpen = Math.max(mostOpen, open)
    for (const { count, resolve } of waiting) if (open >= count) resolve()
    response.once('close', () => open--)
    void answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  after(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get open() {
      return open
    },
    get mostOpen() {
      return mostOpen
    },
    counts: () => {
      const counts = new Map<string, number>()
      for (const { path } of requests) counts.set(path, (counts.get(path) ?? 0) + 1)
      return counts
    },
    opened: count =>
      new Promise(resolve => {
        if (open >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    close,
  }
}

export function json(response: ServerResponse, value: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** Doors that a target's answers wait behind until they are opened. */
export class Gate {
  #open = Promise.withResolvers<void>()

  get passed(): Promise<void> {
    return this.#open.promise
  }

  open(): void {
    this.#open.resolve()
  }

  close(): void {
    this.#open = Promise.withResolvers<void>()
  }
}

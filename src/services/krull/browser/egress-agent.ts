import { Agent, type AgentOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How a request gets its connection, given with its other options. */
interface Dialling {
  /** Requests of the same key share connections. */
  readonly key: string
  dial(): Promise<Socket>
}

/** Connections for requests in absolute form, kept open for the job alone. */
export class EgressAgent extends Agent {
  constructor() {
    super({ keepAlive: true, maxSockets: 32, scheduling: 'lifo' })
  }

  override getName(options?: AgentOptions): string {
    return (options as Partial<Dialling> | undefined)?.key ?? ''
  }

  override createConnection(
    options: unknown,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    ;(options as Dialling).dial().then(
      socket => callback(null, socket),
      // By Node.js's own declaration a socket always comes with it.
      (error: Error) => callback(error, undefined as unknown as Duplex),
    )
  }
}

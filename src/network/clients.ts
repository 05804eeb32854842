import { type Client, type Dispatcher, errors } from 'undici'
import { onceATurn } from '../once-a-turn.ts'

/** A request as undici tells of it, and whoever has to know when its connection is free again. */
export interface Handler extends Dispatcher.DispatchHandler {
  /** Called once, when the request is over. */
  onFree: () => void
  /** Nobody waits for it any more. */
  readonly isGivenUp: boolean
}

interface Connection {
  readonly client: Client
  readonly free: () => void
}

/**
 * The connections to one origin: as many as there are requests at once. Undici's own `Pool` makes twice as many, since it
 * takes none for free until a turn of the loop after its answer, and looks at all of them twice for each request.
 */
export class Clients {
  readonly #connect: () => Client
  readonly #most: number
  readonly #all: Connection[] = []
  /** The one that was used last is taken first; those that are not needed any more close by themselves. */
  readonly #idle: Connection[] = []
  readonly #waiting: { readonly options: Dispatcher.DispatchOptions; readonly handler: Handler }[] = []
  readonly #sendSoon = onceATurn(() => this.#sendAll())

  constructor(most: number, connect: () => Client) {
    this.#most = most
    this.#connect = connect
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Handler): void {
    this.#waiting.push({ options, handler })
    this.#sendSoon()
  }

  async destroy(): Promise<void> {
    for (const { handler } of this.#waiting.splice(0))
      handler.onResponseError?.(NOBODY, new errors.ClientDestroyedError())
    await Promise.all(this.#all.map(({ client }) => client.destroy()))
  }

  #another(): Connection | undefined {
    if (this.#all.length >= this.#most) return undefined
    const connection: Connection = { client: this.#connect(), free: () => this.#free(connection) }
    this.#all.push(connection)
    return connection
  }

  #free(connection: Connection): void {
    this.#idle.push(connection)
    if (this.#waiting.length > 0) this.#sendSoon()
  }

  #sendAll(): void {
    let taken = 0
    for (const { options, handler } of this.#waiting) {
      // To send what is given up would only cost the connection: undici would break it off.
      if (!handler.isGivenUp && !this.#send(options, handler)) break
      taken++
    }
    this.#waiting.splice(0, taken)
  }

  /** False where there is no connection for it. */
  #send(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    try {
      const connection = this.#idle.pop() ?? this.#another()
      if (connection) send(connection, options, handler)
      return connection !== undefined
    } catch (error) {
      handler.onResponseError?.(NOBODY, error as Error)
      return true
    }
  }
}

/** Of a request that was never sent. */
const NOBODY = null as unknown as Dispatcher.DispatchController

function send({ client, free }: Connection, options: Dispatcher.DispatchOptions, handler: Handler): void {
  handler.onFree = free
  client.dispatch(options, handler)
}

import type { Readable, Writable } from 'node:stream'
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts'
import { FrameReader } from './frames.ts'

type Commands = ProtocolMapping.Commands
type Events = ProtocolMapping.Events
export type Method = keyof Commands
export type EventName = keyof Events
export type Params<M extends Method> = Commands[M]['paramsType'][0]
export type Result<M extends Method> = Commands[M]['returnType']
export type EventOf<E extends EventName> = Events[E][0]

/** The browser answered a call with an error. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** The browser, or the part of it that a session was with, is gone: the call will never be answered. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

interface Call {
  readonly sessionId: string | undefined
  resolve(value: unknown): void
  reject(error: Error): void
}
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: unknown }
  readonly sessionId?: string
}
type Listener = (params: never, bytes: number) => void

/** No answer of a job is as large; a picture of 30,000 rows of pixels is well below. */
const MOST_FRAME_BYTES = 256 * 1024 * 1024

/** The conversation with one browser over its two pipes. */
export class Connection {
  readonly #write: Writable
  readonly #calls = new Map<number, Call>()
  readonly #sessions = new Map<string, Session>()
  readonly #onClose = new Set<() => void>()
  #lastId = 0
  #isOpen = true
  /** The browser itself; pages have sessions of their own. */
  readonly browser: Session

  constructor(write: Writable, read: Readable, limit = MOST_FRAME_BYTES) {
    this.#write = write
    this.browser = new Session(this, undefined)
    const reader = new FrameReader(
      limit,
      text => this.#receive(text),
      ({ id, bytes }) =>
        this.#settle(id, undefined, new ProtocolError(`The answer has ${bytes} bytes, which is too large.`)),
    )
    reader.attach(read)
    read.on('close', () => this.close())
    for (const stream of [read, write]) stream.on('error', () => this.close())
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Called once when the browser has gone, for whatever reason. Gives how to stop listening. */
  onClose(listener: () => void): () => void {
    this.#onClose.add(listener)
    return () => this.#onClose.delete(listener)
  }

  session(id: string): Session {
    const session = new Session(this, id)
    this.#sessions.set(id, session)
    return session
  }

  /** Nobody listens to this session any more, and what it still asks is not answered. */
  forget(id: string): void {
    this.#sessions.delete(id)
    this.#rejectCalls(call => call.sessionId === id)
  }

  call(method: string, params: unknown, sessionId: string | undefined): Promise<unknown> {
    if (!this.#isOpen) return Promise.reject(new ConnectionLost('The browser is gone.'))
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#calls.set(id, { sessionId, resolve, reject })
    this.#write.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`)
    return promise
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#sessions.clear()
    this.#rejectCalls(() => true)
    for (const listener of [...this.#onClose]) listener()
    this.#onClose.clear()
  }

  #receive(text: string): void {
    const message = JSON.parse(text) as Message
    if (message.id === undefined) {
      const { sessionId, method, params } = message
      const session = sessionId === undefined ? this.browser : this.#sessions.get(sessionId)
      session?.emit(method as EventName, params, text.length)
    } else {
      this.#settle(message.id, message.result, message.error && new ProtocolError(message.error.message))
    }
  }

  #settle(id: number | undefined, result: unknown, failure: Error | undefined): void {
    const call = id === undefined ? undefined : this.#calls.get(id)
    if (id === undefined || call === undefined) return
    this.#calls.delete(id)
    if (failure) call.reject(failure)
    else call.resolve(result)
  }

  #rejectCalls(isMeant: (call: Call) => boolean): void {
    for (const [id, call] of this.#calls) {
      if (!isMeant(call)) continue
      this.#calls.delete(id)
      call.reject(new ConnectionLost('The browser is gone, or the page was closed.'))
    }
  }
}

/** Calls to, and events from, the browser or one page of it. */
export class Session {
  readonly id: string | undefined
  readonly #connection: Connection
  readonly #listeners = new Map<EventName, Set<Listener>>()

  constructor(connection: Connection, id: string | undefined) {
    this.#connection = connection
    this.id = id
  }

  send<M extends Method>(method: M, params?: Params<M>): Promise<Result<M>> {
    return this.#connection.call(method, params ?? {}, this.id) as Promise<Result<M>>
  }

  /** Gives how to stop listening. `bytes`: how long the message was. */
  on<E extends EventName>(event: E, listener: (params: EventOf<E>, bytes: number) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    listeners.add(listener as Listener)
    return () => listeners.delete(listener as Listener)
  }

  emit(event: EventName, params: unknown, bytes: number): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(params as never, bytes)
  }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** A process of its own that answers calls, one after the other: its memory and its work are its own. */
export class Child {
  readonly #process: ChildProcess
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string, args: readonly string[] = []) {
    this.#process = fork(join(import.meta.dirname, 'children', file), args, {
      // Ours and its peers on large pages, as `npm start` has it.
      execArgv: ['--expose-gc', '--use-largepages=silent'],
      env: { ...process.env, UV_THREADPOOL_SIZE: '16' },
    })
  }

  call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
    const turn = this.#last.then(() => this.#ask<T>(method, args))
    this.#last = turn.catch(() => {})
    return turn
  }

  async #ask<T>(method: string, args: readonly unknown[]): Promise<T> {
    const gone = new AbortController()
    const exit = once(this.#process, 'exit', { signal: gone.signal }).then(() => {
      throw new Error(`the process of ${method} has ended`)
    })
    const answer = once(this.#process, 'message') as Promise<[{ value: T } | { error: string }]>
    this.#process.send({ method, args })
    const [reply] = await Promise.race([answer, exit])
    exit.catch(() => {})
    gone.abort()
    if ('error' in reply) throw new Error(reply.error)
    return reply.value
  }

  async stop(): Promise<void> {
    const exit = once(this.#process, 'exit')
    this.#process.disconnect()
    await exit
  }
}

type Methods = Readonly<Record<string, (...args: never[]) => unknown>>

/** The other side: serves the calls until the parent lets go. */
export function serve(methods: Methods, close: () => Promise<void> = async () => {}): void {
  process.on('message', async ({ method, args }: { method: string; args: never[] }) => {
    try {
      process.send?.({ value: (await methods[method]!(...args)) ?? null })
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  })
  process.once('disconnect', () => void close().then(() => process.exit(0)))
}

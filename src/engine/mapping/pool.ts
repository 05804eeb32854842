import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { TableError } from '../tables/errors.ts'
import { Semaphore } from '../tables/semaphore.ts'
import type { MapAnswer, MappedPart, MapRequest } from './protocol.ts'

export interface MapperPoolOptions {
  /** Threads at most. */
  readonly size?: number
  /** The worker's script, when it is not beside this file. */
  readonly entry?: URL
}

/** A few threads for mappers, started when they are first needed and kept. */
export class MapperPool {
  readonly #entry: URL
  readonly #places: Semaphore
  readonly #idle: MapWorker[] = []
  readonly #all = new Set<MapWorker>()
  #closed = false

  constructor(options: MapperPoolOptions = {}) {
    const here = import.meta.url
    this.#entry = options.entry ?? new URL(here.endsWith('.ts') ? './entry.ts' : './mapper-worker.mjs', here)
    this.#places = new Semaphore(options.size ?? Math.min(4, availableParallelism()))
  }

  /** A thread for one's own, when there is one. */
  async lease(signal?: AbortSignal): Promise<MapWorker> {
    return this.#take(await this.#places.acquire(signal))
  }

  /** Another one, if that takes it from nobody. */
  leaseAnother(): MapWorker | undefined {
    const release = this.#places.tryAcquire()
    return release && this.#take(release)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#all].map(worker => worker.end()))
  }

  #take(release: () => void): MapWorker {
    if (this.#closed) {
      release()
      throw new TableError('table_closed', 'The table engine has been stopped.')
    }
    const worker = this.#idle.pop() ?? new MapWorker(this.#entry, ended => this.#all.delete(ended))
    this.#all.add(worker)
    worker.lend(() => {
      if (!worker.ended && !this.#closed) this.#idle.push(worker)
      release()
    })
    return worker
  }
}

/** A thread and its one question at a time. */
export class MapWorker {
  readonly #worker: Worker
  #reply: { resolve(part: MappedPart | undefined): void; reject(error: unknown): void } | undefined
  #giveBack: (() => void) | undefined
  ended = false

  constructor(entry: URL, onEnd: (worker: MapWorker) => void) {
    this.#worker = new Worker(entry)
    this.#worker.unref()
    this.#worker.on('message', (answer: MapAnswer) => this.#settle(answer))
    this.#worker.on('error', error => this.#reply?.reject(error))
    this.#worker.once('exit', () => {
      this.ended = true
      onEnd(this)
      this.#reply?.reject(new TableError('mapping_failed', 'The thread that mapped the rows ended.'))
    })
  }

  lend(giveBack: () => void): void {
    this.#giveBack = giveBack
    this.#worker.ref()
  }

  ask(request: MapRequest): Promise<MappedPart | undefined> {
    return new Promise((resolve, reject) => {
      this.#reply = { resolve, reject }
      this.#worker.postMessage(request)
    })
  }

  /** Back to the pool, for the next. */
  release(): void {
    this.#worker.unref()
    this.#giveBack?.()
    this.#giveBack = undefined
  }

  /** For one that may be in the middle of something: a mapper cannot be interrupted in another way. */
  async end(): Promise<void> {
    this.ended = true
    await this.#worker.terminate()
    this.release()
  }

  #settle(answer: MapAnswer): void {
    const reply = this.#reply
    this.#reply = undefined
    if (answer.ok) reply?.resolve(answer.part)
    else reply?.reject(new TableError(answer.code, answer.message, answer.hint))
  }
}

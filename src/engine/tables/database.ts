import { setMaxListeners } from 'node:events'
import { mkdirSync } from 'node:fs'
import type { DuckDBBlobVector, DuckDBDataChunk } from '@duckdb/node-api'
import type { Row } from '../../language/json.ts'
import { render, type Sql, type Statement } from '../../sql/sql.ts'
import { engineMessage, isInvalidating, TableError, tableError } from './errors.ts'
import { type Connection, Instance } from './instance.ts'
import { Semaphore } from './semaphore.ts'
import { remove, temporaryFolder } from './temporary.ts'
import { bindAll, toJson } from './values.ts'

export interface DatabaseOptions {
  /** Where spill and scratch files go: each process has its own folder in it, removed at the end or at the next start. */
  readonly temporary: string
  /** The only folders that statements may read from and write to, besides that. */
  readonly folders: readonly string[]
  readonly memoryMb: number
  readonly threads?: number
  /** Statements at once. Each holds a thread of libuv's pool, so it stays well below UV_THREADPOOL_SIZE. */
  readonly concurrency?: number
}

export interface StatementOptions {
  readonly signal?: AbortSignal | undefined
}

type Result = Awaited<ReturnType<Connection['stream']>>

/** An interrupt that comes before the statement has begun is lost, so it is repeated until the statement ends. */
const INTERRUPT_EVERY_MS = 20
/** Rows of text handed over at once, and the characters past which fewer are. */
const TEXTS_PER_BATCH = 2048
const CHARACTERS_PER_BATCH = 4_000_000

/**
 * The table engine: one DuckDB instance in this process, bounded in memory, spilling to disk. It keeps nothing: the
 * truth is in Parquet files, so an instance that an internal error has invalidated is simply made anew.
 */
export class Database {
  /** For files that live no longer than a request or a stage. */
  readonly scratch: string
  readonly #folder: string
  readonly #options: DatabaseOptions
  readonly #places: Semaphore
  readonly #stopping = new AbortController()
  readonly #active = new Set<Promise<unknown>>()
  readonly #instances = new Set<Instance>()
  #current: Promise<Instance> | undefined

  private constructor(options: DatabaseOptions) {
    this.#options = options
    // Every statement listens to it, and there may be hundreds in the queue.
    setMaxListeners(0, this.#stopping.signal)
    this.#places = new Semaphore(options.concurrency ?? 4)
    this.#folder = temporaryFolder(options.temporary)
    this.scratch = `${this.#folder}/scratch`
    mkdirSync(this.scratch)
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const database = new Database(options)
    try {
      await database.#instance()
    } catch (error) {
      remove(database.#folder)
      throw error
    }
    return database
  }

  /** Runs a statement; gives the number that DuckDB counted (rows copied). */
  async run(statement: Sql, options: StatementOptions = {}): Promise<number> {
    const [first] = await this.rows(statement, options)
    return Number(Object.values(first ?? {})[0] ?? 0)
  }

  /** The rows of a small result. */
  rows(statement: Sql, options: StatementOptions = {}): Promise<Row[]> {
    return this.#execute(render(statement), this.#signal(options), readRows)
  }

  /** The only column of a small result, of text. */
  column(statement: Sql, options: StatementOptions = {}): Promise<string[]> {
    return this.#execute(render(statement), this.#signal(options), async result => {
      const texts: string[] = []
      for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk())
        for (const batch of batches(chunk.getColumnVector(0), chunk.rowCount)) texts.push(...batch)
      return texts
    })
  }

  /**
   * A result's only column, of text, in batches. The place in the queue is held while DuckDB works, not while the
   * reader does, so a reader that is slow or runs statements of its own stalls nobody. A failure half-way looks like the
   * end (see `start`): whoever knows how many there are counts them.
   */
  async *texts(statement: Sql, options: StatementOptions = {}): AsyncGenerator<string[], void, void> {
    for await (const chunk of this.#chunks(statement, options))
      yield* batches(chunk.getColumnVector(0), chunk.rowCount)
  }

  /** The same of a column of bytes, one by one, each in memory of its own: long texts wait there, outside of the heap. */
  async *bytes(statement: Sql, options: StatementOptions = {}): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of this.#chunks(statement, options)) {
      const column = chunk.getColumnVector(0) as DuckDBBlobVector
      for (let index = 0; index < chunk.rowCount; index++) {
        const found = column.getItemBytes(index) ?? new Uint8Array()
        // DuckDB keeps short ones in the column itself.
        yield found.byteLength === found.buffer.byteLength ? found : found.slice()
      }
    }
  }

  /** Stops what runs, waits for it to have stopped, and takes the temporary files away. */
  async close(): Promise<void> {
    this.#stopping.abort(new TableError('table_closed', 'The table engine has been stopped.'))
    while (this.#active.size > 0) await Promise.allSettled(this.#active)
    for (const instance of this.#instances) instance.close()
    this.#instances.clear()
    remove(this.#folder)
  }

  async *#chunks(statement: Sql, options: StatementOptions): AsyncGenerator<DuckDBDataChunk, void, void> {
    const signal = this.#signal(options)
    signal.throwIfAborted()
    const instance = await this.#instance()
    let connection: Connection | undefined
    try {
      const used = await this.#track(instance.connect())
      connection = used
      const result = await this.#guard(used, signal, () => start(used, render(statement), 'stream'))
      for (;;) {
        const chunk = await this.#guard(used, signal, () => result.fetchChunk())
        if (!chunk?.rowCount) return
        yield chunk
      }
    } catch (error) {
      throw this.#judge(instance, signal, error)
    } finally {
      if (connection) instance.disconnect(connection)
    }
  }

  async #execute<T>(
    statement: Statement,
    signal: AbortSignal,
    read: (result: Result) => Promise<T>,
    retried = false,
  ): Promise<T> {
    signal.throwIfAborted()
    const instance = await this.#instance()
    let connection: Connection | undefined
    try {
      const used = await this.#track(instance.connect())
      connection = used
      return await this.#guard(used, signal, async () => read(await start(used, statement, 'run')))
    } catch (error) {
      const verdict = this.#judge(instance, signal, error)
      if (retried || this.#instances.has(instance)) throw verdict
    } finally {
      if (connection) instance.disconnect(connection)
    }
    return this.#execute(statement, signal, read, true)
  }

  /** Waits for a place, then does the work, interrupting it when the signal says so. */
  async #guard<T>(connection: Connection, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const release = await this.#places.acquire(signal)
    let timer: NodeJS.Timeout | undefined
    const interrupt = () => {
      connection.interrupt()
      timer = setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS)
    }
    signal.addEventListener('abort', interrupt, { once: true })
    try {
      const value = await this.#track(work())
      signal.throwIfAborted()
      return value
    } finally {
      signal.removeEventListener('abort', interrupt)
      clearInterval(timer)
      release()
    }
  }

  async #track<T>(task: Promise<T>): Promise<T> {
    this.#active.add(task)
    try {
      return await task
    } finally {
      this.#active.delete(task)
    }
  }

  #signal({ signal }: StatementOptions): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#stopping.signal]) : this.#stopping.signal
  }

  /** What to tell of an error. An INTERNAL or FATAL one has invalidated the instance for every connection. */
  #judge(instance: Instance, signal: AbortSignal, error: unknown): unknown {
    if (isInvalidating(engineMessage(error)) && this.#instances.delete(instance)) {
      this.#current = undefined
      instance.retire()
    }
    return signal.aborted ? signal.reason : tableError(error)
  }

  #instance(): Promise<Instance> {
    this.#current ??= this.#create()
    return this.#current
  }

  async #create(): Promise<Instance> {
    try {
      const instance = await Instance.create({ ...this.#options, spill: this.#folder })
      this.#instances.add(instance)
      return instance
    } catch (error) {
      this.#current = undefined
      throw tableError(error)
    }
  }
}

/** A result that is run is whole before it is read; one that is streamed may end early without a word. */
async function start(connection: Connection, statement: Statement, how: 'run' | 'stream'): Promise<Result> {
  const prepared = await connection.prepare(statement.text)
  try {
    bindAll(prepared, statement)
    return await prepared[how]()
  } finally {
    prepared.destroySync()
  }
}

async function readRows(result: Result): Promise<Row[]> {
  const names = result.columnNames()
  const types = result.columnTypes()
  const rows = await result.getRows()
  return rows.map(row => Object.fromEntries(row.map((value, at) => [names[at]!, toJson(value, types[at]!)])))
}

function* batches(column: { getItem(index: number): unknown }, count: number): Generator<string[]> {
  let batch: string[] = []
  let size = 0
  for (let index = 0; index < count; index++) {
    const text = String(column.getItem(index) ?? '')
    batch.push(text)
    size += text.length
    if (batch.length < TEXTS_PER_BATCH && size < CHARACTERS_PER_BATCH) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

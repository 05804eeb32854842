import { type StoreContext, StoreError } from '../store.ts'
import { type Dialect, type Session, type SqlConfig, type TableColumn, tableName } from './dialect.ts'

/** One connection to a database, made when it is needed and made anew after it broke. */
export class SqlConnection {
  readonly #dialect: Dialect
  readonly #config: SqlConfig
  readonly #context: StoreContext
  readonly #signal: AbortSignal
  #session: Session | undefined

  constructor(dialect: Dialect, config: SqlConfig, context: StoreContext, signal: AbortSignal) {
    this.#dialect = dialect
    this.#config = config
    this.#context = context
    this.#signal = signal
  }

  /** Work with the connection. What fails is told as a `StoreError`; with `passData`, refused rows as they are. */
  async use<T>(work: (session: Session) => Promise<T>, { passData = false } = {}): Promise<T> {
    try {
      this.#session ??= await this.#dialect.connect(this.#config, this.#context, this.#signal)
      return await work(this.#session)
    } catch (error) {
      throw await this.#told(error, passData)
    }
  }

  /** The columns of a table, undefined when there is none. */
  columns(table: string): Promise<readonly TableColumn[] | undefined> {
    return this.use(session => this.#dialect.columns(session, this.#config, table))
  }

  /** The rows of a table as they come, some at a time. */
  async *rows(table: string): AsyncGenerator<readonly Record<string, unknown>[]> {
    const statement = `SELECT * FROM ${tableName(this.#dialect, this.#config, table)}`
    try {
      this.#session ??= await this.#dialect.connect(this.#config, this.#context, this.#signal)
      yield* this.#session.stream(statement)
    } catch (error) {
      throw await this.#told(error, false)
    }
  }

  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await session?.close()
  }

  async #told(error: unknown, passData: boolean): Promise<unknown> {
    if (error instanceof StoreError || this.#signal.aborted) return error
    const verdict = this.#dialect.verdict(error)
    if (verdict === 'data' && passData) return error
    if (verdict === 'lost') await this.close()
    return this.#failure(error, verdict === 'lost' || verdict === 'busy')
  }

  #failure(error: unknown, retryable: boolean): StoreError {
    const said = error instanceof Error ? error.message : String(error)
    const code = retryable ? 'database_unavailable' : 'database_refused'
    return new StoreError(code, `${this.#dialect.title} says: ${said}`, { retryable, cause: error })
  }
}

import { type StoreContext, StoreError } from '../store.ts'
import type { Dialect, Session, SqlConfig } from './dialect.ts'

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
      if (error instanceof StoreError || this.#signal.aborted) throw error
      const verdict = this.#dialect.verdict(error)
      if (verdict === 'data' && passData) throw error
      if (verdict === 'lost') await this.close()
      throw this.#failure(error, verdict === 'lost' || verdict === 'busy')
    }
  }

  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    await session?.close()
  }

  #failure(error: unknown, retryable: boolean): StoreError {
    const said = error instanceof Error ? error.message : String(error)
    const code = retryable ? 'database_unavailable' : 'database_refused'
    return new StoreError(code, `${this.#dialect.title} says: ${said}`, { retryable, cause: error })
  }
}

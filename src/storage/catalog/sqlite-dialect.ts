import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { sqliteFault } from './sqlite-fault.ts'

/** Kysely over `node:sqlite`: one connection that statements and transactions take in turn. */
export class SqliteDialect implements Dialect {
  readonly #driver: SqliteDriver

  constructor(database: DatabaseSync, path: string) {
    this.#driver = new SqliteDriver(database, path)
  }

  createDriver(): Driver {
    return this.#driver
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): DialectAdapter {
    return new Adapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }

  /** Runs the body of a transaction so that a statement that forgets to use it is an error instead of a deadlock. */
  insideTransaction<T>(work: () => Promise<T>): Promise<T> {
    return inTransaction.run(true, work)
  }
}

class Adapter extends SqliteAdapter {
  // Our driver hands out its connection in turn itself; behind Kysely's own lock it could not tell a statement that
  // forgot its transaction from one that has to wait.
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const inTransaction = new AsyncLocalStorage<boolean>()

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync
  readonly #connection: SqliteConnection
  #last: Promise<void> = Promise.resolve()
  #release: () => void = () => {}

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#connection = new SqliteConnection(database, path)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (inTransaction.getStore())
      throw new Error('a statement inside a catalog transaction has to use the transaction, not the catalog')
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await before
    this.#release = turn.resolve
    return this.#connection
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    // Immediate: a second process that writes is waited for here, not met in the middle.
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // After some errors (a full disk) SQLite has already rolled back.
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {
    this.#release()
  }

  async destroy(): Promise<void> {
    await this.#last
  }
}

/** Enough for every statement that the code holds; lists with many placeholders come and go. */
const preparedStatements = 200

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync
  readonly #path: string
  readonly #prepared = new Map<string, StatementSync>()

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.#path = path
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const statement = this.#prepare(query.sql)
      const parameters = query.parameters as readonly SQLInputValue[]
      if (statement.columns().length > 0)
        return { rows: statement.all(...parameters).map(row => ({ ...row })) as R[] }
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
    } catch (error) {
      throw sqliteFault(error, this.#path)
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the catalog has one connection, which a slow reader would hold: read in pages instead')
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      statement = this.#database.prepare(sql)
      if (this.#prepared.size >= preparedStatements)
        this.#prepared.delete(this.#prepared.keys().next().value as string)
      this.#prepared.set(sql, statement)
    }
    return statement
  }
}

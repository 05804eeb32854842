import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as othersTurn } from 'node:timers/promises'
import type { SqlType } from '../../sql/sql.ts'
import { prepareFolder } from '../shared/safe-path.ts'
import { type StoreContext, StoreError } from '../store.ts'
import type {
  Dialect,
  InsertStatement,
  Session,
  SqlConfig,
  SqlValue,
  TableColumn,
  Verdict,
} from './dialect.ts'
import { onConflict, quote } from './standard.ts'

const TYPES: Readonly<Record<SqlType, string>> = {
  BIGINT: 'integer',
  DOUBLE: 'real',
  VARCHAR: 'text',
  // To SQLite itself they are numbers and texts like others; by these names they are known again.
  BOOLEAN: 'boolean',
  JSON: 'json',
}
const HOLDS: Readonly<Record<string, TableColumn['holds']>> = { boolean: 'boolean', json: 'json' }
const ROWS_AT_ONCE = 1000
/** A statement for each row took a quarter more time. */
const ROWS_PER_STATEMENT = 50
/** The most that SQLite takes in one statement. */
const MOST_VALUES = 32_766
/** Milliseconds that another process may hold the file before we call it busy. It waits in our own thread. */
const BUSY_MS = 250

export const sqlite: Dialect = {
  title: 'SQLite',
  port: 0,
  mostValues: 1_000_000,
  mostBytes: 16 * 1024 * 1024,
  quote,
  columnType: type => TYPES[type],
  connect,
  conflict: onConflict,
  columns: async (session, _config, table) => {
    const rows = await session.run('SELECT name, lower(type) AS type FROM pragma_table_info(?)', [table])
    if (rows.length === 0) return undefined
    return rows.map(({ name, type }) => ({ name: String(name), holds: HOLDS[String(type)] }))
  },
  verdict,
  value: value => (typeof value === 'boolean' ? Number(value) : value),
}

async function connect(config: SqlConfig, context: StoreContext): Promise<Session> {
  const { DatabaseSync: Database } = await import('node:sqlite')
  const file = await prepareFolder(context, config.file!)
  try {
    return new SqliteSession(new Database(file, { timeout: BUSY_MS, readBigInts: true }))
  } catch (cause) {
    throw new StoreError('not_a_database', `${config.file} cannot be opened: ${(cause as Error).message}.`, {
      cause,
    })
  }
}

class SqliteSession implements Session {
  readonly #database: DatabaseSync
  readonly #inserts = new Map<InsertStatement, Map<number, StatementSync>>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<Record<string, unknown>[]> {
    return this.#database.prepare(statement).all(...(values as (string | number | bigint | null)[]))
  }

  async insert(statement: InsertStatement, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const most = Math.max(1, Math.min(ROWS_PER_STATEMENT, Math.floor(MOST_VALUES / rows[0]!.length)))
    const whole = rows.length - (rows.length % most)
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (let at = 0; at < whole; at += most) this.#insertSome(statement, rows.slice(at, at + most))
      for (const row of rows.slice(whole)) this.#insertSome(statement, [row])
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
    // It worked in our own thread, and promises alone let nobody else in: not even who reads the next rows.
    await othersTurn()
  }

  #insertSome(statement: InsertStatement, rows: readonly (readonly SqlValue[])[]): void {
    this.#prepared(statement, rows.length, rows[0]!.length).run(
      ...(rows.flat() as (string | number | bigint | null)[]),
    )
  }

  /** Kept by its size: to write the text of it anew for each fifty rows took a tenth of the time. */
  #prepared(statement: InsertStatement, rows: number, columns: number): StatementSync {
    const known = this.#inserts.get(statement) ?? new Map<number, StatementSync>()
    this.#inserts.set(statement, known)
    const prepared = known.get(rows)
    if (prepared) return prepared
    const row = `(${Array(columns).fill('?').join(',')})`
    const made = this.#database.prepare(
      `${statement.head} VALUES ${Array(rows).fill(row).join(',')}${statement.tail}`,
    )
    known.set(rows, made)
    return made
  }

  async *stream(statement: string): AsyncGenerator<Record<string, unknown>[]> {
    let chunk: Record<string, unknown>[] = []
    for (const row of this.#database.prepare(statement).iterate()) {
      chunk.push(row)
      if (chunk.length < ROWS_AT_ONCE) continue
      yield chunk
      chunk = []
    }
    if (chunk.length > 0) yield chunk
  }

  async close(): Promise<void> {
    this.#database.close()
  }
}

/** The first byte of SQLite's code says what kind of failure it is. */
function verdict(error: unknown): Verdict {
  const code = Number((error as { errcode?: unknown }).errcode ?? 0) & 0xff
  if (code === 5 || code === 6) return 'busy'
  // Constraint, mismatch, too big.
  return code === 19 || code === 20 || code === 18 ? 'data' : 'final'
}

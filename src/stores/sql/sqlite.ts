import type { DatabaseSync } from 'node:sqlite'
import type { SqlType } from '../../sql/sql.ts'
import { prepareFolder } from '../shared/safe-path.ts'
import { type StoreContext, StoreError } from '../store.ts'
import type { Dialect, InsertStatement, Session, SqlConfig, SqlValue, Verdict } from './dialect.ts'
import { onConflict, quote } from './standard.ts'

const TYPES: Readonly<Record<SqlType, string>> = {
  BIGINT: 'integer',
  DOUBLE: 'real',
  VARCHAR: 'text',
  BOOLEAN: 'integer',
  JSON: 'text',
}
const ROWS_AT_ONCE = 1000
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
    const rows = await session.run('SELECT name FROM pragma_table_info(?)', [table])
    return rows.length === 0 ? undefined : rows.map(row => String(row.name))
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

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<Record<string, unknown>[]> {
    return this.#database.prepare(statement).all(...(values as (string | number | bigint | null)[]))
  }

  async insert({ head, tail }: InsertStatement, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const places = rows[0]!.map(() => '?').join(',')
    const prepared = this.#database.prepare(`${head} VALUES (${places})${tail}`)
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      for (const row of rows) prepared.run(...(row as (string | number | bigint | null)[]))
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
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

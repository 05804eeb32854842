import type { Connection, TypeCastField, TypeCastNext } from 'mysql2'
import { systemCode } from '../../fault.ts'
import type { SqlType } from '../../sql/sql.ts'
import { dialStore } from '../shared/dial.ts'
import { loadClient } from '../shared/load-client.ts'
import type { StoreContext } from '../store.ts'
import {
  type Dialect,
  type InsertStatement,
  type Session,
  type SqlConfig,
  type SqlValue,
  type TableColumn,
  tableName,
  type Verdict,
} from './dialect.ts'

const TYPES: Readonly<Record<SqlType, string>> = {
  BIGINT: 'bigint',
  DOUBLE: 'double',
  VARCHAR: 'longtext',
  BOOLEAN: 'boolean',
  JSON: 'json',
}
const ROWS_AT_ONCE = 1000
/** An index needs to know how long its texts can be. */
const KEY_TEXT = 'varchar(255)'

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``

export const mariadb: Dialect = {
  title: 'MariaDB',
  port: 3306,
  mostValues: 1_000_000,
  // The server's own limit for a packet is 16 MiB unless somebody set another; escaping lengthens texts.
  mostBytes: 4 * 1024 * 1024,
  quote,
  columnType: (type, isKey) => (isKey && (type === 'VARCHAR' || type === 'JSON') ? KEY_TEXT : TYPES[type]),
  connect,
  conflict: (key, updated) => {
    // Setting a key to itself is the way to say that nothing is to be done, and hides no other mistake as IGNORE would.
    const set = updated.length > 0 ? updated.map(assigned) : [`${quote(key[0]!)} = ${quote(key[0]!)}`]
    return ` ON DUPLICATE KEY UPDATE ${set.join(', ')}`
  },
  columns: async (session, config, table) => {
    const rows = await session.run(
      'SELECT column_name AS name, lower(column_type) AS type FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position',
      [config.schema ?? config.database, table],
    )
    if (rows.length === 0) return undefined
    const [made] = await session.run(`SHOW CREATE TABLE ${tableName(mariadb, config, table)}`)
    const statement = String(made?.['Create Table'])
    return rows.map(({ name, type }) => ({
      name: String(name),
      holds: holds(String(name), String(type), statement),
    }))
  },
  verdict,
  value: value => (typeof value === 'bigint' ? String(value) : value),
}

/** MariaDB's `json` is text with a condition, which only the statement that makes the table tells. */
function holds(name: string, type: string, statement: string): TableColumn['holds'] {
  if (type === 'json' || statement.includes(`json_valid(${quote(name)})`)) return 'json'
  if (type === 'tinyint(1)') return 'boolean'
  return /^(datetime|timestamp)/.test(type) ? 'time' : undefined
}

const assigned = (column: string): string => `${quote(column)} = VALUES(${quote(column)})`

async function connect(config: SqlConfig, context: StoreContext, signal: AbortSignal): Promise<Session> {
  const mysql = (await loadClient('sql', 'mysql2', () => import('mysql2'))).default
  const socket = await dialStore(context, config, signal)
  // Of an address the client tells TLS nothing, which would then look for `localhost` in the certificate.
  Object.assign(socket, { _host: config.host })
  const { tls } = config
  const connection = mysql.createConnection({
    host: config.host,
    port: config.port,
    database: config.database,
    user: config.user ?? '',
    password: config.password ?? '',
    stream: () => socket,
    dateStrings: true,
    jsonStrings: true,
    typeCast: exactly,
    charset: 'utf8mb4',
    ...(tls?.enabled && {
      ssl: {
        rejectUnauthorized: tls.verify ?? true,
        verifyIdentity: tls.verify ?? true,
        ...(tls.ca && { ca: tls.ca }),
        ...(tls.cert && { cert: tls.cert }),
        ...(tls.key && { key: tls.key }),
      },
    }),
  })
  connection.on('error', () => {})
  await connection.promise().query("SET SESSION sql_mode = CONCAT(@@sql_mode, ',STRICT_ALL_TABLES')")
  return new MariaSession(connection)
}

/** Long integers, which the client would round. */
function exactly(field: TypeCastField, next: TypeCastNext): unknown {
  if (field.type !== 'LONGLONG') return next()
  const text = field.string()
  return text === null ? null : BigInt(text)
}

class MariaSession implements Session {
  readonly #connection: Connection
  #isStreaming = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<Record<string, unknown>[]> {
    const [rows] = await this.#connection.promise().query(statement, [...values])
    return Array.isArray(rows) ? (rows as Record<string, unknown>[]) : []
  }

  async insert({ head, tail }: InsertStatement, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    await this.#connection.promise().query(`${head} VALUES ?${tail}`, [rows])
  }

  async *stream(statement: string): AsyncGenerator<Record<string, unknown>[]> {
    const rows = this.#connection.query(statement).stream({ highWaterMark: ROWS_AT_ONCE })
    let chunk: Record<string, unknown>[] = []
    this.#isStreaming = true
    for await (const row of rows) {
      chunk.push(row as Record<string, unknown>)
      if (chunk.length < ROWS_AT_ONCE) continue
      yield chunk
      chunk = []
    }
    this.#isStreaming = false
    if (chunk.length > 0) yield chunk
  }

  async close(): Promise<void> {
    // Asked to end, it would first wait for all rows that nobody wants any more.
    if (this.#isStreaming) return this.#connection.destroy()
    await this.#connection
      .promise()
      .end()
      .catch(() => this.#connection.destroy())
  }
}

const BUSY = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
])
const LOST = new Set(['ER_SERVER_SHUTDOWN', 'ER_CONNECTION_KILLED', 'ER_NORMAL_SHUTDOWN'])
const BAD_DATA = new Set([
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
  'ER_TRUNCATED_WRONG_VALUE',
  'ER_NO_DEFAULT_FOR_FIELD',
  'ER_CONSTRAINT_FAILED',
  'ER_WARN_DATA_OUT_OF_RANGE',
  'WARN_DATA_TRUNCATED',
])

function verdict(error: unknown): Verdict {
  const code = systemCode(error) ?? ''
  const state = String((error as { sqlState?: unknown }).sqlState ?? '')
  if (LOST.has(code)) return 'lost'
  if (BUSY.has(code)) return 'busy'
  if (BAD_DATA.has(code) || /^(22|23)/.test(state)) return 'data'
  return code.startsWith('ER_') ? 'final' : 'lost'
}

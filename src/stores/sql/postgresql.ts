import type { Socket } from 'node:net'
import type { Client } from 'pg'
import { systemCode } from '../../fault.ts'
import { parseJson } from '../../language/json.ts'
import type { SqlType } from '../../sql/sql.ts'
import { dialStore } from '../shared/dial.ts'
import { loadClient } from '../shared/load-client.ts'
import type { StoreContext } from '../store.ts'
import type { Dialect, InsertStatement, Session, SqlConfig, SqlValue, Verdict } from './dialect.ts'
import { onConflict, quote } from './standard.ts'

const TYPES: Readonly<Record<SqlType, string>> = {
  BIGINT: 'bigint',
  DOUBLE: 'double precision',
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
  JSON: 'jsonb',
}
const ROWS_AT_ONCE = 1000
/** Types that the client reads otherwise than we do, by the numbers that PostgreSQL has for them. */
const READ: Readonly<Record<number, (text: string) => unknown>> = {
  // bigint, json, jsonb
  20: BigInt,
  114: parseJson,
  3802: parseJson,
  // date, and timestamp without and with a time zone: the client would take the first two for times of its own zone.
  1082: text => text,
  1114: text => text.replace(' ', 'T'),
  1184: text => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()),
}

export const postgresql: Dialect = {
  title: 'PostgreSQL',
  port: 5432,
  mostValues: 65_535,
  mostBytes: 16 * 1024 * 1024,
  quote,
  columnType: type => TYPES[type],
  connect,
  conflict: onConflict,
  columns: async (session, config, table) => {
    const rows = await session.run(
      `SELECT a.attname AS name, a.atttypid IN ('json'::regtype, 'jsonb'::regtype) AS json FROM pg_attribute a WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`,
      [config.schema === undefined ? quote(table) : `${quote(config.schema)}.${quote(table)}`],
    )
    if (rows.length === 0) return undefined
    return rows.map(({ name, json }) => ({ name: String(name), ...(json === true && { holds: 'json' }) }))
  },
  verdict,
  // A zero character has no place in PostgreSQL's text.
  value: value => (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value),
}

async function connect(config: SqlConfig, context: StoreContext, signal: AbortSignal): Promise<Session> {
  const { Client: PgClient } = (await loadClient('sql', 'pg', () => import('pg'))).default
  const socket = await dialStore(context, config, signal)
  const { tls } = config
  const client = new PgClient({
    host: config.host,
    port: config.port,
    database: config.database,
    user: config.user,
    password: config.password,
    application_name: 'forage',
    stream: () => connected(socket),
    keepAlive: true,
    ...(tls?.enabled && {
      ssl: { rejectUnauthorized: tls.verify ?? true, ca: tls.ca, cert: tls.cert, key: tls.key },
    }),
  })
  // Without a listener a connection that breaks while nobody waits for it would end the process.
  client.on('error', () => {})
  for (const [type, read] of Object.entries(READ)) client.setTypeParser(Number(type), read)
  await client.connect()
  return new PostgresSession(client)
}

/** The client wants to connect by itself; this socket has been connected by the dialer already. */
function connected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'))
    return socket
  }
  return socket
}

class PostgresSession implements Session {
  readonly #client: Client
  #last: { readonly statement: InsertStatement; readonly rows: number; readonly text: string } | undefined

  constructor(client: Client) {
    this.#client = client
  }

  async run(statement: string, values: readonly SqlValue[] = []): Promise<Record<string, unknown>[]> {
    return (await this.#client.query(statement, [...values])).rows
  }

  async insert(statement: InsertStatement, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    const values = rows.flat()
    await this.#client.query(this.#textOf(statement, rows.length, rows[0]!.length), values)
    // The client's past queries keep each other from being cleared away early: with their values, 200,000 rows left 50 MB.
    values.length = 0
  }

  /** Kept for the next batch, which mostly is as large: ten thousand places to write anew are as many texts to clear away. */
  #textOf(statement: InsertStatement, rows: number, columns: number): string {
    if (this.#last?.statement === statement && this.#last.rows === rows) return this.#last.text
    let number = 0
    const place = () => `$${++number}`
    const tuple = () => `(${Array.from({ length: columns }, place).join(',')})`
    const text = `${statement.head} VALUES ${Array.from({ length: rows }, tuple).join(',')}${statement.tail}`
    this.#last = { statement, rows, text }
    return text
  }

  async *stream(statement: string): AsyncGenerator<Record<string, unknown>[]> {
    await this.#client.query('BEGIN READ ONLY')
    await this.#client.query(`DECLARE forage NO SCROLL CURSOR FOR ${statement}`)
    for (;;) {
      const { rows } = await this.#client.query(`FETCH ${ROWS_AT_ONCE} FROM forage`)
      if (rows.length === 0) break
      yield rows
    }
    await this.#client.query('COMMIT')
  }

  async close(): Promise<void> {
    await this.#client.end().catch(() => {})
  }
}

/** By the classes of SQLSTATE; without one, the connection itself failed. */
function verdict(error: unknown): Verdict {
  const code = systemCode(error) ?? ''
  if (/^(08|57P0)/.test(code)) return 'lost'
  if (/^(40|53|55)/.test(code)) return 'busy'
  if (/^(22|23)/.test(code)) return 'data'
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]+$/.test(code) ? 'final' : 'lost'
}

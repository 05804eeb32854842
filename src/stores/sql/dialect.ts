import type { SqlType } from '../../sql/sql.ts'
import type { Scalar } from '../shared/batch.ts'
import type { StoreContext } from '../store.ts'

/** Where a database is, and who asks. */
export interface SqlConfig {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string | undefined
  readonly password: string | undefined
  readonly schema: string | undefined
  readonly file: string | undefined
  readonly tls:
    | {
        readonly enabled: boolean
        readonly verify?: boolean
        readonly ca?: string
        readonly cert?: string
        readonly key?: string
      }
    | undefined
}

export type SqlValue = Scalar

/** A column of a table that is there, and what its values are where that does not show in them. */
export interface TableColumn {
  readonly name: string
  readonly holds?: 'json' | 'boolean' | 'time' | undefined
}

/** What a failure means for what was being written. */
export type Verdict =
  /** The connection is gone: the next try needs another. */
  | 'lost'
  /** The database could not just now. */
  | 'busy'
  /** Some row of the statement is not acceptable. */
  | 'data'
  | 'final'

/** An open connection. */
export interface Session {
  /** Runs a statement with its values; gives the rows, if it has any. */
  run(statement: string, values?: readonly SqlValue[]): Promise<readonly Record<string, unknown>[]>
  /** One statement for many rows, as one step: all or none. */
  insert(statement: InsertStatement, rows: readonly (readonly SqlValue[])[]): Promise<void>
  /** The rows of a SELECT, some at a time. */
  stream(statement: string): AsyncIterable<readonly Record<string, unknown>[]>
  close(): Promise<void>
}

/** `INSERT INTO … VALUES`, the rows left out, and what follows them. */
export interface InsertStatement {
  readonly head: string
  readonly tail: string
}

/** What the three databases say differently. */
export interface Dialect {
  readonly title: string
  readonly port: number
  /** The most values in one statement. */
  readonly mostValues: number
  readonly mostBytes: number
  connect(config: SqlConfig, context: StoreContext, signal: AbortSignal): Promise<Session>
  quote(name: string): string
  columnType(type: SqlType, isKey: boolean): string
  /** The columns of a table; undefined when there is no such table. */
  columns(session: Session, config: SqlConfig, table: string): Promise<readonly TableColumn[] | undefined>
  /** What to do with a row whose key is there: give it these values, or leave it alone. */
  conflict(key: readonly string[], updated: readonly string[]): string
  verdict(error: unknown): Verdict
  value(value: SqlValue): SqlValue
}

/** The table with its schema, each quoted. */
export const tableName = (dialect: Dialect, config: SqlConfig, table: string): string =>
  config.schema === undefined
    ? dialect.quote(table)
    : `${dialect.quote(config.schema)}.${dialect.quote(table)}`

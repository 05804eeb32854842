import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBType,
  VARCHAR,
} from '@duckdb/node-api'
import { type Json, parseJson, type Row, stringifyJson } from '../../src/language/json.ts'
import { type Column, identify, type Relation, ROW_NUMBER } from '../../src/sql/relation.ts'
import { rowsOf } from '../../src/sql/rows.ts'
import { bind, join, literal, name, render, type Sql, type SqlType, sql } from '../../src/sql/sql.ts'

const TYPES: Readonly<Record<SqlType, DuckDBType>> = { BIGINT, DOUBLE, VARCHAR, BOOLEAN, JSON: VARCHAR }

/** The real engine, in memory, for the tests of the SQL we write. */
export class Database {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  #tables = 0

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance
    this.#connection = connection
  }

  static async open(): Promise<Database> {
    const instance = await DuckDBInstance.create(':memory:', { threads: '2' })
    return new Database(instance, await instance.connect())
  }

  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
  }

  /** The rows of a query, each the list of its values as JavaScript has them. */
  async query(fragment: Sql): Promise<unknown[][]> {
    const { text, values, types } = render(fragment)
    const bound = values.map((value, index) =>
      types[index] === 'BIGINT' && value !== null ? BigInt(value as number | bigint) : value,
    )
    const result = await this.#connection.runAndReadAll(
      text,
      bound,
      types.map(type => TYPES[type]),
    )
    return result.getRows()
  }

  /** The one value of a query that has one. */
  async value(fragment: Sql): Promise<unknown> {
    return (await this.query(fragment))[0]?.[0]
  }

  /** The rows of a relation in their order, through the JSON text that pages and exports are made of. */
  async rows(relation: Relation): Promise<Row[]> {
    const order = join(
      relation.order.map(term => sql`${name(term.id)} ${term.descending ? sql`DESC` : sql`ASC`}`),
      ', ',
    )
    const found = await this.query(sql`SELECT "row" FROM (${rowsOf(relation)}) ORDER BY ${order}`)
    return found.map(([text]) => parseJson(String(text)) as Row)
  }

  /** A table with these rows. Columns get the type that all their values share, JSON where they differ. */
  async table(rows: readonly Row[], given: Readonly<Record<string, SqlType>> = {}): Promise<Relation> {
    const names = [...new Set([...Object.keys(given), ...rows.flatMap(row => Object.keys(row))])]
    const ids = identify(names)
    const columns = names.map(
      (columnName, index): Column => ({
        name: columnName,
        id: ids[index]!,
        type: given[columnName] ?? typeOf(rows.map(row => row[columnName])),
      }),
    )
    const table = name(`t${++this.#tables}`)
    const lines = rows.map((row, index) =>
      stringifyJson([index, ...columns.map(column => row[column.name] ?? null)]),
    )
    const fields = columns.map(
      (column, index) =>
        sql`CAST(nullif(line -> ${literal(`/${index + 1}`)}, 'null') ${column.type === 'VARCHAR' ? sql`->> '$'` : sql``} AS ${keyword(column.type)}) AS ${name(column.id)}`,
    )
    const all = join([...fields, sql`CAST(line -> '/0' AS BIGINT) AS ${name(ROW_NUMBER)}`], ', ')
    await this.query(
      sql`CREATE TEMP TABLE ${table} AS SELECT ${all} FROM (SELECT unnest(from_json(${bind(`[${lines.join(',')}]`, 'VARCHAR')}, '["JSON"]')) AS line)`,
    )
    return { sql: sql`SELECT * FROM ${table}`, columns, order: [{ id: ROW_NUMBER }] }
  }
}

const KEYWORDS: Readonly<Record<SqlType, Sql>> = {
  BIGINT: sql`BIGINT`,
  DOUBLE: sql`DOUBLE`,
  VARCHAR: sql`VARCHAR`,
  BOOLEAN: sql`BOOLEAN`,
  JSON: sql`JSON`,
}
const keyword = (type: SqlType): Sql => KEYWORDS[type]

function typeOf(values: readonly (Json | undefined)[]): SqlType {
  const kinds = new Set(values.filter(value => value !== null && value !== undefined).map(kindOf))
  const [only] = kinds
  if (kinds.size === 1) return only!
  return kinds.size === 2 && kinds.has('BIGINT') && kinds.has('DOUBLE') ? 'DOUBLE' : 'JSON'
}

function kindOf(value: Json | undefined): SqlType {
  if (typeof value === 'string') return 'VARCHAR'
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return 'BIGINT'
  return typeof value === 'number' ? 'DOUBLE' : 'JSON'
}

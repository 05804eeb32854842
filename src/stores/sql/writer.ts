import { createHash } from 'node:crypto'
import type { Batch, OutgoingRow } from '../shared/batch.ts'
import {
  type DeliveryTarget,
  type Rejection,
  type RowWriter,
  StoreError,
  type WriteOutcome,
} from '../store.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect, InsertStatement, Session, SqlConfig, SqlValue, TableColumn } from './dialect.ts'
import { tableName } from './dialect.ts'

/** The column for delivery ids in tables that we make: a repeated delivery finds its rows there. */
export const ID_COLUMN = '_delivery'

export interface SqlWriterOptions {
  readonly dialect: Dialect
  readonly config: SqlConfig
  readonly connection: SqlConnection
  readonly target: DeliveryTarget
  readonly table: string
  /** Tables and columns that are missing are made. */
  readonly create: boolean
  /** The column for delivery ids, where the user named one. */
  readonly idColumn: string | undefined
}

/** Writes the rows of one delivery to a table; to replace one, to a table beside it that takes its place at the end. */
export class SqlWriter implements RowWriter {
  readonly kind = 'rows'
  readonly form = 'values'
  readonly ceiling: RowWriter['ceiling']
  readonly #options: SqlWriterOptions
  readonly #names: readonly string[]
  #idColumn: string | undefined
  #statement: InsertStatement | undefined
  /** Places of nested columns whose values go into columns of another kind than JSON. */
  #plainPlaces: readonly number[] = []
  #isFinished = false

  constructor(options: SqlWriterOptions) {
    const { dialect, target } = options
    this.#options = options
    this.#names = target.columns.map(column => column.name)
    const rows = Math.max(1, Math.floor(dialect.mostValues / (this.#names.length + 1)))
    this.ceiling = { rows, bytes: dialect.mostBytes }
  }

  /** Makes sure of the table and its columns before the first row leaves. */
  async prepare(): Promise<void> {
    await this.#options.connection.use(session => this.#prepare(session))
  }

  async write(batch: Batch): Promise<WriteOutcome> {
    if (this.#isFinished) return { rejected: [] }
    const values = batch.values(this.#options.target.columns)
    const chosen = this.#lastOfEachKey(values)
    const rows = values.map((row, index) => this.#prepared(row, batch.items[index]!))
    const rejected: Rejection[] = []
    await this.#insert(rows, 0, chosen, rejected)
    return { rejected }
  }

  /** The new rows take the place of the old ones in one transaction; the table beside is dropped afterwards, so that this can be done again. */
  async finish(): Promise<void> {
    if (this.#options.target.mode !== 'overwrite' || this.#isFinished) return
    const { connection } = this.#options
    const [staging, table] = [this.#qualified(this.#staging), this.#qualified(this.#options.table)]
    const list = this.#names.map(name => this.#options.dialect.quote(name)).join(', ')
    await connection.use(async session => {
      await session.run('BEGIN')
      try {
        await session.run(`DELETE FROM ${table}`)
        if (list !== '') await session.run(`INSERT INTO ${table} (${list}) SELECT ${list} FROM ${staging}`)
        await session.run('COMMIT')
      } catch (error) {
        await session.run('ROLLBACK').catch(() => {})
        throw error
      }
    })
    await connection.use(session => session.run(`DROP TABLE IF EXISTS ${staging}`))
    this.#isFinished = true
  }

  close(): Promise<void> {
    return this.#options.connection.close()
  }

  get #staging(): string {
    const hash = createHash('sha256').update(this.#options.target.id).digest('hex').slice(0, 16)
    return `forage_${hash}`
  }

  async #prepare(session: Session): Promise<void> {
    const { table, target, create, dialect, config } = this.#options
    const present = await dialect.columns(session, config, table)
    if (present === undefined) {
      if (!create)
        throw new StoreError(
          'no_such_table',
          `There is no table ${table}. Make it, or set \`create\` of the store so that Forage does.`,
        )
      await this.#createTable(session, table, target.key.length === 0 && target.mode === 'append')
    } else await this.#addColumns(session, present)
    const columns = (await dialect.columns(session, config, table)) ?? []
    const hasIds = columns.some(({ name }) => name === this.#wantedIdColumn)
    this.#plainPlaces = this.#placesBesides(columns)
    if (target.mode === 'append') {
      this.#idColumn = hasIds && target.key.length === 0 ? this.#wantedIdColumn : undefined
      this.#statement = this.#insertInto(table, target.key)
    } else await this.#prepareStaging(session)
  }

  get #wantedIdColumn(): string {
    return this.#options.idColumn ?? ID_COLUMN
  }

  async #prepareStaging(session: Session): Promise<void> {
    const { dialect, config, target } = this.#options
    const isThere = (await dialect.columns(session, config, this.#staging)) !== undefined
    // It vanishes only by taking the table's place: an earlier process got that far and died before it could say so.
    this.#isFinished = !isThere && target.delivered > 0 && target.delivered === target.total
    if (!isThere && target.delivered > 0 && !this.#isFinished)
      throw new StoreError(
        'staging_lost',
        `The table ${this.#staging}, with the ${target.delivered} rows that were delivered so far, is gone. Run the query again.`,
      )
    if (!isThere && !this.#isFinished) await this.#createTable(session, this.#staging, true)
    this.#idColumn = this.#wantedIdColumn
    this.#statement = this.#insertInto(this.#staging, [])
  }

  async #createTable(session: Session, table: string, withIds: boolean): Promise<void> {
    const { dialect, target } = this.#options
    const isKey = (name: string) => !withIds && target.key.includes(name)
    const columns = target.columns.map(
      ({ name, type }) =>
        `${dialect.quote(name)} ${dialect.columnType(type, isKey(name))}${isKey(name) ? ' NOT NULL' : ''}`,
    )
    if (withIds)
      columns.push(
        `${dialect.quote(this.#wantedIdColumn)} ${dialect.columnType('VARCHAR', true)} PRIMARY KEY`,
      )
    else if (target.key.length > 0) columns.push(`PRIMARY KEY (${target.key.map(dialect.quote).join(', ')})`)
    if (columns.length === 0)
      throw new StoreError('no_columns', `The rows have no columns to make the table ${table} from.`)
    await session.run(`CREATE TABLE IF NOT EXISTS ${this.#qualified(table)} (${columns.join(', ')})`)
  }

  async #addColumns(session: Session, present: readonly TableColumn[]): Promise<void> {
    const { table, create, dialect, target, idColumn } = this.#options
    const known = new Set(present.map(({ name }) => name.toLowerCase()))
    const missing = target.columns.filter(column => !known.has(column.name.toLowerCase()))
    const wanted = missing.map(column => column.name)
    if (idColumn !== undefined && !known.has(idColumn.toLowerCase())) wanted.push(idColumn)
    if (wanted.length === 0) return
    if (!create)
      throw new StoreError(
        'no_such_column',
        `The table ${table} has no column ${wanted.join(', ')}. Add it, leave it out with a processor (\`drop\`), or set \`create\` of the store so that Forage adds it.`,
      )
    for (const column of missing)
      await session.run(
        `ALTER TABLE ${this.#qualified(table)} ADD COLUMN ${dialect.quote(column.name)} ${dialect.columnType(column.type, false)}`,
      )
    if (idColumn !== undefined && wanted.includes(idColumn)) {
      const [quoted, index] = [dialect.quote(idColumn), dialect.quote(`${table}_${idColumn}`)]
      await session.run(
        `ALTER TABLE ${this.#qualified(table)} ADD COLUMN ${quoted} ${dialect.columnType('VARCHAR', true)}`,
      )
      await session.run(`CREATE UNIQUE INDEX ${index} ON ${this.#qualified(table)} (${quoted})`)
    }
  }

  #insertInto(table: string, key: readonly string[]): InsertStatement {
    const { dialect } = this.#options
    const columns = this.#idColumn === undefined ? this.#names : [...this.#names, this.#idColumn]
    const list = columns.map(name => dialect.quote(name)).join(', ')
    const updated = this.#names.filter(name => !key.includes(name))
    const tail =
      key.length > 0
        ? dialect.conflict(key, updated)
        : this.#idColumn === undefined
          ? ''
          : dialect.conflict([this.#idColumn], [])
    return { head: `INSERT INTO ${this.#qualified(table)} (${list})`, tail }
  }

  #qualified(table: string): string {
    return tableName(this.#options.dialect, this.#options.config, table)
  }

  /** Where a text among nested values stands as it is: in columns that do not hold JSON. A table beside has our own. */
  #placesBesides(columns: readonly TableColumn[]): number[] {
    const { target } = this.#options
    const json = new Set(
      columns.filter(({ holds }) => holds === 'json').map(({ name }) => name.toLowerCase()),
    )
    if (target.mode === 'overwrite') return []
    return target.columns.flatMap(({ name, type }, at) =>
      type === 'JSON' && !json.has(name.toLowerCase()) ? [at] : [],
    )
  }

  #prepared(row: SqlValue[], item: OutgoingRow): readonly SqlValue[] {
    const { dialect } = this.#options
    for (const at of this.#plainPlaces) row[at] = plainText(row[at]!)
    for (let at = 0; at < row.length; at++) row[at] = dialect.value(row[at]!)
    // Not pushed: an array that grows takes room for twenty more.
    return this.#idColumn === undefined ? row : [...row, item.id]
  }

  /** One statement cannot change a row twice, so of rows with the same key in one batch only the last is written. */
  #lastOfEachKey(rows: readonly (readonly SqlValue[])[]): ReadonlySet<number> | undefined {
    const { key, mode } = this.#options.target
    if (key.length === 0 || mode === 'overwrite') return undefined
    const places = key.map(name => this.#names.indexOf(name))
    const keyOf = (row: readonly SqlValue[]) => JSON.stringify(places.map(at => String(row[at] ?? null)))
    return new Set(new Map(rows.map((row, index) => [keyOf(row), index])).values())
  }

  /** A statement that a row spoils is done again in halves, until the row stands alone: all others get in. */
  async #insert(
    rows: readonly (readonly SqlValue[])[],
    first: number,
    chosen: ReadonlySet<number> | undefined,
    rejected: Rejection[],
  ): Promise<void> {
    const written = chosen ? rows.filter((_row, index) => chosen.has(first + index)) : rows
    if (written.length === 0) return
    const { connection, dialect } = this.#options
    try {
      await connection.use(session => session.insert(this.#statement!, written), { passData: true })
    } catch (error) {
      if (error instanceof StoreError || dialect.verdict(error) !== 'data') throw error
      if (rows.length === 1) {
        rejected.push({ index: first, code: 'refused', retryable: false, message: messageOf(error) })
        return
      }
      const middle = Math.ceil(rows.length / 2)
      await this.#insert(rows.slice(0, middle), first, chosen, rejected)
      await this.#insert(rows.slice(middle), first + middle, chosen, rejected)
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Objects and lists are their JSON, a text is itself. */
const plainText = (value: SqlValue): SqlValue =>
  typeof value === 'string' && value.startsWith('"') ? String(JSON.parse(value)) : value

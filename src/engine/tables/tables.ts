import { randomUUID } from 'node:crypto'
import type { Row } from '../../language/json.ts'
import { type Relation, ROW_NUMBER } from '../../sql/relation.ts'
import { name, type Sql, sql } from '../../sql/sql.ts'
import { type Mapping, mapRows } from '../mapping/map.ts'
import type { MapperPool } from '../mapping/pool.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Database } from './database.ts'
import { ingest } from './ingest.ts'
import { fromFile, materialize, type StageFile } from './stage-file.ts'
import { tooManyColumns } from './tracker.ts'

/** One row without columns: what a command that only adds columns starts from when it stands first. */
const EMPTY_ROW: Relation = {
  sql: sql`SELECT 0 AS ${name(ROW_NUMBER)}`,
  columns: [],
  order: [{ id: ROW_NUMBER }],
}

/** No row at all. Without columns none can be missing, so a command that names one does not fail for it. */
const NO_ROWS: Relation = { ...EMPTY_ROW, sql: sql`${EMPTY_ROW.sql} WHERE false` }

export interface TablesOptions {
  readonly database: Database
  readonly mappers: MapperPool
  readonly sandbox: Sandbox
  /** Where the files lie. */
  readonly folder: string
  readonly maxColumns: number
  /** How long a user's own SELECT may run. */
  readonly sandboxTimeoutMs: number
}

/** The tables of queries: files in one folder, each written whole and never changed. */
export class Tables {
  readonly database: Database
  readonly folder: string
  readonly maxColumns: number
  readonly emptyRow = EMPTY_ROW
  readonly noRows = NO_ROWS
  readonly #options: TablesOptions

  constructor(options: TablesOptions) {
    this.#options = options
    this.database = options.database
    this.folder = options.folder
    this.maxColumns = options.maxColumns
  }

  /** A name that no other file has, to be given an ending. */
  newName(): string {
    return `${this.folder}/${randomUUID()}`
  }

  newFile(): string {
    return `${this.newName()}.parquet`
  }

  newJournal(): string {
    return `${this.newName()}.ndjson`
  }

  relation(table: StageFile): Relation {
    return fromFile(table.file, table.columns)
  }

  async materialize(relation: Relation, signal: AbortSignal): Promise<StageFile> {
    if (relation.columns.length > this.maxColumns) throw tooManyColumns(this.maxColumns)
    return materialize(this.database, relation, this.newFile(), { signal })
  }

  ingest(rows: Iterable<Row> | AsyncIterable<Row>, signal: AbortSignal): Promise<StageFile> {
    return ingest(this.database, rows, this.newFile(), { signal, maxColumns: this.maxColumns })
  }

  rows(query: Sql, signal: AbortSignal): Promise<Row[]> {
    return this.database.rows(query, { signal })
  }

  map(relation: Relation, mapping: Mapping, signal: AbortSignal): Promise<StageFile> {
    const options = { signal, maxColumns: this.maxColumns }
    return mapRows(this.database, this.#options.mappers, relation, mapping, this.newFile(), options)
  }

  sandbox(
    text: string,
    tables: Readonly<Record<string, StageFile>>,
    signal: AbortSignal,
  ): Promise<StageFile> {
    const named = Object.entries(tables).map(([label, { file, columns }]) => ({ name: label, file, columns }))
    const timeoutMs = this.#options.sandboxTimeoutMs
    return this.#options.sandbox.run(text, named, this.newFile(), { timeoutMs, signal })
  }

  async close(): Promise<void> {
    await Promise.all([this.#options.sandbox.close(), this.#options.mappers.close(), this.database.close()])
  }
}

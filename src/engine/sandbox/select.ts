import type { DuckDBConnection } from '@duckdb/node-api'
import { type Column, identify } from '../../sql/relation.ts'
import { bind, join, literal, name, render, type Sql, sql } from '../../sql/sql.ts'
import { TableError } from '../tables/errors.ts'
import { parquetFormat } from '../tables/stage-file.ts'
import { bindAll } from '../tables/values.ts'
import { type Conversion, convert } from './convert.ts'
import { checkSelect, type SerializedSql } from './gate.ts'
import type { SandboxRequest, SandboxTable } from './protocol.ts'

type Result = Awaited<ReturnType<DuckDBConnection['stream']>>

/**
 * Checks the text, locks the instance, runs it and writes its rows as a stage file. The text stays a value to the end:
 * `query()` takes one SELECT and nothing else, so what slipped past the check could still only select.
 */
export async function runSelect(
  connection: DuckDBConnection,
  request: SandboxRequest,
): Promise<{ columns: Column[]; rows: number }> {
  const views = request.tables.map(viewOf)
  await check(connection, request)
  for (const view of views) await execute(connection, view.sql)
  await lock(connection, request)
  const query = sql`FROM query(${bind(request.text, 'VARCHAR')})`
  const shape = await execute(connection, sql`SELECT * FROM (${query}) LIMIT 0`)
  const types = shape.columnTypes()
  const names = logicalNames(shape.columnNames(), views)
  const positions = types.map((_, index) => name(`c${index}`))
  const conversions = types.map((type, index) => convert(positions[index]!, type))
  const source = sql`(${query}) AS t(${join(positions, ', ')})`
  if (!conversions.some(conversion => conversion.mayFit))
    return write(connection, source, names, conversions, request.out)

  const draft = await write(connection, source, names, conversions, request.draft)
  const narrowed = await narrow(connection, request.draft, draft.columns, conversions)
  return write(connection, sql`read_parquet(${literal(request.draft)})`, names, narrowed, request.out)
}

async function check(connection: DuckDBConnection, request: SandboxRequest): Promise<void> {
  if (request.text.includes('\0')) throw new TableError('sql_syntax', 'The SQL has a zero byte in it.')
  const result = await execute(connection, sql`SELECT json_serialize_sql(${bind(request.text, 'VARCHAR')})`)
  const [row] = await result.getRows()
  const tables = request.tables.map(table => table.name)
  checkSelect(JSON.parse(String(row?.[0])) as SerializedSql, tables)
}

interface View {
  readonly sql: Sql
  /** Names that had to be given another form, and what they stand for. */
  readonly renamed: ReadonlyMap<string, string>
}

/** The file's columns under their own names wherever DuckDB can tell them apart. */
function viewOf(table: SandboxTable): View {
  const renamed = new Map<string, string>()
  const taken = new Set<string>()
  const list = table.columns.map(column => {
    const free = column.name !== '' && !column.name.includes('\0') && !taken.has(column.name.toLowerCase())
    const shown = free ? column.name : column.id
    if (!free) renamed.set(shown, column.name)
    taken.add(shown.toLowerCase())
    return sql`${name(column.id)} AS ${name(shown)}`
  })
  // Parquet and SQL have no table without columns: such a file holds one that is not ours to show.
  const columns = list.length > 0 ? join(list, ', ') : sql`true AS "_"`
  return {
    sql: sql`CREATE VIEW ${name(table.name)} AS SELECT ${columns} FROM read_parquet(${literal(table.file)})`,
    renamed,
  }
}

/** From here on the connection reads and writes these files and no others, and no setting can be changed. */
async function lock(connection: DuckDBConnection, request: SandboxRequest): Promise<void> {
  const files = [...request.tables.map(table => table.file), request.out, request.draft]
  await execute(connection, sql`SET temp_directory = ${literal(request.spill)}`)
  await execute(connection, sql`SET max_temp_directory_size = '8GB'`)
  await execute(connection, sql`SET allowed_paths = [${join(files.map(literal), ', ')}]`)
  await execute(connection, sql`SET enable_external_access = false`)
  await execute(connection, sql`SET lock_configuration = true`)
}

/** Two columns of one name, which SQL allows, become `a` and `a_1`; names that a view had changed are changed back. */
function logicalNames(names: readonly string[], views: readonly View[]): string[] {
  const taken = new Set<string>()
  return names.map(shown => {
    const original = views.map(view => view.renamed.get(shown)).find(candidate => candidate !== undefined)
    const wanted = original ?? shown
    let free = wanted
    for (let n = 1; taken.has(free); n++) free = `${wanted}_${n}`
    taken.add(free)
    return free
  })
}

async function write(
  connection: DuckDBConnection,
  source: Sql,
  names: readonly string[],
  conversions: readonly Conversion[],
  file: string,
): Promise<{ columns: Column[]; rows: number }> {
  const ids = identify(names)
  const columns = conversions.map(
    ({ type }, index): Column => ({ name: names[index]!, id: ids[index]!, type }),
  )
  const list = conversions.map((conversion, index) => sql`${conversion.sql} AS ${name(ids[index]!)}`)
  const result = await execute(
    connection,
    sql`COPY (SELECT ${join(list, ', ')} FROM ${source}) TO ${literal(file)} (${parquetFormat(columns)}, USE_TMP_FILE false)`,
  )
  const [row] = await result.getRows()
  return { columns, rows: Number(row?.[0] ?? 0) }
}

/** Sums and counts come as 128-bit integers: nearly always they fit 64 bits, but only their values can tell. */
async function narrow(
  connection: DuckDBConnection,
  draft: string,
  columns: readonly Column[],
  conversions: readonly Conversion[],
): Promise<Conversion[]> {
  const tests = columns.map((column, index) =>
    conversions[index]!.mayFit
      ? sql`coalesce(bool_and(TRY_CAST(${name(column.id)} AS BIGINT) IS NOT NULL) FILTER (${name(column.id)} IS NOT NULL), true)`
      : sql`false`,
  )
  const result = await execute(
    connection,
    sql`SELECT ${join(tests, ', ')} FROM read_parquet(${literal(draft)})`,
  )
  const [fits] = await result.getRows()
  return columns.map((column, index) =>
    fits?.[index]
      ? { type: 'BIGINT', sql: sql`CAST(${name(column.id)} AS BIGINT)` }
      : { type: column.type, sql: name(column.id) },
  )
}

async function execute(connection: DuckDBConnection, statement: Sql): Promise<Result> {
  const rendered = render(statement)
  const prepared = await connection.prepare(rendered.text)
  try {
    bindAll(prepared, rendered)
    return await prepared.run()
  } finally {
    prepared.destroySync()
  }
}

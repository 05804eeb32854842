import { doubleOf } from './number.ts'
import { ranked } from './order.ts'
import { type Column, type Relation, ROW_NUMBER } from './relation.ts'
import { bind, integer, join, name, type Sql, sql } from './sql.ts'
import { jsonOf, textOf } from './text.ts'
import type { Typed } from './value.ts'

/** The figures of a column, in the order they are shown. */
const FIGURES: readonly Column[] = [
  { name: 'column', id: 'column', type: 'VARCHAR' },
  { name: 'type', id: 'type', type: 'VARCHAR' },
  { name: 'count', id: 'count', type: 'BIGINT' },
  { name: 'nulls', id: 'nulls', type: 'BIGINT' },
  { name: 'distinct', id: 'distinct', type: 'BIGINT' },
  { name: 'min', id: 'min', type: 'JSON' },
  { name: 'max', id: 'max', type: 'JSON' },
  { name: 'mean', id: 'mean', type: 'DOUBLE' },
  { name: 'p25', id: 'p25', type: 'DOUBLE' },
  { name: 'p50', id: 'p50', type: 'DOUBLE' },
  { name: 'p75', id: 'p75', type: 'DOUBLE' },
  { name: 'sample', id: 'sample', type: 'JSON' },
]

/** More columns than this in one statement take DuckDB longer to plan than to go over the rows again. */
const AT_ONCE = 25

/** Columns in groups that are summarized together. */
export const batches = <T>(columns: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(columns.length / AT_ONCE) }, (_, index) =>
    columns.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )

/** The summaries of several groups of columns, which stand in files, as one. */
export const joinedSummaries = (parts: readonly Relation[]): Relation => ({
  columns: FIGURES,
  order: [{ id: ROW_NUMBER }],
  sql: join(
    parts.map((part, index) => {
      const list = FIGURES.map(({ id }) => name(id))
      const place = sql`${name(ROW_NUMBER)} + ${integer(index * AT_ONCE)} AS ${name(ROW_NUMBER)}`
      return sql`SELECT ${join([...list, place], ', ')} FROM (${part.sql})`
    }),
    ' UNION ALL ',
  ),
})

/** A row of figures for each column, all computed in one pass over the rows. */
export function summaryOf(input: Relation): Relation {
  const { relation, rank } = ranked(input)
  const structs = relation.columns.map((column, index) => {
    const figures = figuresOf(column, rank)
    const fields = FIGURES.map(({ id }, at) => sql`${name(id)} := ${figures[at]!}`)
    return sql`struct_pack(${join(fields, ', ')}, place := ${integer(index)})`
  })
  const list = join(
    FIGURES.map(({ id }) => sql`s.${name(id)} AS ${name(id)}`),
    ', ',
  )
  return {
    columns: FIGURES,
    order: [{ id: ROW_NUMBER }],
    sql:
      structs.length > 0
        ? sql`SELECT ${list}, s.place AS ${name(ROW_NUMBER)} FROM (SELECT unnest([${join(structs, ', ')}]) AS s FROM (${relation.sql}))`
        : emptySummary(),
  }
}

const emptySummary = (): Sql => {
  const list = FIGURES.map(({ id, type }) => sql`${bind(null, type)} AS ${name(id)}`)
  return sql`SELECT ${join(list, ', ')}, 0 AS ${name(ROW_NUMBER)} LIMIT 0`
}

/** In the order of FIGURES. */
function figuresOf(column: Column, rank: Sql): Sql[] {
  const value: Typed = {
    sql: name(column.id),
    type: column.type,
    ...(column.numericText && { numericText: true }),
  }
  const number = column.type === 'BOOLEAN' ? sql`NULL::DOUBLE` : doubleOf(value)
  // Three at once: each by itself would order the values anew.
  const quantile = (index: number): Sql => sql`quantile_cont(${number}, [0.25, 0.5, 0.75])[${integer(index)}]`
  return [
    bind(column.name, 'VARCHAR'),
    typeOf(column),
    sql`count(${value.sql})`,
    sql`count(*) - count(${value.sql})`,
    sql`count(DISTINCT ${value.sql})`,
    extreme(column, value, number, extreme => sql`min(${extreme})`),
    extreme(column, value, number, extreme => sql`max(${extreme})`),
    sql`avg(${number})`,
    quantile(1),
    quantile(2),
    quantile(3),
    sql`arg_min(${jsonOf(value)}, ${rank}) FILTER (WHERE ${value.sql} IS NOT NULL)`,
  ]
}

/** As `sort` compares: numbers where every value is one, otherwise text. Objects and arrays have no order. */
function extreme(column: Column, value: Typed, number: Sql, pick: (value: Sql) => Sql): Sql {
  if (column.type !== 'VARCHAR' && column.type !== 'JSON')
    return jsonOf({ sql: pick(value.sql), type: column.type })
  const text = textOf(value)
  const nested =
    column.type === 'JSON' ? sql`bool_or(json_type(${value.sql}) IN ('OBJECT', 'ARRAY'))` : sql`false`
  return sql`CASE WHEN ${nested} THEN NULL WHEN count(${number}) = count(${value.sql}) THEN ${jsonOf({ sql: pick(number), type: 'DOUBLE' })} ELSE to_json(${pick(text)}) END`
}

const NAMES: Readonly<Record<string, string>> = {
  BIGINT: 'number',
  DOUBLE: 'number',
  VARCHAR: 'string',
  BOOLEAN: 'boolean',
}

/** The one type of all values, by the names that `typeof` gives them, or `mixed`. */
function typeOf(column: Column): Sql {
  const known = NAMES[column.type]
  if (known) return bind(known, 'VARCHAR')
  const kind = sql`CASE json_type(${name(column.id)}) WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' ELSE 'number' END`
  const present = sql`FILTER (WHERE ${name(column.id)} IS NOT NULL)`
  return sql`CASE WHEN min(${kind}) ${present} = max(${kind}) ${present} THEN min(${kind}) ${present} ELSE 'mixed' END`
}

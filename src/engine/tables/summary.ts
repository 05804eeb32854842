import type { Json, Row } from '../../language/json.ts'
import { type Column, orderBy, type Relation } from '../../sql/relation.ts'
import { integer, join, name, type Sql, sql } from '../../sql/sql.ts'
import { batches, summaryOf } from '../../sql/summary.ts'
import { jsonOf } from '../../sql/text.ts'
import { typed } from '../../sql/value.ts'
import type { Database, StatementOptions } from './database.ts'
import { fromFile, type StageFile } from './stage-file.ts'

export interface ColumnSummary {
  readonly column: string
  readonly type: string
  readonly count: number
  readonly nulls: number
  readonly distinct: number
  readonly min: Json
  readonly max: Json
  readonly mean: number | null
  readonly quantiles: { readonly p25: number; readonly p50: number; readonly p75: number } | null
  /** The most frequent values, the earlier first where they are equally frequent; none where all differ. */
  readonly top: readonly { readonly value: Json; readonly count: number }[]
}

const TOP = 5

/** Figures of every column: what `summarize` gives, and the most frequent values of those that repeat. */
export async function summarize(
  database: Database,
  source: StageFile | Relation,
  options: StatementOptions = {},
): Promise<ColumnSummary[]> {
  const { columns } = source
  const figures: Row[] = []
  for (const some of batches(columns)) {
    const summary = summaryOf(narrowed(source, some))
    const query = sql`SELECT * FROM (${summary.sql}) ORDER BY ${orderBy(summary)}`
    figures.push(...(await database.rows(query, options)))
  }
  // Where every value is another there is no top, and to count them all would cost the most.
  const repeated = figures.flatMap((row, index) => (Number(row.distinct) < Number(row.count) ? [index] : []))
  const tops: Row[] = []
  for (const places of batches(repeated)) {
    const parts = places.map(place => topValues(source, columns[place]!, place))
    const query = sql`SELECT place, value, count FROM (${join(parts, ' UNION ALL ')}) ORDER BY place, count DESC, first`
    tops.push(...(await database.rows(query, options)))
  }
  return figures.map((row, index) =>
    columnSummary(
      row,
      tops.filter(top => top.place === index),
    ),
  )
}

function columnSummary(row: Row, tops: readonly Row[]): ColumnSummary {
  const hasNumbers = row.p50 !== null
  return {
    column: String(row.column),
    type: String(row.type),
    count: Number(row.count),
    nulls: Number(row.nulls),
    distinct: Number(row.distinct),
    min: row.min ?? null,
    max: row.max ?? null,
    mean: hasNumbers ? Number(row.mean) : null,
    quantiles: hasNumbers ? { p25: Number(row.p25), p50: Number(row.p50), p75: Number(row.p75) } : null,
    top: tops.map(top => ({ value: top.value ?? null, count: Number(top.count) })),
  }
}

/** Where there are a thousand columns, to name them all takes longer than to read the few that are asked for. */
const narrowed = (source: StageFile | Relation, columns: readonly Column[]): Relation =>
  'file' in source ? fromFile(source.file, columns) : { ...source, columns }

function topValues(source: StageFile | Relation, column: Column, place: number): Sql {
  const relation = narrowed(source, [column])
  const first = name(relation.order.at(-1)!.id)
  const value = name(column.id)
  const counted = sql`SELECT ${value}, count(*) AS count, min(${first}) AS first FROM (${relation.sql}) WHERE ${value} IS NOT NULL GROUP BY ${value}`
  return sql`(SELECT ${integer(place)} AS place, ${jsonOf(typed(value, column.type))} AS value, count, first FROM (${counted}) ORDER BY count DESC, first LIMIT ${integer(TOP)})`
}

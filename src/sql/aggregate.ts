import { aggregateNamed } from '../language/expression/aggregates.ts'
import type { Aggregate } from '../language/values.ts'
import { overflowMessage } from './errors.ts'
import { type Compiled, type CompileOptions, compileValue } from './expression.ts'
import { doubleOf, numberOf } from './number.ts'
import type { Column } from './relation.ts'
import { literal, once, type Sql, sql } from './sql.ts'
import { jsonOf, storable, textOf } from './text.ts'
import { type Typed, typed } from './value.ts'

export interface AggregateOptions extends CompileOptions {
  /** One hidden column that gives the order of the rows, ascending: `ranked()` makes it. */
  readonly rank: Sql
}

/** The SQL of an aggregate over the rows of a group. Throws UnknownColumn. */
export function compileAggregate(
  aggregate: Aggregate,
  columns: readonly Column[],
  options: AggregateOptions,
): Compiled {
  if (!aggregate.argument)
    return { sql: sql`count(*)`, type: 'BIGINT', lifted: [], divisions: [], volatile: false }
  const { value, ...findings } = compileValue(aggregate.argument, columns, options)
  const name = aggregateNamed(aggregate.function)?.name ?? aggregate.function
  const result = storable(AGGREGATES[name]!(value, { aggregate, rank: options.rank }))
  return { sql: result.sql, type: result.type as Compiled['type'], ...findings }
}

interface Context {
  readonly aggregate: Aggregate
  readonly rank: Sql
}
type Implementation = (value: Typed, context: Context) => Typed

/** Of a condition those that meet it, of anything else those that have it: a comparison is never missing. */
const count: Implementation = value =>
  typed(value.total ? sql`count(*) FILTER (WHERE ${value.sql})` : sql`count(${value.sql})`, 'BIGINT')

/** DuckDB adds whole numbers up in 128 bits; what does not fit 64 is the error of arithmetic, with its place. */
const sum: Implementation = (value, { aggregate }) => {
  const number = numberOf(value)
  if (number.type === 'DOUBLE') return typed(sql`sum(${number.sql})`, 'DOUBLE')
  const failure = sql`error(${literal(overflowMessage(aggregate.span))})::BIGINT`
  return typed(
    once(
      sql`sum(${number.sql})`,
      total =>
        sql`CASE WHEN ${total} IS NULL THEN NULL ELSE coalesce(try_cast(${total} AS BIGINT), ${failure}) END`,
    ),
    'BIGINT',
  )
}

const ofNumbers =
  (formula: (number: Sql) => Sql): Implementation =>
  value =>
    typed(formula(doubleOf(value)), 'DOUBLE')

const quantile = (fraction: Sql): Implementation =>
  ofNumbers(number => sql`quantile_cont(${number}, ${fraction})`)

/** Numbers by size, also those in text when there is nothing else; all other values as text. */
const extreme =
  (plain: Sql, by: Sql): Implementation =>
  value => {
    if (value.type !== 'VARCHAR' && value.type !== 'JSON' && value.type !== 'LIST')
      return typed(sql`${plain}(${value.sql})`, value.type)
    const stored = storable(value)
    const text = textOf(stored)
    const number = numberOf(stored).sql
    return typed(
      sql`CASE WHEN count(${text}) = count(${number}) THEN ${by}(${stored.sql}, ${number}) ELSE ${by}(${stored.sql}, ${text}) END`,
      stored.type,
    )
  }

/** `histogram` sorts its keys, so of the most frequent values the least is taken, whatever the order of the rows. */
const mode: Implementation = value => {
  const stored = storable(value)
  const key = stored.type === 'JSON' ? sql`${stored.sql}::VARCHAR` : stored.sql
  return typed(
    once(
      sql`histogram(${key})`,
      h =>
        sql`map_keys(${h})[list_position(map_values(${h}), list_max(map_values(${h})))]${stored.type === 'JSON' ? sql`::JSON` : sql``}`,
    ),
    stored.type,
  )
}

const at =
  (pick: Sql): Implementation =>
  (value, { rank }) =>
    typed(sql`${pick}(${value.sql}, ${rank})`, value.type)

const list: Implementation = (value, { rank }) =>
  typed(
    sql`coalesce(list(${jsonOf(value)} ORDER BY ${rank}) FILTER (WHERE ${value.sql} IS NOT NULL), []::JSON[])`,
    'LIST',
  )

/** The same number in a number and in text is one value. */
const distinct: Implementation = value =>
  typed(sql`count(DISTINCT ${value.type === 'JSON' ? textOf(value) : value.sql})`, 'BIGINT')

const AGGREGATES: Readonly<Record<string, Implementation>> = {
  count,
  dc: distinct,
  sum,
  avg: ofNumbers(number => sql`avg(${number})`),
  median: quantile(sql`0.5`),
  min: extreme(sql`min`, sql`arg_min`),
  max: extreme(sql`max`, sql`arg_max`),
  stdev: ofNumbers(number => sql`stddev_samp(${number})`),
  p50: quantile(sql`0.5`),
  p90: quantile(sql`0.9`),
  p95: quantile(sql`0.95`),
  p99: quantile(sql`0.99`),
  first: at(sql`arg_min`),
  last: at(sql`arg_max`),
  list,
  mode,
}

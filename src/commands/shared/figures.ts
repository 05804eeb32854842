import type { Aggregate, Path } from '../../language/values.ts'
import { compileAggregate } from '../../sql/aggregate.ts'
import { type Compiled, compile } from '../../sql/expression.ts'
import { ranked } from '../../sql/order.ts'
import type { Relation } from '../../sql/relation.ts'
import { name, type Sql } from '../../sql/sql.ts'
import { columnNamed, projected, scratchName } from './columns.ts'
import { compileOptions, onlyColumns, prepared, type Tools, warnOfDivisions } from './expressions.ts'

/** A relation under one row number, and figures over its rows. */
export interface Figures {
  readonly relation: Relation
  readonly rank: Sql
  readonly figures: readonly Figure[]
}

export interface Figure extends Compiled {
  readonly as: Path
  /** Counts are 0 where there are no rows; other figures are missing there. */
  readonly counts: boolean
}

export async function figuresOf(
  input: Relation,
  aggregates: readonly Aggregate[],
  tools: Tools,
): Promise<Figures> {
  let { relation, rank } = ranked(input)
  const ready: Aggregate[] = []
  for (const [index, aggregate] of aggregates.entries()) {
    const options = { ...compileOptions(relation.columns), rank }
    const isSql = compileAggregate(aggregate, relation.columns, options).lifted.length === 0
    const held = isSql
      ? { relation, aggregate }
      : await withArgument(relation, aggregate, scratchName(index), tools)
    relation = held.relation
    ready.push(held.aggregate)
  }
  const figures = ready.map(aggregate => ({
    ...compileAggregate(aggregate, relation.columns, { ...compileOptions(relation.columns), rank }),
    as: aggregate.as,
    counts: ['count', 'dc'].includes(aggregate.function.toLowerCase()),
  }))
  await warnOfDivisions(
    relation,
    figures.flatMap(figure => figure.divisions),
    tools,
  )
  return { relation, rank, figures }
}

/** The relation with the argument of an aggregate as a column, where only JavaScript can compute it. */
async function withArgument(
  input: Relation,
  aggregate: Aggregate,
  holder: string,
  tools: Tools,
): Promise<{ readonly relation: Relation; readonly aggregate: Aggregate }> {
  const { relation, compiled } = await prepared(
    input,
    (columns, options) => compile(aggregate.argument!, columns, options),
    tools,
  )
  const kept = onlyColumns(relation, input.columns).columns
  return {
    relation: projected(relation, [
      ...kept.map(column => ({ ...column, sql: name(column.id) })),
      { name: holder, sql: compiled.sql, type: compiled.type },
    ]),
    aggregate: {
      ...aggregate,
      argument: { kind: 'path', path: columnNamed(holder), span: aggregate.span },
    },
  }
}

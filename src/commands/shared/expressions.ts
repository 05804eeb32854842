import type { Expression } from '../../language/expression/tree.ts'
import type { Json } from '../../language/json.ts'
import type { CompileOptions, Lifted } from '../../sql/compiler.ts'
import { compileCondition } from '../../sql/expression.ts'
import { withLifted } from '../../sql/lift.ts'
import { type Column, project, type Relation, where } from '../../sql/relation.ts'
import { bind, join, name, type Sql, sql } from '../../sql/sql.ts'
import type { ReduceContext } from '../command.ts'

/** What computing an expression may need of the engine. */
export type Tools = Pick<ReduceContext<unknown>, 'map' | 'probe' | 'warn'>

interface Findings {
  readonly lifted: readonly Lifted[]
  readonly divisions: readonly Sql[]
}

/** A table without any columns is one without rows, where no column can be missing. */
export const compileOptions = (columns: readonly Column[]): CompileOptions => ({
  missing: columns.length === 0 ? 'null' : 'error',
})

/**
 * Compiles over a relation in which all that only JavaScript can compute is a column already, and warns of divisions by
 * zero. The relation may have more columns than the user's: `onlyColumns` takes them away.
 */
export async function prepared<T extends Findings>(
  relation: Relation,
  compile: (columns: readonly Column[], options: CompileOptions) => T,
  tools: Tools,
): Promise<{ readonly relation: Relation; readonly compiled: T }> {
  // Of the user's own columns: those of lifted calls come on top.
  const options = compileOptions(relation.columns)
  const result = await withLifted(
    relation,
    columns => compile(columns, options),
    async (wider, calls) =>
      onlyColumns(await tools.map(wider, 'lifted', calls.map(call => ({ ...call })) as Json), wider.columns),
  )
  await warnOfDivisions(result.relation, result.compiled.divisions, tools)
  return result
}

/** The rows for which a condition holds. */
export async function filtered(input: Relation, condition: Expression, tools: Tools): Promise<Relation> {
  const { relation, compiled } = await prepared(
    input,
    (columns, options) => compileCondition(condition, columns, options),
    tools,
  )
  return onlyColumns(where(relation, compiled.where), input.columns)
}

/** Exactly these columns, by name: a table that was read anew does not have those that are missing in every row. */
export function onlyColumns(relation: Relation, wanted: readonly Column[]): Relation {
  if (relation.columns === wanted) return relation
  const found = new Map(relation.columns.map(column => [column.name, column]))
  return project(
    relation,
    wanted.map(column => {
      const old = found.get(column.name)
      return old
        ? { column: { ...old, id: column.id }, sql: name(old.id) }
        : { column, sql: bind(null, column.type) }
    }),
  )
}

/** What is divided by zero is missing, and the user is told how often. */
export async function warnOfDivisions(
  relation: Relation,
  divisions: readonly Sql[],
  { probe, warn }: Tools,
): Promise<void> {
  if (divisions.length === 0) return
  const counts = divisions.map(zero => sql`count(*) FILTER (WHERE ${zero})`)
  const [found] = await probe(sql`SELECT ${join(counts, ' + ')} AS n FROM (${relation.sql})`)
  const count = Number(found?.n ?? 0)
  if (count > 0) warn('division_by_zero', `${count} division${count === 1 ? '' : 's'} by zero gave no value.`)
}

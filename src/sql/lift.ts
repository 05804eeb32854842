import type { Json, Row } from '../language/json.ts'
import { LIFTED_PREFIX, type Lifted } from './compiler.ts'
import { type Column, project, type Relation } from './relation.ts'
import { join, name, sql } from './sql.ts'
import { jsonOf } from './text.ts'

/** What the mapper is told: which function to apply in which column. */
export interface LiftedColumn {
  readonly column: string
  readonly function: string
}

/** The relation with a column for each lifted call, which holds the list of its arguments. */
function withArguments(relation: Relation, lifted: readonly Lifted[]): Relation {
  const kept = relation.columns.map(column => ({ column, sql: name(column.id) }))
  const added = lifted.map(({ id, args }) => {
    const column: Column = { name: id, id, type: 'JSON' }
    return { column, sql: sql`to_json([${join(args.map(jsonOf), ', ')}]::JSON[])` }
  })
  return project(relation, [...kept, ...added])
}

/** The functions that SQL cannot express: each gets its arguments, null for a missing one, and gives null for none. */
export type LiftedFunctions = Readonly<Record<string, (args: readonly Json[]) => Json>>

/** A row of such a relation with each list of arguments replaced by what its function makes of them. */
export function applyLifted(row: Row, columns: readonly LiftedColumn[], functions: LiftedFunctions): Row {
  const results = columns.map(({ column, function: called }) => [
    column,
    functions[called]!(row[column] as Json[]),
  ])
  return { ...row, ...Object.fromEntries(results) }
}

/**
 * Compiles over a relation whose lifted calls are columns already. Calls inside calls take a round each. `map` runs
 * `applyLifted` over all rows, on worker threads, and gives back all columns; those it fills are not for the user.
 */
export async function withLifted<T extends { readonly lifted: readonly Lifted[] }>(
  relation: Relation,
  compile: (columns: readonly Column[]) => T,
  map: (relation: Relation, columns: readonly LiftedColumn[]) => Promise<Relation>,
): Promise<{ readonly relation: Relation; readonly compiled: T }> {
  const compiled = compile(relation.columns)
  const ready = compiled.lifted.filter(call => !call.waits)
  if (ready.length === 0) return { relation, compiled }
  const columns = ready.map(call => ({ column: call.id, function: call.function }))
  return withLifted(await map(withArguments(relation, ready), columns), compile, map)
}

/** The relation without the columns that lifted calls needed. */
export function withoutLifted(relation: Relation): Relation {
  const kept = relation.columns.filter(column => !column.name.startsWith(LIFTED_PREFIX))
  if (kept.length === relation.columns.length) return relation
  return project(
    relation,
    kept.map(column => ({ column, sql: name(column.id) })),
  )
}

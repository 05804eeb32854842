import type { Json } from '../../language/json.ts'
import type { Path } from '../../language/values.ts'
import { deletePath, writePath } from '../../sql/path.ts'
import { identify, type Relation } from '../../sql/relation.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Typed } from '../../sql/value.ts'
import { scratchName } from './columns.ts'
import { onlyColumns, type Tools } from './expressions.ts'
import { type Staged, staged } from './values.ts'

/** Which mapper, and what to tell it. */
export interface Mapping {
  readonly mapper: string
  readonly [option: string]: Json
}

/** Where a mapper says why it could not use a value. */
const PROBLEM = scratchName(1)

/** A value as a mapper changes it, written at a path. */
export async function mappedValue(
  input: Relation,
  value: Typed,
  path: Path,
  mapping: Mapping,
  tools: Tools,
): Promise<Relation> {
  if (input.columns.length === 0) return input
  const stage = staged(input, [value])
  const rows = await mapped(stage.relation, stage, mapping, tools)
  return stage.cleared(writePath(rows, path, stage.value(rows, 0)))
}

/** The rows that a mapper makes of the text at a path, which is no longer there. */
export async function mappedRows(
  input: Relation,
  value: Typed,
  path: Path,
  mapping: Mapping,
  tools: Tools,
): Promise<Relation> {
  if (input.columns.length === 0) return input
  const stage = staged(input, [value])
  return stage.cleared(
    await mapped(deletePath(stage.relation, path, { missing: 'null' }), stage, mapping, tools),
  )
}

/** Mappers know nothing of paths: they find the value in a column of its own, and columns of the rest beside it. */
async function mapped(
  relation: Relation,
  stage: Staged,
  { mapper, ...options }: Mapping,
  tools: Tools,
): Promise<Relation> {
  const result = await tools.map(relation, mapper, { ...options, value: stage.names[0]!, problem: PROBLEM })
  await warnOfProblems(result, mapper, tools)
  const known = new Set(relation.columns.map(column => column.name))
  const added = result.columns.filter(column => !known.has(column.name) && column.name !== PROBLEM)
  const columns = [...relation.columns, ...added]
  const ids = identify(columns.map(column => column.name))
  return onlyColumns(
    result,
    columns.map((column, index) => ({ ...column, id: ids[index]! })),
  )
}

async function warnOfProblems(relation: Relation, mapper: string, { probe, warn }: Tools): Promise<void> {
  const problem = relation.columns.find(column => column.name === PROBLEM)
  if (!problem) return
  const [found] = await probe(
    sql`SELECT count(${name(problem.id)}) AS n, arg_min(${name(problem.id)}, ${name(relation.order[0]!.id)}) AS first FROM (${relation.sql})`,
  )
  const count = Number(found?.n ?? 0)
  if (count > 0)
    warn(
      `${mapper}_not_read`,
      `${count} value${count === 1 ? '' : 's'} could not be read. The first: ${found?.first}`,
    )
}

import { compileOptions, filtered, type Tools } from '../commands/shared/expressions.ts'
import { withGuid } from '../commands/shared/guids.ts'
import { slice } from '../sql/order.ts'
import { selectPaths } from '../sql/path.ts'
import type { Relation } from '../sql/relation.ts'
import { unionAll } from '../sql/union.ts'
import type { UniversalValues } from './stage-values.ts'

interface StageTools extends Tools {
  stage(reference: string): Promise<Relation>
  /** The stage's own rows, before those of another are added: what a checkpoint is taken from. */
  ownRows(relation: Relation): void
}

/** The flags of every command, done to a stage's output in the order that the language gives them. */
export async function applyUniversalFlags(
  output: Relation,
  flags: UniversalValues,
  tools: StageTools,
): Promise<Relation> {
  let relation = output
  if (flags.where) relation = await filtered(relation, flags.where, tools)
  if (flags.table) relation = selectPaths(relation, flags.table, compileOptions(relation.columns))
  if (flags.take !== undefined) relation = slice(relation, flags.take, 0)
  if (flags.guid) relation = withGuid(relation)
  tools.ownRows(relation)
  if (flags.appendStage !== undefined) relation = unionAll(relation, await tools.stage(flags.appendStage))
  return relation
}

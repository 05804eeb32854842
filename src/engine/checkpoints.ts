import { withoutErrors } from '../commands/shared/errors.ts'
import { extremeRows } from '../commands/shared/sorting.ts'
import { parseJson, type Row } from '../language/json.ts'
import { valueAt } from '../language/paths.ts'
import type { Stage } from '../language/plan.ts'
import { textOf } from '../language/resolve.ts'
import { parseCheckpoint } from '../language/universal.ts'
import type { Path } from '../language/values.ts'
import { UnknownColumn } from '../sql/errors.ts'
import { lastRows, slice } from '../sql/order.ts'
import { orderBy, type Relation } from '../sql/relation.ts'
import { rowText } from '../sql/rows.ts'
import { type Sql, sql } from '../sql/sql.ts'
import type { StageValues } from './stage-values.ts'

type Pick = 'first' | 'last' | 'max' | 'min'
type Probe = (query: Sql) => Promise<Row[]>

/** The most characters that a checkpoint can hold. */
export const LONGEST_CHECKPOINT = 10_000

export const tooLong = (name: string, { index }: Stage) => ({
  code: 'checkpoint_too_long',
  message: `The checkpoint ${name} was not saved: its value has more than ${LONGEST_CHECKPOINT} characters.`,
  stage: index,
})

/** The values that `--checkpoint` of a stage is to save, by name. One that is empty changes nothing, and is left out. */
export async function checkpointValues(
  stage: Stage,
  { flags }: StageValues,
  relation: Relation,
  probe: Probe,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const rows = flags.errors === true ? relation : withoutErrors(relation)
  for (const text of flags.checkpoint as readonly string[]) {
    const checkpoint = parseCheckpoint(text)
    // The planner has refused what cannot be read.
    if (!checkpoint) throw new Error(`stage ${stage.index} has a checkpoint that is none`)
    const row = await pickedRow(rows, checkpoint.path, flags['checkpoint.pick'] as Pick, probe)
    const value = row && textOf(valueAt(row, checkpoint.path) ?? null)
    if (value) found.set(checkpoint.name, value)
  }
  return found
}

async function pickedRow(relation: Relation, path: Path, pick: Pick, probe: Probe): Promise<Row | undefined> {
  try {
    const rows = await pickedRows(relation, path, pick, probe)
    const [first] = await probe(
      sql`SELECT ${rowText(rows.columns)} AS "row" FROM (${rows.sql}) ORDER BY ${orderBy(rows)} LIMIT 1`,
    )
    return first && (parseJson(String(first.row)) as Row)
  } catch (error) {
    if (error instanceof UnknownColumn) return undefined
    throw error
  }
}

function pickedRows(relation: Relation, path: Path, pick: Pick, probe: Probe): Relation | Promise<Relation> {
  if (pick === 'first') return slice(relation, 1, 0)
  return pick === 'last' ? lastRows(relation, 1) : extremeRows(relation, path, pick, probe)
}

import { join } from 'node:path'
import type { JobCounts } from '../../engine/expansion.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import { ForageError } from '../../errors.ts'
import type { Stage } from '../../language/plan.ts'
import type { Column } from '../../sql/relation.ts'
import type { StageOutcome, StageRow } from './query-book.ts'

/** What the catalog knows of a table; names are kept, not paths, so that a data folder can be moved. */
export function storedTable(
  folder: string,
  row: { readonly file: string | null; readonly columns: string | null; readonly rows: number | null },
): StageFile | undefined {
  if (row.file === null || row.columns === null) return undefined
  return {
    file: join(folder, row.file),
    columns: JSON.parse(row.columns) as Column[],
    rows: Number(row.rows),
    bytes: 0,
  }
}

/** The tables of a query's stages, by their index: of those that have one. */
export function storedTables(folder: string, stages: readonly StageRow[]): ReadonlyMap<number, StageFile> {
  const tables = new Map<number, StageFile>()
  for (const stage of stages) {
    const table = storedTable(folder, stage)
    if (table) tables.set(stage.idx, table)
  }
  return tables
}

/**
 * What an earlier process has done of a query. Stages run in order, so whatever comes before a table is done too,
 * with a table of its own or as a part of that one.
 */
export function storedStages(folder: string, rows: readonly StageRow[]): StageOutcome[] {
  const lastDone = rows.findLastIndex(row => row.file !== null)
  return rows.map((row, index) => ({
    status: index <= lastDone ? 'completed' : 'queued',
    table: storedTable(folder, row),
    startedAt: row.started_at === null ? undefined : new Date(row.started_at),
    finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
    fromCache: row.from_cache === 1,
    warnings: row.warnings === null ? [] : (JSON.parse(row.warnings) as string[]),
    jobs: row.jobs === null ? undefined : (JSON.parse(row.jobs) as JobCounts),
    journal: row.journal === null ? undefined : join(folder, row.journal),
  }))
}

/** The stages of a query that nobody has begun with. */
export const freshStages = (stages: readonly Stage[]): StageOutcome[] =>
  stages.map(() => ({
    status: 'queued',
    table: undefined,
    startedAt: undefined,
    finishedAt: undefined,
    fromCache: false,
    warnings: [],
    jobs: undefined,
    journal: undefined,
  }))

/** A stage by its index from 0, or its label. */
export function findStage<S extends { readonly idx: number; readonly label: string | null }>(
  stages: readonly S[],
  reference: string,
): S {
  const found =
    stages.find(stage => stage.label === reference) ?? stages.find(stage => String(stage.idx) === reference)
  if (found) return found
  throw new ForageError(
    'not_found',
    `The query has no stage ${reference}: its stages are 0 to ${stages.length - 1}.`,
  )
}

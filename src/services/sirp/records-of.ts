import type { Static } from 'typebox'
import type { JobCounts } from '../../engine/expansion.ts'
import type { QueryError } from '../../engine/failure.ts'
import type { CommandDocument } from '../../language/plan.ts'
import type { ActiveQuery } from './active-query.ts'
import type { QueryRow, StageOutcome, StageRow } from './query-book.ts'
import type { CommandRecord, QueryRecord, QueryStatusRecord, StageRecord } from './records.ts'

const parsed = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T))

/** In milliseconds. */
export const between = (from: string | null, to: string | null): number | null =>
  from && to ? Date.parse(to) - Date.parse(from) : null

export const queryRecord = (row: QueryRow, stages: number): Static<typeof QueryRecord> => ({
  id: row.id,
  query: row.query,
  mode: row.mode,
  status: row.status,
  createdAt: row.created_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  durationMs: between(row.started_at, row.finished_at),
  stages,
  rows: row.rows,
  failedRows: Number(row.failed_rows),
  fromCache: row.from_cache === 1,
  error: parsed<QueryError>(row.error),
  warnings: parsed<string[]>(row.warnings) ?? [],
  metadata: parsed<Record<string, unknown>>(row.metadata),
  ttl: row.ttl,
  expiresAt: row.expires_at,
  scheduledId: row.scheduled_id,
  templateId: row.template_id,
  summary: row.summary_wanted === 1,
})

/** A stage as the catalog has it, or, while the query runs, as it is at this moment. */
export function stageRecord(row: StageRow, live: StageOutcome | undefined): Static<typeof StageRecord> {
  const startedAt = live?.startedAt?.toISOString() ?? row.started_at
  const finishedAt = live ? (live.finishedAt?.toISOString() ?? null) : row.finished_at
  const columns = live?.table?.columns ?? parsed<{ name: string; type: string }[]>(row.columns)
  return {
    index: row.idx,
    label: row.label,
    kind: row.kind,
    command: row.command,
    status: live?.status ?? row.status,
    rows: live?.table?.rows ?? row.rows,
    failedRows: live?.jobs?.failed ?? Number(row.failed_rows),
    jobs: jobsOf(live?.jobs ?? parsed<JobCounts>(row.jobs)),
    columns: columns?.map(column => ({ name: column.name, type: column.type })) ?? null,
    startedAt,
    finishedAt,
    durationMs: between(startedAt, finishedAt),
    fromCache: live?.fromCache ?? row.from_cache === 1,
    warnings: live ? [...live.warnings] : (parsed<string[]>(row.warnings) ?? []),
  }
}

export function statusRecord(
  row: QueryRow,
  stages: number,
  active: ActiveQuery | undefined,
  waiting: readonly { readonly domain: string; readonly untilMs: number }[] = [],
): Static<typeof QueryStatusRecord> {
  const running = active?.stages.findIndex(stage => stage.status === 'running') ?? -1
  return {
    id: row.id,
    status: row.status,
    stage: running >= 0 ? running : null,
    stages,
    progress: active ? active.progress : 1,
    rows: row.rows,
    failedRows: active ? active.failedRows : Number(row.failed_rows),
    etaMs: active ? remainingMs(active) : null,
    waiting: waiting.map(({ domain, untilMs }) => ({ domain, untilMs })),
  }
}

export const commandRecord = (
  queryId: string,
  stage: Static<typeof StageRecord>,
  { command, args, flags }: CommandDocument,
): Static<typeof CommandRecord> => ({
  id: `${queryId}.${stage.index}`,
  stage: stage.index,
  row: null,
  command,
  args: args.map(parts => [...parts]),
  flags: { ...flags },
  status: stage.status === 'expired' ? 'completed' : stage.status,
  startedAt: stage.startedAt,
  durationMs: stage.durationMs,
  attempts: stage.startedAt ? 1 : 0,
  rows: stage.rows,
  fromCache: stage.fromCache,
  error: null,
})

const jobsOf = (counts: JobCounts | null) =>
  counts && { ...counts, waiting: Math.max(0, counts.total - counts.done) }

/** As long again as it took so far for each part that is left: only told where parts can be counted. */
function remainingMs(active: ActiveQuery): number | null {
  const { progress, row } = active
  if (progress <= 0 || row.started_at === null) return null
  const elapsed = Date.now() - Date.parse(row.started_at)
  return Math.round((elapsed * (1 - progress)) / progress)
}

/** The records of queries: what is answered about them (api.md, sirp). */
import Type from 'typebox'
import {
  allOf,
  Column,
  Count,
  FreeObject,
  fields,
  listOf,
  Milliseconds,
  nullable,
  QueryError,
  record,
  Time,
  Uuid,
} from '../fields.ts'

export const QueryMode = Type.Enum(['comprehensive', 'turbo'])
export const QueryState = Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'])

const queryFields = {
  id: Uuid,
  query: Type.String(),
  mode: QueryMode,
  status: QueryState,
  createdAt: Time,
  startedAt: nullable(Time),
  finishedAt: nullable(Time),
  durationMs: nullable(Milliseconds),
  stages: Count,
  rows: nullable(Count),
  failedRows: Count,
  fromCache: Type.Boolean(),
  error: nullable(QueryError),
  warnings: Type.Array(Type.String()),
  metadata: nullable(FreeObject),
  ttl: Count,
  expiresAt: nullable(Time),
  scheduledId: nullable(Type.String()),
  templateId: nullable(Uuid),
  summary: Type.Boolean(),
}
export const QueryRecord = record('Query', queryFields)
export const QueryList = listOf('QueryList', QueryRecord)

/** A row as it is handed out: `{ content: row }`. */
export const ResultRow = record('ResultRow', { content: Type.Unknown() })

/** A query that was waited for: its record and the first rows of its result. */
export const DispatchedQuery = record('DispatchedQuery', {
  ...queryFields,
  results: Type.Optional(Type.Array(ResultRow)),
  columns: Type.Optional(Type.Array(Column)),
  total: Type.Optional(Count),
  truncated: Type.Optional(Type.Boolean()),
})

export const ResultsPage = record('ResultsPage', {
  results: Type.Array(ResultRow),
  columns: Type.Array(Column),
  total: Count,
  offset: Count,
  limit: Count,
})

export const StageRecord = record('Stage', {
  index: Count,
  label: nullable(Type.String()),
  kind: Type.Enum(['source', 'expand', 'reduce']),
  command: Type.String(),
  status: QueryState,
  rows: nullable(Count),
  failedRows: Count,
  jobs: nullable(fields({ total: Count, done: Count, failed: Count, waiting: Count })),
  columns: nullable(Type.Array(Column)),
  startedAt: nullable(Time),
  finishedAt: nullable(Time),
  durationMs: nullable(Milliseconds),
  fromCache: Type.Boolean(),
  warnings: Type.Array(Type.String()),
})
export const StageList = listOf('StageList', StageRecord)

export const CommandRecord = record('CommandRun', {
  id: Type.String(),
  stage: Count,
  row: nullable(Count),
  command: Type.String(),
  args: Type.Array(Type.Unknown()),
  flags: FreeObject,
  status: Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  startedAt: nullable(Time),
  durationMs: nullable(Milliseconds),
  attempts: Count,
  rows: nullable(Count),
  fromCache: Type.Boolean(),
  error: nullable(QueryError),
})
export const CommandList = listOf('CommandRunList', CommandRecord)

export const QueryStatusRecord = record('QueryStatus', {
  id: Uuid,
  status: QueryState,
  stage: nullable(Count),
  stages: Count,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  rows: nullable(Count),
  failedRows: Count,
  etaMs: nullable(Milliseconds),
  waiting: Type.Array(fields({ domain: Type.String(), untilMs: Type.Number() })),
})

export const QueryScreenshots = allOf(
  'QueryScreenshots',
  fields({
    hash: Type.String({ minLength: 64, maxLength: 64 }),
    url: Type.String(),
    type: Type.Enum(['png', 'jpeg', 'webp']),
    width: Count,
    height: Count,
    stage: nullable(Count),
    at: Time,
  }),
)

export const SummaryStatus = record('SummaryStatus', {
  status: Type.Enum(['none', 'pending', 'ready', 'failed']),
})

const ColumnSummary = record('ColumnSummary', {
  name: Type.String(),
  type: Type.String(),
  count: Count,
  nulls: Count,
  distinct: nullable(Count),
  min: Type.Unknown(),
  max: Type.Unknown(),
  mean: nullable(Type.Number()),
  quantiles: nullable(Type.Record(Type.String(), Type.Unknown())),
  top: Type.Array(fields({ value: Type.Unknown(), count: Count })),
})

export const QuerySummary = record('QuerySummary', {
  stages: Type.Array(
    fields({
      index: Count,
      label: nullable(Type.String()),
      command: Type.String(),
      rows: nullable(Count),
      failedRows: Count,
      durationMs: nullable(Milliseconds),
      fromCache: Type.Boolean(),
    }),
  ),
  columns: Type.Array(ColumnSummary),
})

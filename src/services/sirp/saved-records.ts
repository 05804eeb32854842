/** Queries that are kept: schedules and templates (api.md, Scheduled queries and templates). */
import Type from 'typebox'
import { Count, FreeObject, fields, listOf, nullable, record, Time, Uuid } from '../fields.ts'
import { QueryState } from './records.ts'

export const ScheduledQuery = record('ScheduledQuery', {
  id: Type.String(),
  query: Type.String(),
  minutes: Count,
  cron: nullable(Type.String()),
  timeZone: nullable(Type.String()),
  overlap: Type.Enum(['skip', 'queue']),
  disableAfter: nullable(Count),
  enabled: Type.Boolean(),
  nextRun: nullable(Time),
  lastRun: nullable(
    fields({ queryId: Uuid, status: QueryState, startedAt: Time, finishedAt: nullable(Time) }),
  ),
  runs: Count,
  failures: Type.Integer({ minimum: 0, description: 'In a row' }),
  skipped: Type.Integer({ minimum: 0, description: 'Runs that were due while another ran' }),
  cleanup: Type.Boolean(),
  summary: Type.Boolean(),
  ttl: Count,
  metadata: nullable(FreeObject),
  createdAt: Time,
  updatedAt: Time,
})
export const ScheduledQueryList = listOf('ScheduledQueryList', ScheduledQuery)

export const ScheduledRun = record('ScheduledRun', {
  queryId: Uuid,
  cause: Type.Enum(['schedule', 'missed', 'hand']),
  status: Type.Enum(['waiting', 'running', 'completed', 'failed', 'cancelled', 'skipped']),
  dueAt: Time,
  startedAt: nullable(Time),
  finishedAt: nullable(Time),
  error: nullable(Type.String()),
})
export const ScheduledRunList = listOf('ScheduledRunList', ScheduledRun)

export const QueryTemplate = record('QueryTemplate', {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  description: Type.String({ minLength: 1, maxLength: 100_000 }),
  query: Type.String({ minLength: 1, maxLength: 1_048_576 }),
  templateSchema: nullable(FreeObject),
  parameters: Type.Array(
    fields({ name: Type.String(), required: Type.Boolean(), type: nullable(Type.String()) }),
  ),
  createdAt: Time,
  updatedAt: Time,
})
export const QueryTemplateList = listOf('QueryTemplateList', QueryTemplate)

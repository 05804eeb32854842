/** What is queued, running and waiting (api.md, sirp, our additions). */
import Type from 'typebox'
import { Count, listOf, nullable, record, Time, Uuid } from '../fields.ts'

export const JobRecord = record('Job', {
  id: Type.String(),
  queryId: Uuid,
  stage: Count,
  row: nullable(Count),
  command: Type.String(),
  status: Type.Enum(['queued', 'running', 'waiting']),
  domain: nullable(Type.String()),
  since: Time,
})
export const JobList = listOf('JobList', JobRecord)

export const WorkerRecord = record('Worker', {
  id: Type.String(),
  startedAt: Time,
  running: Count,
  limit: Count,
})
export const WorkerList = listOf('WorkerList', WorkerRecord)

import type { Generated } from 'kysely'
import type { Flag, JsonText, Time } from './values.ts'

export interface ScheduleTable {
  id: string
  query: string
  minutes: number
  cron: string | null
  time_zone: string | null
  overlap: 'skip' | 'queue'
  disable_after: number | null
  enabled: Flag
  /** What `minutes` are counted from: when it was enabled. */
  anchor_at: Time
  next_run: Time | null
  runs: Generated<number>
  /** In a row. */
  failures: Generated<number>
  skipped: Generated<number>
  cleanup: Flag
  summary: Flag
  ttl: number
  metadata: JsonText | null
  created_at: Time
  updated_at: Time
}

export interface ScheduleRunTable {
  /** The id that its query has or will have: booked before it is dispatched. */
  query_id: string
  schedule_id: string
  cause: 'schedule' | 'missed' | 'hand'
  status: 'booked' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped'
  due_at: Time
  booked_at: Time
  started_at: Time | null
  finished_at: Time | null
  error: string | null
}

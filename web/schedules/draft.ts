import type { ScheduledQuery } from '../api/types.ts'

export type When = 'minutes' | 'cron' | 'hand'

/** A schedule as the form holds it: numbers may be missing while they are typed. */
export interface ScheduleDraft {
  readonly query: string
  readonly when: When
  readonly minutes: number | string
  readonly cron: string
  readonly timeZone: string
  readonly overlap: 'skip' | 'queue'
  readonly disableAfter: number | string
  readonly ttl: number | string
  readonly cleanup: boolean
  readonly summary: boolean
  readonly metadata: string
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function draftOf(schedule: Partial<ScheduledQuery>): ScheduleDraft {
  const { minutes = 60, cron = null, metadata = null } = schedule
  return {
    query: schedule.query ?? '',
    when: cron !== null ? 'cron' : minutes > 0 ? 'minutes' : 'hand',
    minutes: minutes || 60,
    cron: cron ?? '30 6 * * 1-5',
    timeZone: schedule.timeZone ?? (cron === null ? ownTimeZone() : 'UTC'),
    overlap: schedule.overlap ?? 'skip',
    disableAfter: schedule.disableAfter ?? 0,
    ttl: schedule.ttl ?? 0,
    cleanup: schedule.cleanup ?? false,
    summary: schedule.summary ?? false,
    metadata: metadata === null ? '' : JSON.stringify(metadata, null, 2),
  }
}

/** What is sent. What the schedule had before and the form says no more is said to be gone. */
export function bodyOf(draft: ScheduleDraft, isNew: boolean): object {
  const { query, when, overlap, cleanup, summary } = draft
  const gone = isNew ? {} : { cron: null, timeZone: null }
  return {
    query,
    overlap,
    cleanup,
    summary,
    ttl: Number(draft.ttl) || 0,
    disableAfter: Number(draft.disableAfter) || 0,
    minutes: when === 'minutes' ? Number(draft.minutes) || 0 : 0,
    ...(when === 'cron' ? { cron: draft.cron, timeZone: draft.timeZone } : gone),
    ...(draft.metadata.trim() === '' ? !isNew && { metadata: {} } : { metadata: JSON.parse(draft.metadata) }),
  }
}

/** What is wrong before anybody is asked: only what the server would not get to see. */
export function metadataError(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'must be a JSON object, such as {"team": "prices"}'
  } catch (error) {
    return `is not JSON: ${(error as Error).message}`
  }
}

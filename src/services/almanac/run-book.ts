import { randomUUID } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { ScheduleRunTable, Schema } from '../../storage/catalog/schema.ts'
import type { ScheduledRun } from '../sirp/saved-records.ts'
import type { AlmanacClock } from './clock.ts'
import type { ScheduleRow } from './schedules.ts'
import { nextRun } from './timing.ts'

export type RunRow = Selectable<ScheduleRunTable>
export type RunRecord = Static<typeof ScheduledRun>
export type Cause = ScheduleRunTable['cause']

/** How a run ended. */
export interface RunEnd {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly startedAt: string | null
  readonly error: string | null
}

/** What booking came to: a run to dispatch, one that waits for the present one to end, or none. */
export interface Booking {
  readonly run: RunRow
  readonly outcome: 'booked' | 'waiting' | 'skipped'
}

/** Past runs of a schedule that are kept. */
const KEPT = 1000

/**
 * The catalog's book of runs. A run is booked with the id that its query will have, in the very step that moves the
 * schedule to its next run: whatever dies after that, the run is there to be dispatched, once.
 */
export class RunBook {
  readonly #catalog: Catalog
  readonly #clock: Pick<AlmanacClock, 'now'>

  constructor(catalog: Catalog, clock: Pick<AlmanacClock, 'now'>) {
    this.#catalog = catalog
    this.#clock = clock
  }

  due(): Promise<ScheduleRow[]> {
    return this.#catalog.db
      .selectFrom('schedules')
      .selectAll()
      .where('enabled', '=', 1)
      .where('next_run', '<=', this.#now)
      .orderBy('next_run')
      .execute()
  }

  /** When the next schedule is due. */
  async nextDue(): Promise<number | undefined> {
    const row = await this.#catalog.db
      .selectFrom('schedules')
      .select(eb => eb.fn.min('next_run').as('next'))
      .where('enabled', '=', 1)
      .executeTakeFirst()
    return row?.next ? Date.parse(row.next) : undefined
  }

  /** Books the run that is due; all that were missed before it are made up by this one. */
  bookDue(id: string): Promise<Booking | undefined> {
    return this.#catalog.transaction(async db => {
      const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()
      const now = this.#clock.now()
      if (!row?.enabled || row.next_run === null || Date.parse(row.next_run) > now) return undefined
      const timing = { minutes: row.minutes, cron: row.cron, timeZone: row.time_zone }
      const anchor = Date.parse(row.anchor_at)
      const following = nextRun(timing, anchor, Date.parse(row.next_run))
      const next = nextRun(timing, anchor, now)
      const cause = following !== null && following <= now ? 'missed' : 'schedule'
      await db
        .updateTable('schedules')
        .set({ next_run: next === null ? null : new Date(next).toISOString() })
        .where('id', '=', id)
        .execute()
      return this.#book(db, row, cause, row.next_run)
    })
  }

  /** Books a run by hand; undefined when there is no such schedule. */
  bookByHand(id: string): Promise<Booking | undefined> {
    return this.#catalog.transaction(async db => {
      const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()
      return row && this.#book(db, row, 'hand', this.#now)
    })
  }

  /** Runs that were booked and have not ended, as far as this book knows: oldest first. */
  open(): Promise<RunRow[]> {
    return this.#catalog.db
      .selectFrom('schedule_runs')
      .selectAll()
      .where('status', '=', 'booked')
      .orderBy('booked_at')
      .execute()
  }

  schedule(id: string): Promise<ScheduleRow | undefined> {
    return this.#catalog.db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Writes down the end of a run, counts failures, and gives the run that waited for it, if one did. */
  end(run: RunRow, { status, startedAt, error }: RunEnd): Promise<RunRow | undefined> {
    return this.#catalog.transaction(async db => {
      const ended = await db
        .updateTable('schedule_runs')
        .set({ status, started_at: startedAt, finished_at: this.#now, error })
        .where('query_id', '=', run.query_id)
        .where('status', '=', 'booked')
        .executeTakeFirst()
      if (ended.numUpdatedRows === 0n) return undefined
      await this.#count(db, run.schedule_id, status)
      await this.#prune(db, run.schedule_id)
      return this.#takeWaiting(db, run.schedule_id)
    })
  }

  runs(id: string, page: PageRequest): Promise<Page<RunRecord>> {
    const all = this.#catalog.db.selectFrom('schedule_runs').selectAll().where('schedule_id', '=', id)
    return listPage(all.orderBy('booked_at', 'desc').orderBy('query_id'), page, runRecord)
  }

  get #now(): string {
    return new Date(this.#clock.now()).toISOString()
  }

  async #book(db: Transaction<Schema>, row: ScheduleRow, cause: Cause, dueAt: string): Promise<Booking> {
    const open = await db
      .selectFrom('schedule_runs')
      .select('status')
      .where('schedule_id', '=', row.id)
      .where('status', 'in', ['booked', 'waiting'])
      .execute()
    // One at a time; and one that waits already will do for all that come meanwhile.
    const canWait = row.overlap === 'queue' && !open.some(({ status }) => status === 'waiting')
    const outcome = open.length === 0 ? 'booked' : canWait ? 'waiting' : 'skipped'
    const run = await db
      .insertInto('schedule_runs')
      .values({
        query_id: randomUUID(),
        schedule_id: row.id,
        cause,
        status: outcome,
        due_at: dueAt,
        booked_at: this.#now,
        finished_at: outcome === 'skipped' ? this.#now : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await db
      .updateTable('schedules')
      .set(eb => (outcome === 'skipped' ? { skipped: eb('skipped', '+', 1) } : { runs: eb('runs', '+', 1) }))
      .where('id', '=', row.id)
      .execute()
    return { run, outcome }
  }

  async #count(db: Transaction<Schema>, id: string, status: RunEnd['status']): Promise<void> {
    if (status === 'cancelled') return
    const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return
    const failures = status === 'failed' ? row.failures + 1 : 0
    const isOver = row.disable_after !== null && row.disable_after > 0 && failures >= row.disable_after
    await db
      .updateTable('schedules')
      .set({ failures, ...(isOver && { enabled: 0 as const, next_run: null }) })
      .where('id', '=', id)
      .execute()
  }

  /** The next in the queue, booked; whoever disabled the schedule does not want it any more. */
  async #takeWaiting(db: Transaction<Schema>, id: string): Promise<RunRow | undefined> {
    const schedule = await db
      .selectFrom('schedules')
      .select('enabled')
      .where('id', '=', id)
      .executeTakeFirst()
    const waiting = await db
      .selectFrom('schedule_runs')
      .selectAll()
      .where('schedule_id', '=', id)
      .where('status', '=', 'waiting')
      .executeTakeFirst()
    if (!waiting) return undefined
    const isWanted = schedule?.enabled === 1 || waiting.cause === 'hand'
    const status = isWanted ? ('booked' as const) : ('skipped' as const)
    await db
      .updateTable('schedule_runs')
      .set({ status, finished_at: isWanted ? null : this.#now })
      .where('query_id', '=', waiting.query_id)
      .execute()
    return isWanted ? { ...waiting, status } : undefined
  }

  async #prune(db: Transaction<Schema>, id: string): Promise<void> {
    const oldest = await db
      .selectFrom('schedule_runs')
      .select('booked_at')
      .where('schedule_id', '=', id)
      .orderBy('booked_at', 'desc')
      .offset(KEPT)
      .limit(1)
      .executeTakeFirst()
    if (!oldest) return
    await db
      .deleteFrom('schedule_runs')
      .where('schedule_id', '=', id)
      .where('booked_at', '<=', oldest.booked_at)
      .where('status', 'not in', ['booked', 'waiting'])
      .execute()
  }
}

export const runRecord = (run: RunRow): RunRecord => ({
  queryId: run.query_id,
  cause: run.cause,
  status: run.status === 'booked' ? 'running' : run.status,
  dueAt: run.due_at,
  startedAt: run.started_at,
  finishedAt: run.finished_at,
  error: run.error,
})

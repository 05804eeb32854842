import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { ScheduleRunTable, ScheduleTable } from '../../storage/catalog/schema.ts'
import type { Guard } from '../secrets/named-texts.ts'
import type { Database } from '../secrets/vault.ts'
import type { ScheduledQuery } from '../sirp/saved-records.ts'
import type { AlmanacClock } from './clock.ts'
import { checkTiming, nextRun, type Timing } from './timing.ts'

export type ScheduleRow = Selectable<ScheduleTable>
export type Schedule = Static<typeof ScheduledQuery>

/** What can be said of a scheduled query. What is left out of an update stays as it is. */
export interface GivenSchedule {
  readonly query: string
  readonly minutes?: number
  readonly cron?: string | null
  readonly timeZone?: string | null
  readonly overlap?: 'skip' | 'queue'
  readonly disableAfter?: number | null
  readonly cleanup?: boolean
  readonly summary?: boolean
  readonly ttl?: number
  readonly metadata?: Record<string, unknown> | null
}

/** The catalog's book of schedules. */
export class Schedules {
  readonly #catalog: Catalog
  readonly #clock: Pick<AlmanacClock, 'now'>
  readonly #changed: () => void

  /** `changed`: a next run may lie elsewhere now. */
  constructor(catalog: Catalog, clock: Pick<AlmanacClock, 'now'>, changed: () => void) {
    this.#catalog = catalog
    this.#clock = clock
    this.#changed = changed
  }

  async list(page: PageRequest): Promise<Page<Schedule>> {
    const all = this.#catalog.db.selectFrom('schedules').selectAll()
    const { items, total } = await listPage(all.orderBy('created_at').orderBy('id'), page, row =>
      this.#record(row),
    )
    return { items: await Promise.all(items), total }
  }

  async get(id: string): Promise<Schedule> {
    return this.#record((await find(id, this.#catalog.db)) ?? missing(id))
  }

  async create(given: GivenSchedule, id: string = randomUUID()): Promise<Schedule> {
    const now = this.#clock.now()
    const row = { ...columnsOf(given), ...timesOf(timingOf(given), now) }
    const added = await this.#catalog.db
      .insertInto('schedules')
      .values({ id, ...row, enabled: 1, created_at: iso(now), updated_at: iso(now) })
      .onConflict(conflict => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!added) throw new ForageError('name_taken', `There is a scheduled query with the id ${id} already.`)
    this.#changed()
    return this.#record(added)
  }

  /** A change of when it runs counts from now on; any other leaves the next run where it is. */
  async update(id: string, given: GivenSchedule, guard: Guard<Schedule>): Promise<Schedule> {
    return this.#change(id, guard, (present, now) => {
      const whole = { ...givenOf(present), ...given }
      const timing = timingOf(whole)
      const isSame = JSON.stringify(timing) === JSON.stringify(timingOf(givenOf(present)))
      const times = timesOf(timing, now)
      return {
        ...columnsOf(whole),
        ...(!isSame && { anchor_at: times.anchor_at, next_run: present.enabled ? times.next_run : null }),
      }
    })
  }

  /** Counted from now; enabling one that is enabled changes nothing. */
  enable(id: string): Promise<Schedule> {
    return this.#change(
      id,
      () => {},
      (present, now) =>
        present.enabled ? {} : { enabled: 1, failures: 0, ...timesOf(timingOf(givenOf(present)), now) },
    )
  }

  disable(id: string): Promise<Schedule> {
    return this.#change(
      id,
      () => {},
      () => ({ enabled: 0, next_run: null }),
    )
  }

  async delete(id: string, guard: Guard<Schedule>): Promise<void> {
    guard(await this.get(id))
    await this.#catalog.db.deleteFrom('schedules').where('id', '=', id).execute()
    this.#changed()
  }

  async #change(
    id: string,
    guard: Guard<Schedule>,
    changes: (present: ScheduleRow, now: number) => Partial<ScheduleRow>,
  ): Promise<Schedule> {
    const row = await this.#catalog.transaction(async db => {
      const present = (await find(id, db)) ?? missing(id)
      guard(await this.#record(present, db))
      const now = this.#clock.now()
      return db
        .updateTable('schedules')
        .set({ ...changes(present, now), updated_at: iso(now) })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    this.#changed()
    return this.#record(row)
  }

  async #record(row: ScheduleRow, db: Database = this.#catalog.db): Promise<Schedule> {
    const last = await db
      .selectFrom('schedule_runs')
      .selectAll()
      .where('schedule_id', '=', row.id)
      .where('status', 'not in', ['skipped', 'waiting'])
      .orderBy('booked_at', 'desc')
      .executeTakeFirst()
    return {
      id: row.id,
      ...givenOf(row),
      enabled: row.enabled === 1,
      nextRun: row.next_run,
      lastRun: last ? lastRun(last) : null,
      runs: Number(row.runs),
      failures: row.failures,
      skipped: Number(row.skipped),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }
}

const iso = (time: number): string => new Date(time).toISOString()

const find = (id: string, db: Database) =>
  db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst()

function missing(id: string): never {
  throw new ForageError('not_found', `There is no scheduled query ${id.slice(0, 200)}.`)
}

const givenOf = (row: ScheduleRow) => ({
  query: row.query,
  minutes: row.minutes,
  cron: row.cron,
  timeZone: row.time_zone,
  overlap: row.overlap,
  disableAfter: row.disable_after,
  cleanup: row.cleanup === 1,
  summary: row.summary === 1,
  ttl: row.ttl,
  metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, unknown>),
})

function timingOf({ minutes = 0, cron = null, timeZone = null }: GivenSchedule): Timing {
  const timing = { minutes, cron, timeZone }
  checkTiming(timing)
  return timing
}

function timesOf(timing: Timing, now: number): Pick<ScheduleRow, 'anchor_at' | 'next_run'> {
  const next = nextRun(timing, now, now)
  return { anchor_at: iso(now), next_run: next === null ? null : iso(next) }
}

const columnsOf = (given: GivenSchedule) => ({
  query: given.query,
  minutes: given.minutes ?? 0,
  cron: given.cron ?? null,
  time_zone: given.timeZone ?? null,
  overlap: given.overlap ?? ('skip' as const),
  disable_after: given.disableAfter ?? null,
  cleanup: given.cleanup ? (1 as const) : (0 as const),
  summary: given.summary ? (1 as const) : (0 as const),
  ttl: given.ttl ?? 0,
  metadata: given.metadata ? JSON.stringify(given.metadata) : null,
})

const lastRun = (run: Selectable<ScheduleRunTable>): NonNullable<Schedule['lastRun']> => ({
  queryId: run.query_id,
  status: run.status === 'booked' ? 'running' : (run.status as 'completed' | 'failed' | 'cancelled'),
  startedAt: run.started_at ?? run.booked_at,
  finishedAt: run.finished_at,
})

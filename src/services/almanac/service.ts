import { setTimeout as wait } from 'node:timers/promises'
import { ForageError } from '../../errors.ts'
import type { Logger } from '../../log.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Service } from '../service.ts'
import type { Processor } from '../sirp/processor.ts'
import { type AlmanacClock, systemAlmanacClock } from './clock.ts'
import { RunBook, type RunEnd, type RunRecord, type RunRow, runRecord } from './run-book.ts'
import { type ScheduleRow, Schedules } from './schedules.ts'

export interface AlmanacOptions {
  readonly catalog: Catalog
  /** Asked whenever a query is to run; throws while sirp does not. */
  readonly processor: () => Pick<Processor, 'dispatch' | 'active' | 'queries'>
  readonly log: Logger
  readonly clock?: AlmanacClock
}

/** While sirp restarts, a run that was booked waits so long before it asks again. */
const ASK_AGAIN_MS = 1000
/** When the catalog could not be written, for one because the disk is full, it is tried again so much later. */
const AFTER_MISTAKE_MS = 10_000

/** almanac: queries on a schedule. */
export class AlmanacService implements Service {
  readonly name = 'almanac'
  readonly needs = ['sirp'] as const
  readonly schedules: Schedules
  readonly #options: AlmanacOptions
  readonly #clock: AlmanacClock
  readonly #book: RunBook
  readonly #following = new Map<string, Promise<void>>()
  #stopping = new AbortController()
  #isRunning = false
  #callOff: (() => void) | undefined
  /** One look at the book at a time. */
  #looking: Promise<void> = Promise.resolve()

  constructor(options: AlmanacOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemAlmanacClock
    this.#book = new RunBook(options.catalog, this.#clock)
    this.schedules = new Schedules(options.catalog, this.#clock, () => this.#look())
  }

  /** Takes up the runs that were booked and not seen to their end, then whatever is due by now. */
  async start(): Promise<void> {
    this.#stopping = new AbortController()
    this.#isRunning = true
    for (const run of await this.#book.open()) this.#follow(run)
    this.#look()
    await this.#looking
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#callOff?.()
    this.#stopping.abort()
    await this.#looking
    await Promise.all(this.#following.values())
  }

  detail(): string {
    const running = this.#following.size
    return running === 0 ? 'no scheduled query runs' : `${running} scheduled queries run`
  }

  /** Resolves when all that was due has been booked, and what was booked has ended: for tests. */
  async idle(): Promise<void> {
    do {
      await this.#looking
      await Promise.all(this.#following.values())
    } while (this.#following.size > 0)
  }

  /** Runs it now, besides its schedule. One that runs already is not run twice. */
  async run(id: string): Promise<RunRecord> {
    const booking = await this.#book.bookByHand(id)
    if (!booking) throw new ForageError('not_found', `There is no scheduled query ${id.slice(0, 200)}.`)
    if (booking.outcome === 'skipped')
      throw new ForageError(
        'wrong_state',
        'It runs at this moment; `overlap: queue` would let this run wait.',
      )
    if (booking.outcome === 'booked') this.#follow(booking.run)
    return runRecord(booking.run)
  }

  async runs(id: string, page: { offset: number; limit: number }) {
    await this.schedules.get(id)
    return this.#book.runs(id, page)
  }

  #look(): void {
    if (!this.#isRunning) return
    this.#looking = this.#looking
      .then(() => this.#bookDue())
      .catch(error => {
        this.#mistake(error)
        this.#lookAt(this.#clock.now() + AFTER_MISTAKE_MS)
      })
  }

  #lookAt(time: number | undefined): void {
    this.#callOff?.()
    this.#callOff =
      time === undefined || !this.#isRunning ? undefined : this.#clock.at(time, () => this.#look())
  }

  async #bookDue(): Promise<void> {
    if (!this.#isRunning) return
    for (const { id } of await this.#book.due()) {
      const booking = await this.#book.bookDue(id)
      if (booking?.outcome === 'booked') this.#follow(booking.run)
    }
    this.#lookAt(await this.#book.nextDue())
  }

  #follow(run: RunRow): void {
    if (this.#following.has(run.query_id)) return
    const work = this.#carryToTheEnd(run).finally(() => this.#following.delete(run.query_id))
    this.#following.set(run.query_id, work)
  }

  /** A run that nobody follows any more would keep all later ones of its schedule from beginning. */
  async #carryToTheEnd(run: RunRow): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        return await this.#carry(run)
      } catch (error) {
        this.#mistake(error)
        await wait(AFTER_MISTAKE_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
  }

  /** From the booking to the end. What stops in between is taken up at the next start. */
  async #carry(run: RunRow): Promise<void> {
    const schedule = await this.#book.schedule(run.schedule_id)
    if (!schedule) return
    const end = await this.#untilEnd(run, schedule)
    if (!end) return
    const waiting = await this.#book.end(run, end)
    if (waiting) this.#follow(waiting)
    // It may have been disabled by its failures: then the timer is for another.
    this.#look()
  }

  async #untilEnd(run: RunRow, schedule: ScheduleRow): Promise<RunEnd | undefined> {
    while (!this.#stopping.signal.aborted) {
      try {
        const refused = await this.#dispatch(run, schedule)
        if (refused) return refused
        return await this.#outcome(run.query_id)
      } catch (error) {
        if (!(error instanceof ForageError) || error.code !== 'service_unavailable') throw error
        await wait(ASK_AGAIN_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
    return undefined
  }

  /** Gives the end of a run that cannot begin. One that is there already was dispatched before a crash. */
  async #dispatch(run: RunRow, schedule: ScheduleRow): Promise<RunEnd | undefined> {
    try {
      await this.#options.processor().dispatch({
        id: run.query_id,
        query: schedule.query,
        ttl: schedule.ttl,
        cleanup: schedule.cleanup === 1,
        summary: schedule.summary === 1,
        metadata: schedule.metadata === null ? undefined : JSON.parse(schedule.metadata),
        scheduledId: schedule.id,
      })
      return undefined
    } catch (error) {
      if (!(error instanceof ForageError) || error.code === 'service_unavailable') throw error
      if (error.code === 'name_taken') return undefined
      return { status: 'failed', startedAt: null, error: error.message }
    }
  }

  /** Undefined when Forage stops before the query has ended. */
  async #outcome(queryId: string): Promise<RunEnd | undefined> {
    await this.#options.processor().active(queryId)?.finished
    try {
      const { status, startedAt, error } = await this.#options.processor().queries.record(queryId)
      if (status === 'queued' || status === 'running') return undefined
      const ended = status === 'expired' ? (error ? 'failed' : 'completed') : status
      return { status: ended, startedAt, error: error?.message ?? null }
    } catch (error) {
      if (!(error instanceof ForageError) || error.code !== 'not_found') throw error
      return { status: 'cancelled', startedAt: null, error: 'The query was deleted.' }
    }
  }

  #mistake(error: unknown): void {
    this.#options.log.error({ err: error }, 'a schedule could not be kept')
  }
}

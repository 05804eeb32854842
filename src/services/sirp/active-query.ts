import { EventEmitter } from 'node:events'
import type { RunObserver, StageChange, Warning } from '../../engine/run-options.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Plan } from '../../language/plan.ts'
import type { CacheEntry, QueryBook, QueryRow, StageOutcome } from './query-book.ts'

/** Why a query was stopped from outside. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly reason: 'cancelled' | 'out_of_time' | 'shutdown'
  constructor(reason: Stopped['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

type Events = { change: [event: 'status' | 'stage' | 'beat', data: object] }

/** A query that is queued or running: what is known of it beyond its record, as it changes. */
export class ActiveQuery implements RunObserver {
  readonly row: QueryRow
  readonly plan: Plan
  /** Rows of another query that come before the first stage. */
  readonly input: StageFile | undefined
  readonly stages: StageOutcome[]
  readonly events = new EventEmitter<Events>()
  readonly #book: QueryBook
  readonly #controller = new AbortController()
  readonly #finished = Promise.withResolvers<void>()
  /** Files of the cellar that it reads. */
  readonly #borrowed = new Set<string>()
  readonly #unsaved: Set<number>
  /** Those of them that are to be saved before the query ends. */
  readonly #due = new Set<number>()
  #saver: NodeJS.Immediate | undefined
  #cached: CacheEntry[] = []
  #saving: Promise<void> = Promise.resolve()

  /** `stages`: what an earlier process has done of it, if one has. */
  constructor(
    row: QueryRow,
    plan: Plan,
    book: QueryBook,
    { stages, input }: { readonly stages: readonly StageOutcome[]; readonly input: StageFile | undefined },
  ) {
    this.row = row
    this.plan = plan
    this.input = input
    this.stages = [...stages]
    this.#book = book
    // A stage without a table of its own was not saved before the process ended.
    this.#unsaved = new Set(
      stages.flatMap(({ status, table }, index) => (status === 'completed' && !table ? [index] : [])),
    )
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get finished(): Promise<void> {
    return this.#finished.promise
  }

  stop(reason: Stopped): void {
    this.#controller.abort(reason)
  }

  /** The tables of its stages, of those that have one. */
  get tables(): ReadonlyMap<number, StageFile> {
    return new Map(this.stages.flatMap(({ table }, index) => (table ? [[index, table]] : [])))
  }

  /** Files that must stay as long as it runs; the catalog may not know of them yet. */
  get filesInUse(): string[] {
    const tables = [this.input, ...this.stages.map(({ table }) => table)]
    return [...tables.flatMap(table => table?.file ?? []), ...this.#borrowed]
  }

  /** Journals of stages that an earlier process began with and did not finish. */
  get journals(): ReadonlyMap<number, string> {
    return new Map(
      this.stages.flatMap(({ table, journal }, index) => (journal && !table ? [[index, journal]] : [])),
    )
  }

  get warnings(): readonly string[] {
    return this.stages.flatMap(stage => stage.warnings)
  }

  get failedRows(): number {
    return this.stages.reduce((sum, stage) => sum + (stage.jobs?.failed ?? 0), 0)
  }

  /** How many of its stages are done, from 0 to 1. */
  get progress(): number {
    const done = this.stages.map(({ status, jobs }) =>
      status === 'completed' ? 1 : jobs && jobs.total > 0 ? Math.min(1, jobs.done / jobs.total) : 0,
    )
    return done.reduce((sum, part) => sum + part, 0) / Math.max(1, done.length)
  }

  stage(index: number, change: StageChange): void {
    const before = this.stages[index]!
    const now = new Date()
    this.stages[index] = {
      ...before,
      status: change.status ?? before.status,
      table: change.table ?? before.table,
      fromCache: change.fromCache ?? before.fromCache,
      jobs: change.jobs ?? before.jobs,
      journal: change.records ?? before.journal,
      startedAt: before.startedAt ?? now,
      finishedAt: (change.status ?? before.status) === 'running' ? undefined : now,
    }
    this.#unsaved.add(index)
    // The last stage is saved together with the end of the query: one write less for every small query.
    if (change.table && index < this.stages.length - 1) this.#saveSoon(index)
    this.events.emit('change', 'stage', {
      index,
      status: this.stages[index]!.status,
      rows: change.table?.rows ?? null,
    })
  }

  /** Saved while the stage runs: after a crash nobody would say it again. */
  warn({ stage: index, message }: Warning): void {
    const stage = this.stages[index]!
    if (stage.warnings.includes(message)) return
    this.stages[index] = { ...stage, warnings: [...stage.warnings, message] }
    this.#unsaved.add(index)
    if (stage.journal) this.#saveSoon(index)
  }

  /** Resolves when the catalog knows of the file: a crash after that finds the jobs that were done. */
  async journal(index: number, file: string): Promise<void> {
    this.stages[index] = { ...this.stages[index]!, journal: file }
    this.#saveSoon(index)
    await this.#saveDue()
  }

  borrow(file: string): void {
    this.#borrowed.add(file)
  }

  keepInCache(entry: CacheEntry): void {
    this.#cached.push(entry)
  }

  /** A stage ends and the next one begins in one turn: they are saved in one step. */
  #saveSoon(index: number): void {
    this.#unsaved.add(index)
    this.#due.add(index)
    this.#saver ??= setImmediate(() => this.#saveDue())
  }

  #saveDue(): Promise<void> {
    clearImmediate(this.#saver)
    this.#saver = undefined
    if (this.#due.size === 0) return this.#saving
    const outcomes = this.#takeStages(this.#due)
    this.#saving = this.#saving.then(() => this.#book.saveStages(this.row.id, outcomes, this.#takeCached()))
    this.#saving.catch(() => {})
    return this.#saving
  }

  #takeStages(indices: ReadonlySet<number>): ReadonlyMap<number, StageOutcome> {
    const stages = new Map([...indices].map(index => [index, this.stages[index]!]))
    for (const index of stages.keys()) {
      this.#unsaved.delete(index)
      this.#due.delete(index)
    }
    return stages
  }

  /** Resolves when everything that has to be saved while it runs is. */
  get saved(): Promise<void> {
    return this.#saveDue()
  }

  /** What the end of the query has still to save, once everything before it is. */
  async takeUnsaved(): Promise<{ stages: ReadonlyMap<number, StageOutcome>; cached: readonly CacheEntry[] }> {
    clearImmediate(this.#saver)
    this.#saver = undefined
    await this.#saving
    return { stages: this.#takeStages(this.#unsaved), cached: this.#takeCached() }
  }

  settle(): void {
    this.#finished.resolve()
  }

  #takeCached(): CacheEntry[] {
    const cached = this.#cached
    this.#cached = []
    return cached
  }
}

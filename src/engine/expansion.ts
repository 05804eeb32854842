import { randomUUID } from 'node:crypto'
import { CommandFailure } from '../commands/failure.ts'
import type { Row } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import type { Job, JobOutcome, JobOwner, JobQueue } from './jobs.ts'
import type { FrequentError } from './tables/job-tally.ts'
import { Journal, type Job as JournalJob } from './tables/journal.ts'
import { writeRecords } from './tables/records.ts'
import { readRow, textsOf } from './tables/rows-in-order.ts'
import type { Spool } from './tables/spool.ts'
import { type StageFile, writeJournal } from './tables/stage-file.ts'
import type { Tables } from './tables/tables.ts'

export interface JobCounts {
  readonly total: number
  readonly done: number
  readonly failed: number
}

export interface ExpandOptions {
  readonly queryId: string
  /** What the ids of its jobs begin with. */
  readonly stageId: string
  readonly stage: Stage
  /** Undefined when it is the first stage: it then runs once, for an empty row. */
  readonly input: StageFile | undefined
  readonly tables: Tables
  readonly queue: JobQueue
  /** Where the outcomes are written as they come; taken up where it ends if it is there already. */
  readonly journalFile: string
  /** Sees to it that somebody would take the journal up after a crash. No job is begun before. */
  readonly bookJournal: () => Promise<void>
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly onProgress: (counts: JobCounts) => void
}

export interface Expanded {
  readonly table: StageFile
  readonly counts: JobCounts
  /** What became of each job: the journal itself, rows and all, or a file of the records alone where it is long. */
  readonly records: string
}

/** Jobs that are queued beside those that may run. More would live so long that the collector takes them for lasting. */
const AHEAD = 64

/** Jobs that wait for a domain hold no place, so those of other domains can pass them; but only so many are remembered. */
const MOST_WAITING = 1000

/**
 * Outcomes that a crash may lose for each job that runs: their requests would be made again. They are those of the last
 * hundredth of a second, unless the disk is slower than that.
 */
const UNWRITTEN_PER_PLACE = 8

/** A journal up to here stays as it is for the records in it: to write them out by themselves takes longer than the table. */
const MOST_KEPT_BYTES = 8_000_000

const PROGRESS_EVERY_MS = 100

/** Turns each input row into a job; the rows of all of them, in input order, become the stage's table. */
export class Expansion implements JobOwner {
  readonly #options: ExpandOptions
  /** Jobs that are queued or run, and those that wait for a domain. */
  #open = 0
  #waiting = 0
  #onLeave: (() => void) | undefined
  readonly #stopped = new AbortController()
  #journal!: Journal
  #telling: NodeJS.Timeout | undefined

  constructor(options: ExpandOptions) {
    this.#options = options
  }

  async run(): Promise<Expanded> {
    const { tables, journalFile, bookJournal } = this.#options
    await using input = this.#inputTexts()
    // The first rows are read meanwhile; whoever asks for them is told if that fails.
    const first = input.next()
    first.catch(() => {})
    await bookJournal()
    const journal = await Journal.recover(journalFile, { maxColumns: tables.maxColumns })
    this.#journal = journal
    this.#options.onProgress(this.#counts())
    try {
      await this.#runJobs(first, input)
      await this.#failIfAllFailed()
      return await this.#tables()
    } finally {
      clearTimeout(this.#telling)
      this.#options.onProgress(this.#counts())
      await journal.close()
    }
  }

  async #tables(): Promise<Expanded> {
    const { tables, signal } = this.#options
    const { database } = tables
    const journal = this.#journal
    await journal.room(1)
    const [table, records] = await Promise.all([
      writeJournal(database, journal.summary, tables.newFile(), { signal }),
      journal.bytes > MOST_KEPT_BYTES
        ? writeRecords(database, journal.file, tables.newName(), { signal })
        : journal.file,
    ])
    if (records !== journal.file) journal.retire()
    return { table, records, counts: this.#counts() }
  }

  room(): Promise<void> | undefined {
    const most = UNWRITTEN_PER_PLACE * this.#options.concurrency
    return this.#journal.hasRoom(most) ? undefined : this.#journal.room(most)
  }

  /** Where a job puts its rows when they come one after another. */
  spool(input: number): Spool {
    return this.#journal.spool(input, `${this.#options.tables.database.scratch}/${randomUUID()}.ndjson`)
  }

  async #runJobs(first: Promise<IteratorResult<string[]>>, input: AsyncIterator<string[]>): Promise<void> {
    const { signal } = this.#stopped
    const { signal: outer } = this.#options
    const stop = () => this.#stopped.abort(outer.reason)
    if (outer.aborted) stop()
    outer.addEventListener('abort', stop, { once: true })
    try {
      let index = 0
      for (let next = await first; !next.done && !signal.aborted; next = await input.next()) {
        await this.#queueAll(next.value, index)
        index += next.value.length
      }
    } catch (error) {
      this.#stopped.abort(error)
    }
    while (this.#open + this.#waiting > 0) await this.#nextLeaves()
    outer.removeEventListener('abort', stop)
    signal.throwIfAborted()
  }

  async #queueAll(texts: readonly string[], firstIndex: number): Promise<void> {
    const { signal } = this.#stopped
    let index = firstIndex
    for (const text of texts) {
      const input = index++
      if (this.#journal.done.has(input)) continue
      while (this.#open >= this.#options.concurrency + AHEAD) await this.#nextLeaves()
      if (signal.aborted) return
      this.#open++
      this.#runJob(input, readRow(text), signal)
    }
  }

  async *#inputTexts(): AsyncGenerator<string[], void, void> {
    const { input, tables, signal } = this.#options
    if (input) yield* textsOf(tables.database, input, signal)
    else yield ['{}']
  }

  /** For a job that waits for a domain: meanwhile another one may be queued in its place. */
  async pause<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MOST_WAITING) return wait()
    this.#waiting++
    this.#leave()
    try {
      return await wait()
    } finally {
      this.#waiting--
      this.#open++
    }
  }

  #nextLeaves(): Promise<void> {
    return new Promise(resolve => {
      this.#onLeave = resolve
    })
  }

  #leave(): void {
    this.#open--
    this.#onLeave?.()
  }

  #runJob(input: number, row: Row, signal: AbortSignal): void {
    // A row that failed before goes through untouched, and is no job.
    if (row._error) this.#end({ input, rows: [row] })
    else this.#options.queue.run(this.#job(input, row), signal, this)
  }

  ended({ index }: Job, { rows, record }: JobOutcome): void {
    this.#end({ input: index, rows, record })
  }

  failed(_job: Job, reason: unknown): void {
    this.#stopped.abort(reason)
    this.#leave()
  }

  #end(job: JournalJob): void {
    try {
      this.#journal.add(job)
      this.#tellProgress()
    } catch (error) {
      this.#stopped.abort(error)
    }
    this.#leave()
  }

  #job(index: number, row: Row): Job {
    const { queryId, stageId, stage, concurrency } = this.#options
    return {
      id: `${stageId}.${index}`,
      queryId,
      stageId,
      stage: stage.index,
      index,
      command: stage.declaration.name,
      input: row,
      concurrency,
    }
  }

  /** Now and then: nobody reads a thousand figures a second, and each is an event. The last one is told too. */
  #tellProgress(): void {
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined
      this.#options.onProgress(this.#counts())
    }, PROGRESS_EVERY_MS)
  }

  /** Rows that passed through are no jobs: their failure was counted where it happened. */
  #counts(): JobCounts {
    const { jobs, tally } = this.#journal
    return {
      total: (this.#options.input?.rows ?? 1) - tally.passed,
      done: jobs - tally.passed,
      failed: tally.failed,
    }
  }

  async #failIfAllFailed(): Promise<void> {
    const { done, failed } = this.#counts()
    if (done === 0 || failed < done) return
    const error = this.#journal.tally.mostFrequentError
    const example = error && (await this.#inputRow(error.example))
    throw new CommandFailure(error?.code ?? 'all_failed', allFailed(failed, error), {
      ...(example && { sample: [example] }),
    })
  }

  async #inputRow(wanted: number): Promise<Row | undefined> {
    if (!this.#options.input) return undefined
    let before = 0
    for await (const texts of this.#inputTexts()) {
      if (wanted < before + texts.length) return readRow(texts[wanted - before]!)
      before += texts.length
    }
    return undefined
  }
}

function allFailed(failed: number, error: FrequentError | undefined): string {
  if (failed === 1) return error?.message ?? 'The only job of this stage failed.'
  if (!error) return `All ${failed} jobs of this stage failed.`
  const often = error.count === failed ? 'all of them so' : `${error.count} of them so`
  return `All ${failed} jobs of this stage failed, ${often}: ${error.message}`
}

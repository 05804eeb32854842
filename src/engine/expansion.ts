import { CommandFailure } from '../commands/failure.ts'
import type { Row } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import type { Relation } from '../sql/relation.ts'
import type { JobQueue } from './jobs.ts'
import type { FrequentError } from './tables/job-tally.ts'
import { Journal } from './tables/journal.ts'
import { rowsInOrder } from './tables/rows-in-order.ts'
import { Semaphore } from './tables/semaphore.ts'
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
  readonly input: Relation | undefined
  readonly inputRows: number
  readonly tables: Tables
  readonly queue: JobQueue
  /** Where the outcomes are written as they come; taken up where it ends if it is there already. */
  readonly journalFile: string
  readonly concurrency: number
  readonly signal: AbortSignal
  readonly onProgress: (counts: JobCounts) => void
}

/** Jobs that wait for a domain hold no place, so those of other domains can pass them; but only so many are remembered. */
const MOST_WAITING = 1000

const PROGRESS_EVERY_MS = 100

/** Turns each input row into a job; the rows of all of them, in input order, become the stage's table. */
export class Expansion {
  readonly #options: ExpandOptions
  readonly #remembered: Semaphore
  readonly #stopped = new AbortController()
  #journal!: Journal
  #telling: NodeJS.Timeout | undefined

  constructor(options: ExpandOptions) {
    this.#options = options
    this.#remembered = new Semaphore(options.concurrency + MOST_WAITING)
  }

  async run(file: string): Promise<{ readonly table: StageFile; readonly counts: JobCounts }> {
    const { tables, journalFile, signal } = this.#options
    this.#journal = await Journal.recover(journalFile, { maxColumns: tables.maxColumns })
    this.#options.onProgress(this.#counts())
    try {
      await this.#runJobs()
      await this.#failIfAllFailed()
      await this.#journal.sync()
      const table = await writeJournal(tables.database, this.#journal.summary, file, { signal })
      return { table, counts: this.#counts() }
    } finally {
      clearTimeout(this.#telling)
      this.#options.onProgress(this.#counts())
      await this.#journal.close()
    }
  }

  /** As many outcomes may wait to be written as there are jobs at once: on a slow disk the jobs wait for it. */
  room(): Promise<void> {
    return this.#journal.room(this.#options.concurrency)
  }

  async #runJobs(): Promise<void> {
    const { signal } = this.#stopped
    const { signal: outer } = this.#options
    const stop = () => this.#stopped.abort(outer.reason)
    if (outer.aborted) stop()
    outer.addEventListener('abort', stop, { once: true })
    const pending = new Set<Promise<void>>()
    for await (const { index, row } of this.#inputRows()) {
      if (signal.aborted) break
      if (this.#journal.done.has(index)) continue
      const forget = await this.#remembered.acquire()
      const job = this.#runJob(index, row, signal)
        .catch(error => this.#stopped.abort(error))
        .finally(() => {
          pending.delete(job)
          forget()
        })
      pending.add(job)
    }
    await Promise.all(pending)
    outer.removeEventListener('abort', stop)
    signal.throwIfAborted()
  }

  async *#inputRows(): AsyncGenerator<{ readonly index: number; readonly row: Row }> {
    const { input, tables, signal } = this.#options
    if (!input) return yield { index: 0, row: {} }
    let index = 0
    for await (const rows of rowsInOrder(tables.database, input, signal)) {
      for (const row of rows) yield { index: index++, row }
    }
  }

  async #runJob(index: number, row: Row, signal: AbortSignal): Promise<void> {
    const { queryId, stageId, stage, queue, concurrency } = this.#options
    const job = {
      id: `${stageId}.${index}`,
      queryId,
      stage: stage.index,
      index,
      command: stage.declaration.name,
      input: row,
      concurrency,
    }
    // A row that failed before goes through untouched, and is no job.
    const outcome = row._error ? { rows: [row] } : await queue.run(job, signal)
    await this.#journal.append({ input: index, ...outcome })
    this.#tellProgress()
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
      total: this.#options.inputRows - tally.passed,
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
    for await (const { index, row } of this.#inputRows()) if (index === wanted) return row
    return undefined
  }
}

function allFailed(failed: number, error: FrequentError | undefined): string {
  if (failed === 1) return error?.message ?? 'The only job of this stage failed.'
  if (!error) return `All ${failed} jobs of this stage failed.`
  const often = error.count === failed ? 'all of them so' : `${error.count} of them so`
  return `All ${failed} jobs of this stage failed, ${often}: ${error.message}`
}

import type { Logger } from '../../log.ts'
import { type ActiveQuery, Stopped } from './active-query.ts'
import type { QueryEndings } from './query-endings.ts'
import type { QueryRunner } from './query-runner.ts'

export interface QueueOptions {
  readonly runner: Pick<QueryRunner, 'run'>
  readonly endings: Pick<QueryEndings, 'fail'>
  /** Queries at once; the others wait in the order they came. */
  readonly places: number
  /** Computes the summary of a query that is complete. */
  readonly summarize: (id: string) => Promise<void>
  readonly log: Logger
}

/** The queries that run, so many at once, and those that wait for a place. */
export class QueryQueue {
  readonly #options: QueueOptions
  readonly #running = new Map<string, ActiveQuery>()
  readonly #waiting: ActiveQuery[] = []
  /** Places of queries that are being booked. */
  #promised = 0
  #stopping = false

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get #hasFreePlace(): boolean {
    return !this.#stopping && this.#running.size + this.#promised < this.#options.places
  }

  get counts(): { readonly running: number; readonly queued: number } {
    return { running: this.#running.size, queued: this.#waiting.length }
  }

  active(id: string): ActiveQuery | undefined {
    return this.#running.get(id) ?? this.#waiting.find(query => query.row.id === id)
  }

  all(): ActiveQuery[] {
    return [...this.#running.values(), ...this.#waiting]
  }

  /** Takes a query in. A free place is its own before it is booked as running, so that no two are booked for one. */
  async admit(book: (startNow: boolean) => Promise<ActiveQuery>): Promise<ActiveQuery> {
    const startNow = this.#hasFreePlace
    if (startNow) this.#promised++
    try {
      const query = await book(startNow)
      if (this.#stopping)
        await this.#options.endings.fail(query, new Stopped('shutdown', 'Forage is stopping.'))
      if (this.#stopping) query.settle()
      else if (startNow) this.#waiting.unshift(query)
      else this.#waiting.push(query)
      return query
    } finally {
      if (startNow) this.#promised--
      this.#next()
    }
  }

  enqueue(query: ActiveQuery): void {
    this.#waiting.push(query)
    this.#next()
  }

  /** Ends a query that nobody has begun with yet. One that runs ends by its signal. */
  async cancelQueued(query: ActiveQuery): Promise<void> {
    const place = this.#waiting.indexOf(query)
    if (place < 0) return
    this.#waiting.splice(place, 1)
    await this.#options.endings.fail(query, query.signal.reason)
    query.settle()
  }

  /** Running queries are stopped where they are and taken up at the next start; queued ones simply stay queued. */
  async stop(): Promise<void> {
    this.#stopping = true
    const running = [...this.#running.values()]
    for (const query of running) query.stop(new Stopped('shutdown', 'Forage is stopping.'))
    await Promise.all(running.map(query => query.finished))
    for (const query of this.#waiting.splice(0)) query.settle()
  }

  #next(): void {
    while (this.#hasFreePlace) {
      const query = this.#waiting.shift()
      if (!query) return
      this.#running.set(query.row.id, query)
      void this.#options.runner.run(query).finally(() => {
        this.#running.delete(query.row.id)
        query.settle()
        if (query.row.summary_wanted && query.row.status === 'completed') this.#summarize(query.row.id)
        this.#next()
      })
    }
  }

  #summarize(id: string): void {
    this.#options
      .summarize(id)
      .catch(error => this.#options.log.error({ err: error, query: id }, 'a summary failed'))
  }
}

import type { Job, JobOwner, JobView } from '../../engine/jobs.ts'

/** A job that somebody waits for. */
export interface Entry {
  readonly job: Job
  readonly signal: AbortSignal
  readonly owner: JobOwner
  /** How many came before it. */
  readonly number: number
  /** Where it is kept. */
  place: number
  status: JobView['status']
  domain: string | null
  since: number
}

/** The jobs of one stage of one query. */
export class Group {
  readonly key: string
  readonly concurrency: number
  running = 0
  /** Queued, running or paused. */
  jobs = 0
  #queued: (Entry | undefined)[] = []
  #head = 0
  readonly #watched = new Map<AbortSignal, () => void>()

  constructor(key: string, concurrency: number) {
    this.key = key
    this.concurrency = concurrency
  }

  get queued(): number {
    return this.#queued.length - this.#head
  }

  get isFull(): boolean {
    return this.running >= this.concurrency
  }

  push(entry: Entry): void {
    this.jobs++
    this.#queued.push(entry)
  }

  shift(): Entry {
    const entry = this.#queued[this.#head]!
    // What is done is not kept alive: a thousand of them, each with its outcome, would be taken for lasting.
    this.#queued[this.#head++] = undefined
    // Cut now and then: at every step it would cost as much as the list is long.
    if (this.#head > 1024) {
      this.#queued.splice(0, this.#head)
      this.#head = 0
    }
    return entry
  }

  /** Takes out those that were given up while they were queued. */
  takeAborted(): Entry[] {
    const queued = this.#queued.slice(this.#head) as Entry[]
    this.#queued = queued.filter(({ signal }) => !signal.aborted)
    this.#head = 0
    return queued.filter(({ signal }) => signal.aborted)
  }

  /** The jobs of a stage share a signal: it is listened to once, not once for each of them. */
  watch(signal: AbortSignal, onAbort: () => void): void {
    if (this.#watched.has(signal)) return
    this.#watched.set(signal, onAbort)
    signal.addEventListener('abort', onAbort, { once: true })
  }

  unwatch(): void {
    for (const [signal, onAbort] of this.#watched) signal.removeEventListener('abort', onAbort)
    this.#watched.clear()
  }
}

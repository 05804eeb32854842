import type { Execute, Job, JobOutcome, JobQueue, JobView, Turn } from '../../engine/jobs.ts'

interface Entry {
  readonly job: Job
  readonly signal: AbortSignal
  readonly resolve: (outcome: JobOutcome) => void
  readonly reject: (reason: unknown) => void
  status: JobView['status']
  domain: string | null
  since: number
}

/** The jobs of one stage of one query. */
class Group {
  readonly concurrency: number
  running = 0
  /** Queued, running or paused. */
  jobs = 0
  readonly #queued: Entry[] = []
  #head = 0

  constructor(concurrency: number) {
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
    const entry = this.#queued[this.#head++]!
    // Cut now and then: at every step it would cost as much as the list is long.
    if (this.#head > 1024) {
      this.#queued.splice(0, this.#head)
      this.#head = 0
    }
    return entry
  }
}

interface Worker {
  readonly execute: Execute
  readonly places: number
  running: number
  /** Running or paused. */
  jobs: number
  /** Jobs that have had their turn at a domain and want their place back: they come before new ones. */
  readonly returning: { readonly group: Group; readonly resume: () => void }[]
  idle: (() => void) | undefined
}

/** The queue of a single process. */
export class MemoryJobQueue implements JobQueue {
  readonly #entries = new Set<Entry>()
  readonly #groups = new Map<string, Group>()
  readonly #workers = new Set<Worker>()
  #waiting = 0

  run(job: Job, signal: AbortSignal): Promise<JobOutcome> {
    return new Promise((resolve, reject) => {
      const entry: Entry = { job, signal, resolve, reject, status: 'queued', domain: null, since: Date.now() }
      this.#entries.add(entry)
      this.#group(job).push(entry)
      this.#handOut()
    })
  }

  serve(execute: Execute, places: number): AsyncDisposable {
    const worker: Worker = { execute, places, running: 0, jobs: 0, returning: [], idle: undefined }
    this.#workers.add(worker)
    this.#handOut()
    return {
      [Symbol.asyncDispose]: () =>
        new Promise(resolve => {
          this.#workers.delete(worker)
          worker.idle = resolve
          if (worker.jobs === 0) resolve()
          this.#resumeReturning(worker)
        }),
    }
  }

  get counts(): { queued: number; running: number; waiting: number } {
    let queued = 0
    for (const group of this.#groups.values()) queued += group.queued
    return { queued, waiting: this.#waiting, running: this.#entries.size - queued - this.#waiting }
  }

  list({ offset, limit }: { offset: number; limit: number }): { items: JobView[]; total: number } {
    const page = [...this.#entries].slice(offset, offset + limit)
    return { items: page.map(view), total: this.#entries.size }
  }

  #group(job: Job): Group {
    const key = `${job.queryId}:${job.stage}`
    let group = this.#groups.get(key)
    if (!group) {
      group = new Group(job.concurrency)
      this.#groups.set(key, group)
    }
    return group
  }

  #handOut(): void {
    for (const worker of this.#workers) while (worker.running < worker.places && this.#handOne(worker));
  }

  /** Gives the worker a job of the group whose turn it is; that group then goes to the end of the row. */
  #handOne(worker: Worker): boolean {
    if (this.#resumeReturning(worker)) return true
    for (const [key, group] of this.#groups) {
      if (group.isFull || group.queued === 0) continue
      this.#groups.delete(key)
      this.#groups.set(key, group)
      enterPlace(worker, group)
      void this.#work(worker, key, group, group.shift())
      return true
    }
    return false
  }

  #resumeReturning(worker: Worker): boolean {
    const at = worker.returning.findIndex(({ group }) => !group.isFull)
    const [returning] = at < 0 ? [] : worker.returning.splice(at, 1)
    if (!returning) return false
    enterPlace(worker, returning.group)
    returning.resume()
    return true
  }

  async #work(worker: Worker, key: string, group: Group, entry: Entry): Promise<void> {
    worker.jobs++
    enter(entry, 'running', null)
    try {
      entry.signal.throwIfAborted()
      entry.resolve(await worker.execute(entry.job, this.#turn(worker, group, entry), entry.signal))
    } catch (error) {
      entry.reject(error)
    } finally {
      this.#entries.delete(entry)
      worker.jobs--
      if (--group.jobs === 0) this.#groups.delete(key)
      this.#leave(worker, group)
      if (worker.jobs === 0) worker.idle?.()
    }
  }

  #turn(worker: Worker, group: Group, entry: Entry): Turn {
    return {
      pause: async (domain, wait) => {
        enter(entry, 'waiting', domain)
        this.#waiting++
        this.#leave(worker, group)
        try {
          return await wait()
        } finally {
          this.#waiting--
          await this.#comeBack(worker, group)
          enter(entry, 'running', null)
        }
      },
    }
  }

  #comeBack(worker: Worker, group: Group): Promise<void> {
    return new Promise(resume => {
      worker.returning.push({ group, resume })
      // A worker that takes no new jobs still finishes those it has begun.
      if (this.#workers.has(worker)) this.#handOut()
      else this.#resumeReturning(worker)
    })
  }

  #leave(worker: Worker, group: Group): void {
    group.running--
    worker.running--
    this.#handOut()
    if (!this.#workers.has(worker)) this.#resumeReturning(worker)
  }
}

function enterPlace(worker: Worker, group: Group): void {
  worker.running++
  group.running++
}

function enter(entry: Entry, status: Entry['status'], domain: string | null): void {
  entry.status = status
  entry.domain = domain
  entry.since = Date.now()
}

const view = ({ job, status, domain, since }: Entry): JobView => ({
  id: job.id,
  queryId: job.queryId,
  stage: job.stage,
  row: job.index,
  command: job.command,
  status,
  domain,
  since: new Date(since).toISOString(),
})

import type { Execute, Job, JobOwner, JobQueue, JobView, Turn } from '../../engine/jobs.ts'
import { onceATurn } from '../../once-a-turn.ts'
import { Slots } from '../../slots.ts'
import { type Entry, Group } from './group.ts'

interface Worker {
  readonly execute: Execute
  readonly places: number
  running: number
  idle: (() => void) | undefined
}

/** A job that was handed out. It has no worker's place while it waits for a domain. */
class Begun implements Turn {
  readonly entry: Entry
  readonly group: Group
  readonly #pause: Pause
  worker: Worker | undefined

  constructor(entry: Entry, group: Group, pause: Pause) {
    this.entry = entry
    this.group = group
    this.#pause = pause
  }

  pause<T>(domain: string, wait: () => Promise<T>): Promise<T> {
    return this.#pause(this, domain, wait)
  }
}

type Pause = <T>(begun: Begun, domain: string, wait: () => Promise<T>) => Promise<T>

interface Returning {
  readonly begun: Begun
  readonly resume: () => void
}

/** The queue of a single process. */
export class MemoryJobQueue implements JobQueue {
  readonly #entries = new Slots<Entry>()
  #came = 0
  readonly #groups = new Map<string, Group>()
  readonly #workers = new Set<Worker>()
  /** Jobs that have had their turn at a domain and want a place again: they come before new ones. */
  #returning: Returning[] = []
  #waiting = 0
  readonly #handOutSoon = onceATurn(() => this.#handOut())

  run(job: Job, signal: AbortSignal, owner: JobOwner): void {
    if (signal.aborted) {
      owner.failed(job, signal.reason)
      return
    }
    const number = this.#came++
    const since = Date.now()
    const entry: Entry = { job, signal, owner, number, place: 0, status: 'queued', domain: null, since }
    const group = this.#group(job)
    group.watch(signal, () => this.#dropAborted(group))
    entry.place = this.#entries.add(entry)
    group.push(entry)
    this.#handOut()
  }

  serve(execute: Execute, places: number): AsyncDisposable {
    const worker: Worker = { execute, places, running: 0, idle: undefined }
    this.#workers.add(worker)
    this.#handOut()
    return {
      [Symbol.asyncDispose]: () =>
        new Promise(resolve => {
          this.#workers.delete(worker)
          worker.idle = resolve
          if (worker.running === 0) resolve()
        }),
    }
  }

  get counts(): { queued: number; running: number; waiting: number } {
    let queued = 0
    for (const group of this.#groups.values()) queued += group.queued
    return { queued, waiting: this.#waiting, running: this.#entries.size - queued - this.#waiting }
  }

  list({ offset, limit }: { offset: number; limit: number }): { items: JobView[]; total: number } {
    const oldestFirst = this.#entries.all().sort((a, b) => a.number - b.number)
    const page = oldestFirst.slice(offset, offset + limit)
    return { items: page.map(view), total: this.#entries.size }
  }

  #group(job: Job): Group {
    let group = this.#groups.get(job.stageId)
    if (!group) {
      group = new Group(job.stageId, job.concurrency)
      this.#groups.set(job.stageId, group)
    }
    return group
  }

  #handOut(): void {
    for (const worker of this.#workers) while (worker.running < worker.places && this.#handOne(worker));
  }

  /** Gives the worker a job of the group whose turn it is; that group then goes to the end of the row. */
  #handOne(worker: Worker): boolean {
    if (this.#resumeOne(worker)) return true
    for (const group of this.#groups.values()) {
      if (group.isFull || group.queued === 0) continue
      this.#putLast(group)
      const begun = new Begun(group.shift(), group, this.#pause)
      takePlace(worker, begun)
      this.#work(worker.execute, begun)
      return true
    }
    return false
  }

  #putLast(group: Group): void {
    if (this.#groups.size === 1) return
    this.#groups.delete(group.key)
    this.#groups.set(group.key, group)
  }

  #resumeOne(worker: Worker): boolean {
    if (this.#returning.length === 0) return false
    const at = this.#returning.findIndex(({ begun }) => !begun.group.isFull)
    const [returning] = at < 0 ? [] : this.#returning.splice(at, 1)
    if (!returning) return false
    takePlace(worker, returning.begun)
    returning.resume()
    return true
  }

  #work(execute: Execute, begun: Begun): void {
    const { entry } = begun
    enter(entry, 'running', null)
    const doing = entry.signal.aborted
      ? Promise.reject(entry.signal.reason)
      : execute(entry.job, begun, entry.signal)
    doing.then(
      outcome => {
        entry.owner.ended(entry.job, outcome)
        this.#end(begun)
      },
      error => {
        entry.owner.failed(entry.job, error)
        this.#end(begun)
      },
    )
  }

  #end(begun: Begun): void {
    this.#forget(begun.entry, begun.group)
    this.#leavePlace(begun)
  }

  readonly #pause: Pause = async (begun, domain, wait) => {
    const { entry } = begun
    enter(entry, 'waiting', domain)
    this.#waiting++
    this.#leavePlace(begun)
    try {
      return await wait()
    } finally {
      // Whoever was given up has nothing to do any more that would need a place.
      if (!entry.signal.aborted) await this.#comeBack(begun)
      this.#waiting--
      enter(entry, 'running', null)
    }
  }

  #comeBack(begun: Begun): Promise<void> {
    return new Promise(resume => {
      this.#returning.push({ begun, resume })
      this.#handOut()
    })
  }

  #leavePlace(begun: Begun): void {
    const { worker, group } = begun
    if (!worker) return
    begun.worker = undefined
    group.running--
    worker.running--
    if (worker.running === 0) worker.idle?.()
    this.#handOutSoon()
  }

  /** A job that nobody wants any more must not wait until there is a place for it. */
  #dropAborted(group: Group): void {
    for (const entry of group.takeAborted()) {
      entry.owner.failed(entry.job, entry.signal.reason)
      this.#forget(entry, group)
    }
    const isGivenUp = ({ begun }: Returning) => begun.entry.signal.aborted
    const givenUp = this.#returning.filter(isGivenUp)
    this.#returning = this.#returning.filter(returning => !isGivenUp(returning))
    for (const { resume } of givenUp) resume()
  }

  #forget(entry: Entry, group: Group): void {
    this.#entries.remove(entry.place)
    if (--group.jobs > 0) return
    this.#groups.delete(group.key)
    group.unwatch()
  }
}

function takePlace(worker: Worker, begun: Begun): void {
  worker.running++
  begun.group.running++
  begun.worker = worker
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

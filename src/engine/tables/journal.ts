import { type FileHandle, open } from 'node:fs/promises'
import type { Row } from '../../language/json.ts'
import { appendTo } from './append.ts'
import { encodeRow } from './encode.ts'
import type { JobRecord } from './job-record.ts'
import type { JobTally } from './job-tally.ts'
import { COMMON_LINE_BYTES, Lines } from './lines.ts'
import type { NumberSet } from './number-set.ts'
import { nothingRecovered, type Recovered, recoverJournal } from './recovery.ts'
import { Spool } from './spool.ts'
import { Tracker, type TrackerState } from './tracker.ts'
import { WriteGroup } from './write-group.ts'

export interface Job {
  /** The number of the input row that it worked on, from 0. Its rows come out at that place. */
  readonly input: number
  /** All of them, or the spool that they were written to as they came. */
  readonly rows: Iterable<Row> | Spool
  readonly record?: JobRecord
}

/** What has to be known of a journal to make a table of it. */
export interface JournalSummary {
  readonly file: string
  readonly state: TrackerState
  readonly rows: number
  readonly longestLine: number
}

export interface JournalOptions {
  readonly maxColumns?: number | undefined
  /** False for a journal that nobody would take up after a crash: it is never synced. */
  readonly durable?: boolean
}

/** Characters of a row that is written together with what became of its job. */
const MOST_IN_HEADER = 100_000
/** What was added waits for so long for more to be written with it. */
const GROUP_MS = 10
const SYNC_AFTER_MS = 200

/**
 * The rows of an expanding stage as its jobs finish: lines of JSON, only ever appended, a job in one stretch. They are
 * written in groups, and synced to the disk in larger ones.
 */
export class Journal {
  readonly file: string
  readonly tally: JobTally
  readonly #handle: FileHandle
  #durable: boolean
  readonly #tracker: Tracker
  readonly #done: NumberSet
  #toldKinds: readonly number[]
  #toldRevision: number
  #jobs: number
  #rows: number
  #bytes: number
  #longestLine: number
  #group = new WriteGroup()
  /** Jobs that were added and are not with the operating system yet. */
  #unwritten = 0
  /** Ends with the group that is being written; what comes meanwhile is the next one. Never fails: see `#failure`. */
  #writing: Promise<void> | undefined
  #dirty = false
  #writeTimer: NodeJS.Timeout | undefined
  #syncTimer: NodeJS.Timeout | undefined
  #failure: unknown

  private constructor(file: string, handle: FileHandle, options: JournalOptions, from: Recovered) {
    this.file = file
    this.#handle = handle
    this.#durable = options.durable ?? true
    this.#tracker = new Tracker(options.maxColumns, from.state)
    this.#toldKinds = from.state.kinds
    this.#toldRevision = this.#tracker.revision
    this.#done = from.done
    this.#jobs = from.done.size
    this.tally = from.tally
    this.#rows = from.rows
    this.#bytes = from.bytes
    this.#longestLine = from.longestLine
  }

  /** An empty journal; what was in the file is gone. */
  static async create(file: string, options: JournalOptions = {}): Promise<Journal> {
    return new Journal(file, await open(file, 'w', 0o600), options, nothingRecovered())
  }

  /** Takes up a journal where its last whole job ends; a torn one after it is cut off. An absent file is an empty one. */
  static async recover(file: string, options: JournalOptions = {}): Promise<Journal> {
    const handle = await open(file, 'a+', 0o600)
    try {
      return new Journal(file, handle, options, await recoverJournal(handle))
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /** Input rows whose jobs are in. */
  get done(): Pick<NumberSet, 'has' | 'size'> {
    return this.#done
  }
  get jobs(): number {
    return this.#jobs
  }
  get rows(): number {
    return this.#rows
  }

  /** Written so far. */
  get bytes(): number {
    return this.#bytes
  }

  get columnCount(): number {
    return this.#tracker.size
  }

  get summary(): JournalSummary {
    return {
      file: this.file,
      state: this.#tracker.state,
      rows: this.#rows,
      longestLine: this.#longestLine,
    }
  }

  /** Where a job whose rows come one after another puts them until it is done; `file` is for what memory should not hold. */
  spool(input: number, file: string): Spool {
    return new Spool(file, new Lines(input, this.#tracker))
  }

  /**
   * Adds a job with all its rows, to be written soon; false, and nothing is added, when one for that input row is there
   * already.
   */
  add({ input, rows, record }: Job): boolean {
    if (this.#failure) throw this.#failure
    if (this.#done.has(input)) return false
    if (rows instanceof Spool) this.#addSpool(rows, record)
    else this.#addLines(input, rows, record)
    this.#done.add(input)
    this.#jobs++
    this.tally.count(input, record)
    this.#group.jobs++
    this.#unwritten++
    this.#writeSoon()
    return true
  }

  /** The same; what was added is with the operating system when the promise resolves. */
  async append(job: Job): Promise<boolean> {
    const isNew = this.add(job)
    await this.room(1)
    return isNew
  }

  /** Resolves when fewer than so many jobs that were added wait to be written, and no full group waits behind another. */
  async room(jobs: number): Promise<void> {
    while (!this.hasRoom(jobs) && !this.#failure) await this.#startWriting()
    if (this.#failure) throw this.#failure
  }

  /** Whether it would. */
  hasRoom(jobs: number): boolean {
    return this.#unwritten < jobs && !(this.#writing && this.#group.isFull)
  }

  /** Resolves when everything added so far is on the disk. */
  async sync(): Promise<void> {
    await this.room(1)
    await this.#syncWritten()
  }

  /** What it holds is in a table by now: nobody will take it up. */
  retire(): void {
    this.#durable = false
  }

  async close(): Promise<void> {
    try {
      if (this.#durable) await this.sync()
      else await this.room(1)
    } finally {
      clearTimeout(this.#writeTimer)
      clearTimeout(this.#syncTimer)
      // By number, so the file must not be closed under it.
      await this.#writing
      await this.#handle.close()
    }
  }

  #addLines(input: number, rows: Iterable<Row>, record: JobRecord | undefined): void {
    const only = Array.isArray(rows) && rows.length === 1 ? encodeRow(rows[0], this.#tracker) : undefined
    if (only !== undefined && only.length <= MOST_IN_HEADER) {
      this.#rows++
      this.#group.add(`{"_i":${input},"_n":1,"_k":0${only}${this.#learnt()}${ended(record)}}\n`)
      return
    }
    const lines = new Lines(input, this.#tracker)
    const pieces = lines.encode(rows)
    this.#group.add(this.#header(lines, record))
    for (const piece of pieces) this.#group.add(piece)
  }

  #addSpool(spool: Spool, record: JobRecord | undefined): void {
    this.#group.add(this.#header(spool.lines, record))
    this.#group.addSpool(spool)
  }

  #header({ input, rows, bytes, checksum, longest }: Lines, record: JobRecord | undefined): string {
    this.#rows += rows
    this.#longestLine = Math.max(this.#longestLine, longest)
    const learnt = this.#learnt()
    const long = longest > COMMON_LINE_BYTES ? `,"_l":${longest}` : ''
    return `{"_i":${input},"_n":${rows},"_b":${bytes},"_h":${checksum}${learnt}${long}${ended(record)}}\n`
  }

  /** Names and kinds that no header has told of yet, as a stretch of one. */
  #learnt(): string {
    if (this.#tracker.revision === this.#toldRevision) return ''
    this.#toldRevision = this.#tracker.revision
    const { names, kinds } = this.#tracker.state
    const fresh = names.slice(this.#toldKinds.length)
    const grown = kinds.flatMap((kind, column) =>
      kind === (this.#toldKinds[column] ?? 0) ? [] : [[column, kind] as const],
    )
    this.#toldKinds = kinds
    const newNames = fresh.length > 0 ? `,"_c":${JSON.stringify(fresh)}` : ''
    return grown.length > 0 ? `${newNames},"_t":${JSON.stringify(grown)}` : newNames
  }

  #writeSoon(): void {
    if (this.#group.isFull) this.#startWriting()
    else this.#writeTimer ??= setTimeout(() => this.#startWriting(), GROUP_MS)
  }

  #startWriting(): Promise<void> {
    clearTimeout(this.#writeTimer)
    this.#writeTimer = undefined
    if (this.#failure) return Promise.resolve()
    this.#writing ??= this.#write()
    return this.#writing
  }

  async #write(): Promise<void> {
    const group = this.#group
    this.#group = new WriteGroup()
    try {
      for await (const part of group.parts()) await this.#append(part)
      this.#unwritten -= group.jobs
      this.#dirty = true
      if (this.#durable) this.#syncTimer ??= setTimeout(() => this.#syncSoon(), SYNC_AFTER_MS)
    } catch (error) {
      // Half a job may be in the file now: nothing may follow it. Recovery cuts it off.
      this.#failure = error
    }
    this.#writing = undefined
    if (this.#group.jobs > 0) this.#writeSoon()
  }

  #append(part: string | Uint8Array): Promise<void> {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    this.#bytes += bytes.length
    return appendTo(this.#handle.fd, bytes)
  }

  #syncSoon(): void {
    this.#syncWritten().catch(error => {
      this.#failure = error
    })
  }

  async #syncWritten(): Promise<void> {
    clearTimeout(this.#syncTimer)
    this.#syncTimer = undefined
    if (!this.#dirty) return
    this.#dirty = false
    await this.#handle.datasync()
  }
}

const ended = (record: JobRecord | undefined): string => (record ? `,"_j":${record.text}` : '')

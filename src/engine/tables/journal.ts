import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Json, Row } from '../../language/json.ts'
import { encodeNested, encodeRow } from './encode.ts'
import { TableError } from './errors.ts'
import type { JobTally } from './job-tally.ts'
import { nothingRecovered, type Recovered, recoverJournal } from './recovery.ts'
import { Tracker, type TrackerState } from './tracker.ts'

/** What became of one run of a command; with the input row and the number of rows it is a command record. */
export type JobRecord = {
  readonly id: string
  readonly command: string
  readonly args: Json
  readonly flags: Json
  readonly status: 'completed' | 'failed' | 'cancelled' | 'skipped'
  readonly startedAt: string
  readonly durationMs: number
  readonly attempts: number
  readonly fromCache: boolean
  readonly error: { readonly code: string; readonly message: string } | null
}

export interface Job {
  /** The number of the input row that it worked on, from 0. Its rows come out at that place. */
  readonly input: number
  readonly rows: Iterable<Row>
  readonly record?: JobRecord
}

/**
 * The line before a job's rows. Lines of rows have a `_k`, this one has none. Names and types are written with the
 * job that taught them, so the file alone is enough to go on after a crash, and no row has to be parsed for it.
 */
export type JobHeader = {
  readonly _i: number
  /** Rows, and the bytes and checksum of their lines. */
  readonly _n: number
  readonly _b: number
  readonly _h: number
  /** Columns first seen here: they get the next numbers. */
  readonly _c?: readonly string[]
  /** Kinds of value by column number, where they have grown. */
  readonly _t?: readonly (readonly [number, number])[]
  /** The longest line, where DuckDB has to be told. */
  readonly _l?: number
  readonly _j?: JobRecord
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

/** DuckDB reads lines up to here without being told. */
export const COMMON_LINE_BYTES = 16_000_000
/** A reader's buffer is twice the longest line for each thread: past this, one row could take the engine's memory. */
const MAX_LINE_BYTES = 64_000_000
const PIECE_CHARACTERS = 1_000_000
const SYNC_AFTER_MS = 200

/**
 * The rows of an expanding stage as its jobs finish: lines of JSON, only ever appended, a job in one stretch. What was
 * appended is with the operating system when the promise resolves; it is synced to the disk in groups.
 */
export class Journal {
  readonly file: string
  readonly tally: JobTally
  readonly #handle: FileHandle
  readonly #durable: boolean
  readonly #tracker: Tracker
  readonly #done: Set<number>
  #toldKinds: readonly number[]
  #toldRevision: number
  #jobs: number
  #rows: number
  #longestLine: number
  #pending: Buffer[] = []
  #pendingJobs = 0
  /** Jobs that were appended and are not with the operating system yet. */
  #unwritten = 0
  #writing: Promise<void> | undefined
  #dirty = false
  #timer: NodeJS.Timeout | undefined
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
  get done(): ReadonlySet<number> {
    return this.#done
  }
  get jobs(): number {
    return this.#jobs
  }
  get rows(): number {
    return this.#rows
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

  /** Adds a job with all its rows; false, and nothing is written, when one for that input row is there already. */
  async append(job: Job): Promise<boolean> {
    if (this.#failure) throw this.#failure
    if (this.#done.has(job.input)) return false
    const pieces = this.#encode(job)
    this.#done.add(job.input)
    this.#jobs++
    this.tally.count(job.input, job.record)
    this.#pending.push(...pieces)
    this.#pendingJobs++
    this.#unwritten++
    this.#writing ??= this.#flush()
    await this.#writing
    return true
  }

  /** Resolves when fewer than so many appended jobs wait to be written. */
  async room(jobs: number): Promise<void> {
    while (this.#unwritten >= jobs && this.#writing) await this.#writing
  }

  /** Resolves when everything appended so far is on the disk. */
  async sync(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#dirty) return
    this.#dirty = false
    await this.#handle.datasync()
  }

  async close(): Promise<void> {
    try {
      await this.#writing
      if (this.#durable) await this.sync()
    } finally {
      clearTimeout(this.#timer)
      await this.#handle.close()
    }
  }

  #encode(job: Job): Buffer[] {
    const pieces: Buffer[] = []
    let text = ''
    let count = 0
    let longest = 0
    for (const row of job.rows) {
      const line = `{"_i":${job.input},"_k":${count++}${encodeRow(row, this.#tracker)}}\n`
      if (line.length > COMMON_LINE_BYTES / 3) longest = Math.max(longest, checkedLength(line))
      text += line
      if (text.length < PIECE_CHARACTERS) continue
      pieces.push(Buffer.from(text))
      text = ''
    }
    if (text) pieces.push(Buffer.from(text))
    const header: JobHeader = {
      _i: job.input,
      _n: count,
      _b: pieces.reduce((sum, piece) => sum + piece.length, 0),
      _h: pieces.reduce((sum, piece) => crc32(piece, sum), 0),
      ...this.#learnt(),
      ...(longest > COMMON_LINE_BYTES && { _l: longest }),
      ...(job.record && { _j: job.record }),
    }
    this.#rows += count
    this.#longestLine = Math.max(this.#longestLine, longest)
    return [Buffer.from(`${encodeNested(header)}\n`), ...pieces]
  }

  /** Names and kinds that no header has told of yet. */
  #learnt(): Pick<JobHeader, '_c' | '_t'> {
    if (this.#tracker.revision === this.#toldRevision) return {}
    this.#toldRevision = this.#tracker.revision
    const { names, kinds } = this.#tracker.state
    const fresh = names.slice(this.#toldKinds.length)
    const grown = kinds.flatMap((kind, column) =>
      kind === (this.#toldKinds[column] ?? 0) ? [] : [[column, kind] as const],
    )
    this.#toldKinds = kinds
    return { ...(fresh.length > 0 && { _c: fresh }), ...(grown.length > 0 && { _t: grown }) }
  }

  async #flush(): Promise<void> {
    // Jobs that finish in the same turn, and those that come while the disk is busy, share one write.
    await Promise.resolve()
    try {
      while (this.#pending.length > 0) {
        const pieces = this.#pending
        const jobs = this.#pendingJobs
        this.#pending = []
        this.#pendingJobs = 0
        for (const group of grouped(pieces)) await this.#handle.appendFile(group)
        this.#unwritten -= jobs
        this.#dirty = true
      }
      if (this.#durable) this.#timer ??= setTimeout(() => this.#syncSoon(), SYNC_AFTER_MS)
    } catch (error) {
      // Half a job may be in the file now: nothing may follow it. Recovery cuts it off.
      this.#failure = error
      throw error
    } finally {
      this.#writing = undefined
    }
  }

  #syncSoon(): void {
    this.sync().catch(error => {
      this.#failure = error
    })
  }
}

/** Small jobs go in one write; large ones are not copied together. */
function* grouped(pieces: readonly Buffer[]): Generator<Buffer> {
  let group: Buffer[] = []
  let size = 0
  for (const piece of pieces) {
    group.push(piece)
    size += piece.length
    if (size < PIECE_CHARACTERS) continue
    yield group.length === 1 ? piece : Buffer.concat(group)
    group = []
    size = 0
  }
  if (group.length > 0) yield Buffer.concat(group)
}

function checkedLength(line: string): number {
  const bytes = Buffer.byteLength(line)
  if (bytes <= MAX_LINE_BYTES) return bytes
  throw new TableError(
    'row_too_large',
    `A row of ${Math.round(bytes / 1e6)} MB is more than the ${MAX_LINE_BYTES / 1e6} MB that one row may have.`,
    'Fetch less at once, or keep only the columns that are needed.',
  )
}

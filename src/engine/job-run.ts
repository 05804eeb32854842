import { PageInterrupted } from '../commands/browsing/browser.ts'
import type { Expanding } from '../commands/command.ts'
import { CommandFailure } from '../commands/failure.ts'
import { ForageError } from '../errors.ts'
import type { Row } from '../language/json.ts'
import { ResolveFailure, type Scope } from '../language/resolve.ts'
import { NetworkError } from '../network/errors.ts'
import { JobContext } from './job-context.ts'
import type { Network, StageWork } from './job-executor.ts'
import { hasSecrets, JobSecrets } from './job-secrets.ts'
import type { Job, JobOutcome, Turn } from './jobs.ts'
import { Requests } from './requests.ts'
import { type StageValues, stageValues } from './stage-values.ts'
import type { JobEnd, JobRecord } from './tables/job-record.ts'
import type { Spool } from './tables/spool.ts'

type Items = AsyncIterable<Row | readonly Row[]>

/** As often as a page whose browser ends is tried again before anything came of it. */
const MOST_INTERRUPTIONS = 2

/** One row's work: its values, its requests, and what became of it. */
export class JobRun implements Turn {
  readonly #work: StageWork
  readonly #job: Job
  readonly #turn: Turn
  readonly #signal: AbortSignal
  readonly #network: Network
  readonly #startedAt = Date.now()
  #values: StageValues | undefined
  #requests: Requests | undefined
  #secrets: JobSecrets | undefined

  constructor(work: StageWork, job: Job, turn: Turn, signal: AbortSignal, network: Network) {
    this.#work = work
    this.#job = job
    this.#turn = turn
    this.#signal = signal
    this.#network = network
  }

  async outcome(): Promise<JobOutcome> {
    let outcome: JobOutcome
    try {
      const values = stageValues(this.#work.stage, this.#scope())
      this.#values = values
      if (hasSecrets(this.#work.stage, values))
        this.#secrets = await JobSecrets.open(this.#network.access, this.#work.stage, values)
      const given = this.#secrets?.values ?? values
      const made = this.#expand(given)
      const rows = Symbol.asyncIterator in made ? await this.#whole(made, given) : this.#finished(await made)
      outcome = { rows, record: this.#record(COMPLETED) }
    } catch (error) {
      outcome = this.#failed(error)
    }
    // Its place is not given to another while too many outcomes could still be lost in a crash.
    const room = this.#work.room()
    if (room) await room
    return outcome
  }

  /** While it waits for a domain, another job can be queued, and another have its place. */
  pause<T>(domain: string, wait: () => Promise<T>): Promise<T> {
    return this.#work.pause(() => this.#turn.pause(domain, wait))
  }

  #expand(values: StageValues): Expanding {
    const { command } = this.#work
    if (!('expand' in command)) throw new Error(`${command.name} is no expanding command`)
    return command.expand(this.#context(values))
  }

  #failed(error: unknown): JobOutcome {
    this.#signal.throwIfAborted()
    const reason = errorOf(this.#secrets?.scrubError(error) ?? error)
    if (!reason) throw error
    // The stage's own: a row that lacks a column has no values.
    const { onError } = this.#work
    if (onError === 'fail')
      throw new CommandFailure(reason.code, `Row ${this.#job.index} failed: ${reason.message}`, {
        sample: [this.#job.input],
      })
    const rows = onError === 'keep' ? [{ ...this.#job.input, _error: reason }] : []
    return { rows, record: this.#record({ status: 'failed', error: reason }) }
  }

  /** A page that is lost when some of its rows have come is begun again: those are void. */
  async #whole(first: Items, values: StageValues): Promise<Spool> {
    for (let items = first, left = MOST_INTERRUPTIONS; ; left--) {
      try {
        return await this.#spooled(items)
      } catch (error) {
        if (!(error instanceof PageInterrupted) || left === 0) throw error
        // The same command for the same row: these come one after another too.
        items = this.#expand(values) as Items
      }
    }
  }

  /** Rows that come one after another, or some at a time, are not held: however many there are. */
  async #spooled(items: Items): Promise<Spool> {
    const spool = this.#work.spool(this.#job.index)
    try {
      for await (const item of items) {
        const spilling = spool.write(this.#finished(isList(item) ? item : [item]))
        if (spilling) await spilling
      }
      return spool
    } catch (error) {
      await spool.discard()
      throw error
    }
  }

  /** The rows as they are kept: with the columns of the row that made them where that is wanted, and without secrets. */
  #finished(made: Iterable<Row>): readonly Row[] {
    const rows = Array.isArray(made) ? made : [...made]
    const { input } = this.#job
    const whole = this.#values?.expand.enrich ? rows.map(row => enriched(row, input)) : rows
    return this.#secrets ? this.#secrets.scrubRows(whole) : whole
  }

  #context(values: StageValues): JobContext {
    const work = this.#work
    const { retry, timeout } = values.expand
    const requests = new Requests({
      client: this.#network.client,
      limiter: this.#network.limiter,
      queryId: work.queryId,
      writtenHosts: work.writtenHosts,
      signal: this.#signal,
      turn: this,
      retries: retry,
      timeoutSeconds: timeout,
      secrets: this.#secrets,
    })
    this.#requests = requests
    return new JobContext({
      work,
      job: this.#job,
      values,
      requests,
      secrets: this.#secrets,
      network: this.#network,
      signal: this.#signal,
    })
  }

  #scope(): Scope {
    return { row: this.#job.input, rowIndex: this.#job.index, constant: this.#work.constant }
  }

  #record({ status, error }: JobEnd): JobRecord {
    return this.#work.records.of({
      startedAt: this.#startedAt,
      attempts: this.#requests?.attempts ?? 0,
      values: this.#values,
      secrets: this.#secrets,
      status,
      error,
    })
  }
}

const COMPLETED: JobEnd = { status: 'completed', error: null }

const isList = (item: Row | readonly Row[]): item is readonly Row[] => Array.isArray(item)

/** What a row failed of. Anything else is a mistake of ours, and fails the query. */
function errorOf(error: unknown): NonNullable<JobEnd['error']> | undefined {
  if (error instanceof CommandFailure)
    return {
      code: error.code,
      message: error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
    }
  // Ours says no too: a policy that allows no dispatch, a service that does not run.
  if (error instanceof NetworkError || error instanceof ResolveFailure || error instanceof ForageError)
    return { code: error.code, message: error.message }
  return undefined
}

/** The columns of the row that made it; its own win, and what they hide is kept under `_parent`. */
function enriched(row: Row, input: Row): Row {
  const clashes = Object.keys(input).filter(name => name in row)
  const hidden = Object.fromEntries(clashes.map(name => [name, input[name]!]))
  return { ...input, ...row, ...(clashes.length > 0 && { _parent: hidden }) }
}

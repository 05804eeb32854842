import type { Command, ExpandContext } from '../commands/command.ts'
import { CommandFailure } from '../commands/failure.ts'
import { ForageError } from '../errors.ts'
import type { CommandDeclaration } from '../language/declaration.ts'
import type { Expression } from '../language/expression/tree.ts'
import type { Json, Row } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { ResolveFailure, resolveValue, type Scope as ValueScope } from '../language/resolve.ts'
import { flagsOf } from '../language/universal.ts'
import type { Value } from '../language/values.ts'
import { NetworkError } from '../network/errors.ts'
import type { Browser } from './browser.ts'
import type { Constant } from './cache-key.ts'
import { JobPages } from './job-pages.ts'
import { JobSecrets } from './job-secrets.ts'
import type { Execute, Job, JobOutcome, Turn } from './jobs.ts'
import { Requests, type RequestsOptions } from './requests.ts'
import { testRow } from './row-test.ts'
import type { SecretAccess } from './secrets.ts'
import { givenDocument, orderedValues, type StageValues, stageValues } from './stage-values.ts'
import type { JobRecord } from './tables/journal.ts'
import { parquetRows } from './tables/parquet-rows.ts'
import type { Tables } from './tables/tables.ts'

/** A stage whose jobs are being worked on in this process. */
export interface StageWork {
  readonly queryId: string
  readonly stage: Stage
  readonly command: Command
  readonly constant: Constant
  readonly startedAt: Date
  /** Hosts that stand in the text of the query: the only ones that may turn out to be local. */
  readonly writtenHosts: ReadonlySet<string>
  readonly warn: (code: string, message: string) => void
  readonly onError: 'keep' | 'skip' | 'fail'
  /** Resolves when the journal is not behind with the outcomes it was given. */
  readonly room: () => Promise<void>
  readonly tables: Tables
}

/** The way out, and who says when. */
export type Network = Pick<RequestsOptions, 'client' | 'limiter'> & {
  readonly access: SecretAccess
  readonly browser: Browser
}

type AnyContext = ExpandContext<CommandDeclaration>

/** Runs the jobs of the stages that have been entered here. */
export class JobExecutor {
  readonly #network: Network
  readonly #stages = new Map<string, StageWork>()

  constructor(network: Network) {
    this.#network = network
  }

  /** Requests of a stage itself, such as one that posts its rows. */
  requests(options: Omit<RequestsOptions, keyof Network>): Requests {
    return new Requests({ ...this.#network, ...options })
  }

  /** The secrets of a stage that sends them itself. */
  openSecrets(stage: Stage, values: StageValues): Promise<JobSecrets> {
    return JobSecrets.open(this.#network.access, stage, values)
  }

  /** The devices that the browser can stand for. */
  devices(): readonly Row[] {
    return this.#network.browser.devices()
  }

  enter(work: StageWork): Disposable {
    const key = `${work.queryId}:${work.stage.index}`
    this.#stages.set(key, work)
    return { [Symbol.dispose]: () => this.#stages.delete(key) }
  }

  readonly execute: Execute = async (job, turn, signal) => {
    const work = this.#stages.get(`${job.queryId}:${job.stage}`)
    if (!work) throw new Error(`stage ${job.stage} of query ${job.queryId} is not worked on here`)
    const outcome = await new JobRun(work, job, turn, signal, this.#network).outcome()
    // Its place is not given to another while too many outcomes could still be lost in a crash.
    await work.room()
    return outcome
  }
}

/** One row's work: its values, its requests, and what became of it. */
class JobRun {
  readonly #work: StageWork
  readonly #job: Job
  readonly #turn: Turn
  readonly #signal: AbortSignal
  readonly #network: Network
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
    const startedAt = Date.now()
    let values: StageValues | undefined
    try {
      values = stageValues(this.#work.stage, this.#scope())
      this.#secrets = await JobSecrets.open(this.#network.access, this.#work.stage, values)
      const rows = this.#secrets.scrubRows(await this.#rows(this.#secrets.values))
      return { rows, record: this.#record('completed', startedAt, values, null) }
    } catch (error) {
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
      return { rows, record: this.#record('failed', startedAt, values, reason) }
    }
  }

  async #rows(values: StageValues): Promise<Row[]> {
    const { command } = this.#work
    if (!('expand' in command)) throw new Error(`${command.name} is no expanding command`)
    const rows: Row[] = []
    for await (const row of command.expand(this.#context(values))) {
      rows.push(values.expand.enrich ? enriched(row, this.#job.input) : row)
    }
    return rows
  }

  #context(values: StageValues): AnyContext {
    const { queryId, startedAt, warn } = this.#work
    const { retry, timeout } = values.expand
    const requests = this.#requestsFor({ retries: retry, timeoutSeconds: timeout })
    return {
      args: values.args as AnyContext['args'],
      flags: values.flags as AnyContext['flags'],
      row: this.#job.input,
      rowIndex: this.#job.index,
      queryId,
      startedAt,
      jobId: this.#job.id,
      signal: this.#signal,
      send: request => requests.send(request),
      fetch: request => requests.fetch(request),
      browser: new JobPages({
        ...{ browser: this.#network.browser, requests, queryId, warn, signal: this.#signal },
        stage: this.#work.stage.index,
        retry,
        timeoutSeconds: timeout,
      }),
      ordered: orderedValues(this.#work.stage, values.flags),
      test: (expression, row) => this.#test(expression, row),
      readParquet: bytes => parquetRows(this.#work.tables.database, bytes, { signal: this.#signal }),
      attempts: () => requests.attempts,
      withPointer: (flag, pointer) => this.#withPointer(flag, pointer),
      credential: name => this.#network.access.credential(name),
      warn: (code, message) => warn(code, this.#secrets?.scrubText(message) ?? message),
    }
  }

  #requestsFor(flags: Pick<RequestsOptions, 'retries' | 'timeoutSeconds'>): Requests {
    const { queryId, writtenHosts } = this.#work
    const pause: RequestsOptions['pause'] = (domain, wait) => this.#turn.pause(domain, wait)
    this.#requests = new Requests({
      ...this.#network,
      ...flags,
      queryId,
      writtenHosts,
      signal: this.#signal,
      pause,
      secrets: this.#secrets,
    })
    return this.#requests
  }

  #test(expression: Expression, row: Row): Promise<boolean> {
    const { tables } = this.#work
    return testRow(expression, row, query => tables.rows(query, this.#signal))
  }

  #withPointer(flag: string, pointer: Json): Json {
    const { stage } = this.#work
    const given = stage.flags[flag]
    const parameter = flagsOf(stage.declaration).find(({ name }) => name === flag)
    if (!given || !parameter || Array.isArray(given)) return null
    const scope = this.#scope()
    const value = resolveValue(given as Value, parameter, {
      ...scope,
      constant: token => (token.kind === 'pagination' ? pointer : scope.constant(token)),
    }) as Json
    return parameter.secret && this.#secrets ? this.#secrets.reveal(value, parameter) : value
  }

  #scope(): ValueScope {
    return { row: this.#job.input, rowIndex: this.#job.index, constant: this.#work.constant }
  }

  #record(
    status: 'completed' | 'failed',
    startedAt: number,
    values: StageValues | undefined,
    error: JobError | null,
  ): JobRecord {
    const { args, flags } = values ? givenDocument(this.#work.stage, values) : { args: [], flags: {} }
    return {
      id: this.#job.id,
      command: this.#job.command,
      args: this.#secrets?.shown(args) ?? args,
      flags: this.#secrets?.shown(flags) ?? flags,
      status,
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Date.now() - startedAt,
      attempts: this.#requests?.attempts ?? 0,
      fromCache: false,
      error,
    }
  }
}

type JobError = { readonly code: string; readonly message: string }

/** What a row failed of. Anything else is a mistake of ours, and fails the query. */
function errorOf(error: unknown): JobError | undefined {
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

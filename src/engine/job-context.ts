import type { ExpandContext } from '../commands/command.ts'
import type { CommandDeclaration } from '../language/declaration.ts'
import type { Json } from '../language/json.ts'
import { resolveValue, type Scope } from '../language/resolve.ts'
import { flagsOf } from '../language/universal.ts'
import type { Value } from '../language/values.ts'
import type { Network, StageWork } from './job-executor.ts'
import { JobPages } from './job-pages.ts'
import type { JobSecrets } from './job-secrets.ts'
import type { Job } from './jobs.ts'
import type { Requests } from './requests.ts'
import { testRow } from './row-test.ts'
import { orderedValues, type StageValues } from './stage-values.ts'
import { parquetRows } from './tables/parquet-rows.ts'

type AnyContext = ExpandContext<CommandDeclaration>

export interface JobContextOptions {
  readonly work: StageWork
  readonly job: Job
  readonly values: StageValues
  readonly requests: Requests
  readonly secrets: JobSecrets | undefined
  readonly network: Network
  readonly signal: AbortSignal
}

/**
 * What a command has for one row. Commands take it apart (`{ fetch, warn }`), so its functions are properties; they are
 * made when they are asked for, since a job asks for two or three of them and there is one of these for every row.
 */
export class JobContext implements AnyContext {
  readonly #options: JobContextOptions

  constructor(options: JobContextOptions) {
    this.#options = options
  }

  get args(): AnyContext['args'] {
    return this.#options.values.args as AnyContext['args']
  }

  get flags(): AnyContext['flags'] {
    return this.#options.values.flags as AnyContext['flags']
  }

  get row(): AnyContext['row'] {
    return this.#options.job.input
  }

  get rowIndex(): number {
    return this.#options.job.index
  }

  get queryId(): string {
    return this.#options.work.queryId
  }

  get startedAt(): Date {
    return this.#options.work.startedAt
  }

  get jobId(): string {
    return this.#options.job.id
  }

  get signal(): AbortSignal {
    return this.#options.signal
  }

  get send(): AnyContext['send'] {
    return request => this.#options.requests.send(request)
  }

  get fetch(): AnyContext['fetch'] {
    return request => this.#options.requests.fetch(request)
  }

  get attempts(): number {
    return this.#options.requests.attempts
  }

  get browser(): AnyContext['browser'] {
    const { network, requests, work, values, signal } = this.#options
    const { retry, timeout } = values.expand
    return new JobPages({
      ...{ browser: network.browser, requests, queryId: work.queryId, warn: work.warn, signal },
      stage: work.stage.index,
      retry,
      timeoutSeconds: timeout,
    })
  }

  get ordered(): AnyContext['ordered'] {
    return orderedValues(this.#options.work.stage, this.#options.values.flags)
  }

  get test(): AnyContext['test'] {
    const { work, signal } = this.#options
    return (expression, row) => testRow(expression, row, query => work.tables.rows(query, signal))
  }

  get readParquet(): AnyContext['readParquet'] {
    const { work, signal } = this.#options
    return bytes => parquetRows(work.tables.database, bytes, { signal })
  }

  get withPointer(): AnyContext['withPointer'] {
    return (flag, pointer) => this.#withPointer(flag, pointer)
  }

  get credential(): AnyContext['credential'] {
    return name => this.#options.network.access.credential(name)
  }

  get warn(): AnyContext['warn'] {
    const { work, secrets } = this.#options
    return (code, message) => work.warn(code, secrets?.scrubText(message) ?? message)
  }

  #withPointer(flag: string, pointer: Json): Json {
    const { work, job, secrets } = this.#options
    const given = work.stage.flags[flag]
    const parameter = flagsOf(work.stage.declaration).find(({ name }) => name === flag)
    if (!given || !parameter || Array.isArray(given)) return null
    const scope: Scope = {
      row: job.input,
      rowIndex: job.index,
      constant: token => (token.kind === 'pagination' ? pointer : work.constant(token)),
    }
    const value = resolveValue(given as Value, parameter, scope) as Json
    return parameter.secret && secrets ? secrets.reveal(value, parameter) : value
  }
}

import type { ReduceContext } from '../commands/command.ts'
import type { DeliveryRequest } from '../commands/delivery.ts'
import { CommandFailure } from '../commands/failure.ts'
import type { CommandDeclaration, Parameter } from '../language/declaration.ts'
import type { Json } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import type { Relation } from '../sql/relation.ts'
import type { JobSecrets } from './job-secrets.ts'
import type { Requests } from './requests.ts'
import { RunCellar } from './run-cellar.ts'
import type { RunFiles } from './run-files.ts'
import { type RunOptions, stageIdIn, writtenIn } from './run-options.ts'
import type { StageValues } from './stage-values.ts'
import { rowsInOrder } from './tables/rows-in-order.ts'
import type { StageFile } from './tables/stage-file.ts'
import { writtenHosts } from './written-hosts.ts'

export type AnyContext = ReduceContext<CommandDeclaration>

/** What only the run itself can answer. */
export interface RunAccess {
  /** The rows of an earlier stage, by label or index. */
  stage(from: Stage, reference: string): Promise<Relation>
  runTemplate(stage: Stage, name: string, values: Readonly<Record<string, Json>>): Promise<Relation>
  hasFailedRows(): boolean
}

/** What the commands of a run's source and reduce stages are given to work with. */
export class StageContexts {
  readonly #options: RunOptions
  readonly #files: RunFiles
  readonly #run: RunAccess

  constructor(options: RunOptions, files: RunFiles, run: RunAccess) {
    this.#options = options
    this.#files = files
    this.#run = run
  }

  of(stage: Stage, values: StageValues): AnyContext {
    const { plan, tables, signal, observer, id, startedAt, expander } = this.#options
    return {
      args: values.args as AnyContext['args'],
      flags: values.flags as AnyContext['flags'],
      // Reduce commands get theirs when they run; sources have none.
      input: tables.emptyRow,
      queryId: id,
      startedAt,
      labels: plan.stages.slice(0, stage.index).flatMap(earlier => earlier.label ?? []),
      stage: reference => this.#run.stage(stage, reference),
      ingest: async rows => this.#files.opened(await tables.ingest(rows, signal)),
      probe: query => tables.rows(query, signal),
      warn: (code, message) => observer.warn({ code, message, stage: stage.index }),
      materialize: relation => this.#files.materialize(relation),
      map: async (relation, mapper, options) =>
        this.#files.opened(await tables.map(relation, { mapper, options }, signal)),
      rows: relation => rowsInOrder(tables.database, relation, signal),
      fetch: request => this.#requests().fetch(request),
      stageId: stageIdIn(this.#options, stage),
      deliver: (relation, request) => this.#deliver(stage, relation, request),
      readStore: (store, target) => this.#readStore(store, target),
      ...this.#cellarContext(stage),
      runTemplate: (name, given) => this.#run.runTemplate(stage, name, given),
      hasFailedRows: () => this.#run.hasFailedRows(),
      sandbox: (text, inputs) => this.#sandbox(text, inputs),
      devices: () => expander.executor.devices(),
    }
  }

  /** For a command that sends its rows itself: the secrets are in its values, and in no error of it. */
  async withSecrets(
    stage: Stage,
    values: StageValues,
    context: AnyContext,
    run: (context: AnyContext) => Promise<Relation>,
  ): Promise<Relation> {
    const takesSecrets = (parameter: Parameter) => parameter.secret === true
    const { arguments: parameters, flags = [] } = stage.declaration
    if (![...parameters, ...flags].some(takesSecrets)) return run(context)
    const secrets = await this.#options.expander.executor.openSecrets(stage, values)
    const args = secrets.values.args as AnyContext['args']
    const revealed = secrets.values.flags as AnyContext['flags']
    const fetch: AnyContext['fetch'] = request => this.#requests(secrets).fetch(request)
    return run({ ...context, args, flags: revealed, fetch }).catch(error => {
      throw secrets.scrubError(error)
    })
  }

  /** For a stage that sends its rows itself: it has no place among the jobs, so it keeps nobody waiting. */
  #requests(secrets?: JobSecrets): Requests {
    const { id, signal, expander } = this.#options
    const turn = { pause: <T>(_domain: string, wait: () => Promise<T>) => wait() }
    return expander.executor.requests({
      queryId: id,
      writtenHosts: writtenHosts(writtenIn(this.#options)),
      signal,
      turn,
      secrets,
    })
  }

  /** How far it has come is told as the stage's jobs: a row each. */
  async #deliver(stage: Stage, relation: Relation, request: DeliveryRequest): Promise<void> {
    const { observer, deliver } = this.#options
    if (!deliver) throw new CommandFailure('no_stores', 'Nothing can be delivered here.')
    const table = await this.#files.stored(relation)
    await deliver({
      id: stageIdIn(this.#options, stage),
      table,
      request,
      progress: jobs => observer.stage(stage.index, { jobs }),
      warn: (code, message) => observer.warn({ code, message, stage: stage.index }),
    })
  }

  async #readStore(store: string, name: string | undefined): Promise<Relation> {
    const { readStore } = this.#options
    if (!readStore) throw new CommandFailure('no_stores', 'No store can be read here.')
    return this.#files.opened(await readStore(store, name))
  }

  #cellarContext(stage: Stage): ReturnType<RunCellar['context']> {
    const { cellar, id, signal, observer } = this.#options
    if (!cellar) return NO_CELLAR
    return new RunCellar({
      cellar,
      queryId: id,
      signal,
      lend: table => this.#files.lent(table),
      store: relation => this.#files.stored(relation),
      give: table => this.#files.giveAway(table),
      borrow: file => observer.borrow?.(file),
    }).context(stageIdIn(this.#options, stage))
  }

  async #sandbox(text: string, inputs: Readonly<Record<string, Relation>>): Promise<Relation> {
    const { tables, signal } = this.#options
    const files: Record<string, StageFile> = {}
    for (const [label, relation] of Object.entries(inputs)) {
      files[label] = await this.#files.stored(relation)
    }
    return this.#files.opened(await tables.sandbox(text, files, signal))
  }
}

const noCellar = (): never => {
  throw new CommandFailure('no_cellar', 'There is no cellar here.')
}
const NO_CELLAR = { cellar: noCellar, freeze: noCellar, baseline: noCellar, prepareBaseline: noCellar }

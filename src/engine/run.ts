import { rm } from 'node:fs/promises'
import type { Command, ReduceContext } from '../commands/command.ts'
import type { CommandDeclaration, Parameter } from '../language/declaration.ts'
import type { Plan, Stage } from '../language/plan.ts'
import { UnknownColumn } from '../sql/errors.ts'
import type { Relation } from '../sql/relation.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { type Constant, cacheKeys } from './cache-key.ts'
import { cachedStages, type FindCached } from './cached-stages.ts'
import { checkpointValues } from './checkpoints.ts'
import { type Expander, expandStage } from './expand-stage.ts'
import type { JobCounts } from './expansion.ts'
import { failureOf } from './failure.ts'
import type { JobSecrets } from './job-secrets.ts'
import type { Requests } from './requests.ts'
import { type StageValues, stageValues } from './stage-values.ts'
import { isStored, stageIndex } from './stored-stages.ts'
import { rowsInOrder } from './tables/rows-in-order.ts'
import type { StageFile } from './tables/stage-file.ts'
import type { Tables } from './tables/tables.ts'
import { applyUniversalFlags } from './universal-flags.ts'
import { writtenHosts } from './written-hosts.ts'

/** What a run tells of a stage as it goes: kept in the stage's record. */
export interface StageChange {
  readonly status?: 'running' | 'completed' | 'failed' | 'cancelled'
  readonly table?: StageFile
  readonly fromCache?: boolean
  readonly jobs?: JobCounts
  /** Where the records of its jobs are from now on. */
  readonly records?: string
}

export interface Warning {
  readonly code: string
  readonly message: string
  readonly stage: number
}

export interface RunObserver {
  stage(index: number, change: StageChange): void
  warn(warning: Warning): void
  /** The outcomes of a stage's jobs are in this file: it must be known before the first of them is. */
  journal(index: number, file: string): Promise<void>
}

/** Results of stages, under the hash of what decides their rows. */
export interface StageCache {
  readonly find: FindCached
  keep(key: string, table: StageFile, ttlSeconds: number | undefined): Promise<void>
}

export interface RunOptions {
  readonly id: string
  readonly plan: Plan
  readonly commands: ReadonlyMap<string, Command>
  readonly tables: Tables
  readonly expander: Expander
  readonly cache: StageCache | null
  readonly startedAt: Date
  readonly constant: Constant
  readonly signal: AbortSignal
  readonly observer: RunObserver
  /** Tables of stages that are there already: from before a crash, or of a finished query that is only read. */
  readonly known: ReadonlyMap<number, StageFile>
  /** Whether rows of those stages have failed: what stands on them is not cached either. */
  readonly hasFailedRows?: boolean
  /** Journals of stages that a crash interrupted. */
  readonly journals?: ReadonlyMap<number, string>
  /** Rows that come before the first stage: the results of another query. */
  readonly input?: StageFile | undefined
}

type AnyContext = ReduceContext<CommandDeclaration>

/**
 * One run of a plan. A reduce stage is only a relation over its input, so consecutive ones become one statement; a
 * stage goes into a file where somebody needs it there: the last one, a labelled one, one whose rows would come out
 * differently a second time, and one before an expanding stage.
 */
export class Run {
  readonly #options: RunOptions
  readonly #stages: readonly Stage[]
  readonly #keys: readonly (string | null)[]
  readonly #relations = new Map<number, Promise<Relation>>()
  /** The file behind a relation that is nothing but a file. */
  readonly #files = new WeakMap<Relation, StageFile>()
  /** Files made on the way that no stage has told of. */
  readonly #scratch = new Set<string>()
  /** Files with the records of stages' jobs. */
  readonly #records = new Map<number, string>()
  /** The rows of stages before `--appendStage`. */
  readonly #ownRows = new Map<number, Relation>()
  /** Stages with rows that failed: what stands on them is not cached. */
  #hasFailedRows: boolean

  constructor(options: RunOptions) {
    this.#options = options
    this.#stages = options.plan.stages
    this.#hasFailedRows = options.hasFailedRows ?? false
    this.#keys = cacheKeys(this.#stages, options.constant)
    for (const [index, table] of options.known) this.#remember(index, table)
  }

  /** Runs every stage that has to run; gives the last one's table. */
  async execute(): Promise<StageFile> {
    const last = this.#stages.length - 1
    await this.#takeFromCache()
    for (let index = 0; index <= last; index++) {
      if (this.#isNeeded(index)) await this.relation(index)
    }
    return this.#files.get(await this.relation(last))!
  }

  /** A stage's rows, computed from the nearest file before it. */
  relation(index: number): Promise<Relation> {
    const known = this.#relations.get(index)
    if (known) return known
    const relation = this.#compute(this.#stages[index]!)
    this.#relations.set(index, relation)
    return relation
  }

  /** What the stages' checkpoints are to be, once the query is complete. */
  async checkpoints(): Promise<ReadonlyMap<string, string>> {
    const { tables, signal } = this.#options
    const found = new Map<string, string>()
    for (const stage of this.#stages) {
      if (stage.flags.checkpoint === undefined) continue
      const relation = await this.relation(stage.index)
      const own = stage.flags.appendStage === undefined ? relation : this.#ownRows.get(stage.index)
      const values = stageValues(stage, { ...this.#options, row: {} })
      const probe = (query: Sql) => tables.rows(query, signal)
      for (const [name, value] of await checkpointValues(stage, values, own ?? relation, probe))
        found.set(name, value)
    }
    return found
  }

  /** Takes away the files that were only steps on the way to a stage's own. */
  async discardScratch(): Promise<void> {
    for (const file of this.#scratch) await rm(file, { force: true })
    this.#scratch.clear()
  }

  /** Stages before one whose table is there are passed over, unless somebody later asks for them by name. */
  #isNeeded(index: number): boolean {
    return !this.#stages.slice(index + 1).some(later => this.#relations.has(later.index))
  }

  async #compute(stage: Stage): Promise<Relation> {
    const { observer, signal } = this.#options
    try {
      signal.throwIfAborted()
      observer.stage(stage.index, { status: 'running' })
      const values = stageValues(stage, this.#options)
      const relation = await this.#perform(stage, values)
      const finished = isStored(this.#stages, stage, this.#options)
        ? await this.#materialize(relation)
        : relation
      const table = this.#files.get(finished)
      if (table) this.#scratch.delete(table.file)
      if (table) await this.#keepInCache(stage, table, values)
      const records = this.#records.get(stage.index)
      observer.stage(stage.index, {
        status: 'completed',
        ...(table && { table }),
        ...(records && { records }),
      })
      return finished
    } catch (error) {
      observer.stage(stage.index, { status: signal.aborted ? 'cancelled' : 'failed' })
      throw failureOf(error, stage, this.#options.plan.query, signal)
    }
  }

  async #perform(stage: Stage, values: StageValues): Promise<Relation> {
    const command = this.#options.commands.get(stage.declaration.name)!
    const context = this.#context(stage, values)
    const ownRows = (relation: Relation) => void this.#ownRows.set(stage.index, relation)
    return applyUniversalFlags(await this.#runCommand(stage, command, context, values), values.universal, {
      ...context,
      ownRows,
    })
  }

  async #runCommand(
    stage: Stage,
    command: Command,
    context: AnyContext,
    values: StageValues,
  ): Promise<Relation> {
    if ('source' in command) return command.source(context)
    if ('reduce' in command)
      return this.#withSecrets(stage, values, context, async opened =>
        this.#reduce(command.reduce, { ...opened, input: await this.#input(stage) }),
      )
    const input = stage.index > 0 || this.#options.input ? await this.#input(stage) : undefined
    const { table, counts, records } = await expandStage(stage, command, values, {
      ...this.#options,
      input: input && { relation: input, rows: this.#files.get(input)?.rows ?? 0 },
      journal: this.#options.journals?.get(stage.index),
    })
    if (counts.failed > 0) this.#hasFailedRows = true
    this.#records.set(stage.index, records)
    return this.#opened(table)
  }

  /** For a command that sends its rows itself: the secrets are in its values, and in no error of it. */
  async #withSecrets(
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

  /** A column that is missing is a mistake only where there are rows that lack it. */
  async #reduce(
    reduce: (context: AnyContext) => Relation | Promise<Relation>,
    context: AnyContext,
  ): Promise<Relation> {
    try {
      return await reduce(context)
    } catch (error) {
      if (!(error instanceof UnknownColumn) || (await this.#hasRows(context.input))) throw error
      return reduce({ ...context, input: this.#options.tables.noRows })
    }
  }

  async #hasRows(relation: Relation): Promise<boolean> {
    const { tables, signal } = this.#options
    return (await tables.rows(sql`SELECT 1 AS n FROM (${relation.sql}) LIMIT 1`, signal)).length > 0
  }

  #input(stage: Stage): Relation | Promise<Relation> {
    if (stage.index > 0) return this.relation(stage.index - 1)
    const { input, tables } = this.#options
    return input ? this.#lent(input) : tables.emptyRow
  }

  #context(stage: Stage, values: StageValues): AnyContext {
    const { tables, signal, observer, id, startedAt } = this.#options
    return {
      args: values.args as AnyContext['args'],
      flags: values.flags as AnyContext['flags'],
      // Reduce commands get theirs when they run; sources have none.
      input: tables.emptyRow,
      queryId: id,
      startedAt,
      labels: this.#stages.slice(0, stage.index).flatMap(earlier => earlier.label ?? []),
      stage: reference => this.#stage(stage, reference),
      ingest: async rows => this.#opened(await tables.ingest(rows, signal)),
      probe: query => tables.rows(query, signal),
      warn: (code, message) => observer.warn({ code, message, stage: stage.index }),
      materialize: relation => this.#materialize(relation),
      map: async (relation, mapper, options) =>
        this.#opened(await tables.map(relation, { mapper, options }, signal)),
      rows: relation => rowsInOrder(tables.database, relation, signal),
      fetch: request => this.#requests().fetch(request),
      stageId: `${id}.${stage.index}`,
      sandbox: (text, inputs) => this.#sandbox(text, inputs),
    }
  }

  /** For a stage that sends its rows itself: it has no place among the jobs, so it keeps nobody waiting. */
  #requests(secrets?: JobSecrets): Requests {
    const { id, plan, signal, expander } = this.#options
    const pause = (_domain: string, wait: () => Promise<void>) => wait()
    return expander.executor.requests({
      queryId: id,
      writtenHosts: writtenHosts(plan.query),
      signal,
      pause,
      secrets,
    })
  }

  #stage(from: Stage, reference: string): Promise<Relation> {
    return this.relation(stageIndex(this.#stages, from, reference))
  }

  async #sandbox(text: string, inputs: Readonly<Record<string, Relation>>): Promise<Relation> {
    const files: Record<string, StageFile> = {}
    for (const [label, relation] of Object.entries(inputs)) {
      files[label] = this.#files.get(await this.#materialize(relation))!
    }
    return this.#opened(await this.#options.tables.sandbox(text, files, this.#options.signal))
  }

  async #materialize(relation: Relation): Promise<Relation> {
    if (this.#files.has(relation)) return relation
    return this.#opened(await this.#options.tables.materialize(relation, this.#options.signal))
  }

  #opened(table: StageFile): Relation {
    const relation = this.#options.tables.relation(table)
    this.#files.set(relation, table)
    this.#scratch.add(table.file)
    return relation
  }

  #remember(index: number, table: StageFile): void {
    this.#relations.set(index, Promise.resolve(this.#lent(table)))
  }

  /** A file that somebody else answers for: it stays when this run is over. */
  #lent(table: StageFile): Relation {
    const relation = this.#opened(table)
    this.#scratch.delete(table.file)
    return relation
  }

  /** The longest beginning of the query that somebody has run lately need not be run again. */
  async #takeFromCache(): Promise<void> {
    const { cache, observer } = this.#options
    if (!cache || this.#relations.size > 0) return
    const found = await cachedStages(this.#stages, this.#keys, cache.find, this.#options)
    for (const [index, table] of found) {
      if (table) this.#remember(index, table)
      observer.stage(index, { status: 'completed', fromCache: true, ...(table && { table }) })
    }
  }

  async #keepInCache(stage: Stage, table: StageFile, values: StageValues): Promise<void> {
    const key = this.#keys[stage.index]
    const isLast = stage.index === this.#stages.length - 1
    if (!key || this.#hasFailedRows || !(isLast || stage.declaration.kind === 'expand')) return
    await this.#options.cache?.keep(key, table, values.universal.ttl)
  }
}

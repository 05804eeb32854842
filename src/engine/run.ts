import type { Command } from '../commands/command.ts'
import type { Json } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { UnknownColumn } from '../sql/errors.ts'
import type { Relation } from '../sql/relation.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { cacheKeys } from './cache-key.ts'
import { cachedStages } from './cached-stages.ts'
import { checkpointValues, LONGEST_CHECKPOINT, tooLong } from './checkpoints.ts'
import { expandStage } from './expand-stage.ts'
import { failureOf } from './failure.ts'
import { runNested } from './nested-run.ts'
import { RunFiles } from './run-files.ts'
import { type RunOptions, stageIdIn, writtenIn } from './run-options.ts'
import { type AnyContext, StageContexts } from './stage-contexts.ts'
import { type StageValues, stageValues } from './stage-values.ts'
import { isStored, stageIndex } from './stored-stages.ts'
import type { StageFile } from './tables/stage-file.ts'
import { applyUniversalFlags } from './universal-flags.ts'

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
  readonly #files: RunFiles
  readonly #contexts: StageContexts
  /** Files with the records of stages' jobs. */
  readonly #records = new Map<number, string>()
  /** Checkpoints of templates that stages ran. */
  readonly #nestedCheckpoints = new Map<string, string>()
  /** The rows of stages before `--appendStage`. */
  readonly #ownRows = new Map<number, Relation>()
  /** Stages with rows that failed: what stands on them is not cached. */
  #hasFailedRows: boolean

  constructor(options: RunOptions) {
    this.#options = options
    this.#stages = options.plan.stages
    this.#files = new RunFiles(options.tables, options.signal)
    this.#contexts = new StageContexts(options, this.#files, {
      stage: (from, reference) => this.relation(stageIndex(this.#stages, from, reference)),
      runTemplate: (stage, name, given) => this.#runTemplate(stage, name, given),
      hasFailedRows: () => this.#hasFailedRows,
    })
    this.#hasFailedRows = options.hasFailedRows ?? false
    this.#keys = cacheKeys(this.#stages, options.constant, options.cellarVersions)
    for (const [index, table] of options.known) this.#remember(index, table)
  }

  /** Runs every stage that has to run; gives the last one's table. */
  async execute(): Promise<StageFile> {
    const last = this.#stages.length - 1
    await this.#takeFromCache()
    for (let index = 0; index <= last; index++) {
      if (this.#isNeeded(index)) await this.relation(index)
    }
    return this.#files.tableOf(await this.relation(last))!
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
    const { tables, signal, observer } = this.#options
    const found = new Map(this.#nestedCheckpoints)
    for (const stage of this.#stages) {
      if (stage.flags.checkpoint === undefined) continue
      const relation = await this.relation(stage.index)
      const own = stage.flags.appendStage === undefined ? relation : this.#ownRows.get(stage.index)
      const values = stageValues(stage, this.#options)
      const probe = (query: Sql) => tables.rows(query, signal)
      for (const [name, value] of await checkpointValues(stage, values, own ?? relation, probe)) {
        if (value.length <= LONGEST_CHECKPOINT) found.set(name, value)
        else observer.warn(tooLong(name, stage))
      }
    }
    return found
  }

  /** Takes away the files that were only steps on the way to a stage's own. */
  discardScratch(): Promise<void> {
    return this.#files.discardScratch()
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
        ? await this.#files.materialize(relation)
        : relation
      const table = this.#files.tableOf(finished)
      if (table) this.#files.told(table)
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
    const context = this.#contexts.of(stage, values)
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
      return this.#contexts.withSecrets(stage, values, context, async opened =>
        this.#reduce(command.reduce, { ...opened, input: await this.#input(stage) }),
      )
    const input = stage.index > 0 || this.#options.input ? await this.#input(stage) : undefined
    const { table, counts, records } = await expandStage(stage, command, values, {
      ...this.#options,
      stageId: stageIdIn(this.#options, stage),
      written: writtenIn(this.#options),
      input: input && (await this.#files.stored(input)),
      journal: this.#options.journals?.get(stage.index),
    })
    if (counts.failed > 0) this.#hasFailedRows = true
    this.#records.set(stage.index, records)
    return this.#files.opened(table)
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
    return input ? this.#files.lent(input) : tables.emptyRow
  }

  async #runTemplate(stage: Stage, name: string, values: Readonly<Record<string, Json>>): Promise<Relation> {
    const place = { index: stage.index, id: stageIdIn(this.#options, stage) }
    const { table, isOwn, hasFailedRows, checkpoints } = await runNested(this.#options, place, name, values)
    if (hasFailedRows) this.#hasFailedRows = true
    for (const [checkpoint, value] of checkpoints) this.#nestedCheckpoints.set(checkpoint, value)
    return isOwn ? this.#files.opened(table) : this.#files.lent(table)
  }

  /** Whether a file was made by this run, and nobody else has taken it. */
  isOwn(table: StageFile): boolean {
    return this.#files.isOwn(table)
  }

  get ownFiles(): readonly string[] {
    return this.#files.own
  }

  #remember(index: number, table: StageFile): void {
    this.#relations.set(index, Promise.resolve(this.#files.lent(table)))
  }

  /** The longest beginning of the query that somebody has run lately need not be run again. */
  async #takeFromCache(): Promise<void> {
    const { cache, observer } = this.#options
    if (!cache || this.#relations.size > 0) return
    const found = await cachedStages(this.#stages, this.#keys, cache.find, this.#options, cache.fetchesAnew)
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

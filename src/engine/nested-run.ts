import { rm } from 'node:fs/promises'
import { CommandFailure } from '../commands/failure.ts'
import type { Json } from '../language/json.ts'
import type { Plan } from '../language/plan.ts'
import type { Constant } from './cache-key.ts'
import { cellarVersions } from './cellar.ts'
import type { JobCounts } from './expansion.ts'
import { StageFailure } from './failure.ts'
import { Run } from './run.ts'
import { type RunObserver, type RunOptions, type StageCache, writtenIn } from './run-options.ts'
import type { StageFile } from './tables/stage-file.ts'

/** A template with its values in it, ready to run. */
export interface PreparedTemplate {
  readonly id: string
  readonly plan: Plan
  /** What its tokens stand for that are its own; the others are those of the query. */
  readonly constant: Constant
}

export interface TemplateAccess {
  /** Throws a `CommandFailure` where there is none of that name, or where the values do not fit it. */
  prepare(name: string, values: Readonly<Record<string, Json>>): Promise<PreparedTemplate>
}

export interface NestedOutcome {
  readonly table: StageFile
  /** Nobody else answers for the file. */
  readonly isOwn: boolean
  readonly hasFailedRows: boolean
  readonly checkpoints: ReadonlyMap<string, string>
}

/** Templates that run templates, as deep as this. */
const DEEPEST = 5

/** Runs a template inside a stage of another run: its rows are that stage's, and its own stages leave nothing behind. */
export async function runNested(
  outer: RunOptions,
  stage: { readonly index: number; readonly id: string },
  name: string,
  values: Readonly<Record<string, Json>>,
): Promise<NestedOutcome> {
  const prepared = await prepare(outer, name, values)
  const observer = new NestedObserver(outer.observer, stage.index)
  const cached = new Set<string>()
  const constant: Constant = token => prepared.constant(token) ?? outer.constant(token)
  const run = new Run({
    ...outer,
    plan: prepared.plan,
    written: `${writtenIn(outer)}\n${prepared.plan.query}`,
    constant,
    observer,
    cache: outer.cache && noting(outer.cache, cached),
    known: new Map(),
    journals: new Map(),
    hasFailedRows: false,
    input: undefined,
    nesting: [...(outer.nesting ?? []), prepared.id],
    stageId: stage.id,
    cellarVersions: await cellarVersions(prepared.plan.stages, { constant }, outer.cellar),
  })
  const kept = new Set<string>(cached)
  try {
    const table = await run.execute()
    const checkpoints = await run.checkpoints()
    const isOwn = run.isOwn(table) && !cached.has(table.file)
    kept.add(table.file)
    return { table, isOwn, hasFailedRows: observer.failed > 0, checkpoints }
  } catch (error) {
    throw insideOf(name, error)
  } finally {
    await run.discardScratch()
    const files = [...run.ownFiles, ...observer.files].filter(file => !kept.has(file) && !cached.has(file))
    for (const file of files) await rm(file, { force: true })
  }
}

async function prepare(
  { templates, nesting = [] }: RunOptions,
  name: string,
  values: Readonly<Record<string, Json>>,
): Promise<PreparedTemplate> {
  if (!templates) throw new CommandFailure('no_templates', 'There are no templates here.')
  const prepared = await templates.prepare(name, values)
  if (nesting.includes(prepared.id))
    throw new CommandFailure('template_circle', `The template ${name} runs itself, which would never end.`, {
      hint: 'Follow the runTemplate stages of the templates that it runs.',
    })
  if (nesting.length >= DEEPEST)
    throw new CommandFailure('template_depth', `Templates run templates more than ${DEEPEST} deep here.`)
  return prepared
}

/** The place of the mistake is in the template's text, not in the query's. */
function insideOf(name: string, error: unknown): unknown {
  if (!(error instanceof StageFailure)) return error
  const { code, message, hint, stage, line, column, sample } = error.error
  const place = stage === null ? '' : `, stage ${stage} (line ${line}, column ${column})`
  return new CommandFailure(code, `In the template ${name}${place}: ${message}`, {
    ...(hint !== null && { hint }),
    ...(sample !== null && { sample }),
  })
}

/** The cache with a note of the files that it keeps. */
const noting = (cache: StageCache, files: Set<string>): StageCache => ({
  find: cache.find,
  keep: (key, table, ttlSeconds) => {
    files.add(table.file)
    return cache.keep(key, table, ttlSeconds)
  },
})

/** What the stages of a template tell is told of the stage that runs it. */
class NestedObserver implements RunObserver {
  /** Journals and records of jobs, which nobody asks for later. */
  readonly files = new Set<string>()
  readonly #outer: RunObserver
  readonly #index: number
  readonly #jobs = new Map<number, JobCounts>()

  constructor(outer: RunObserver, index: number) {
    this.#outer = outer
    this.#index = index
  }

  get failed(): number {
    return this.#sum().failed
  }

  stage(index: number, { jobs, records }: Parameters<RunObserver['stage']>[1]): void {
    if (records) this.files.add(records)
    if (!jobs) return
    this.#jobs.set(index, jobs)
    this.#outer.stage(this.#index, { jobs: this.#sum() })
  }

  warn(warning: Parameters<RunObserver['warn']>[0]): void {
    this.#outer.warn({ ...warning, stage: this.#index })
  }

  borrow(file: string): void {
    this.#outer.borrow?.(file)
  }

  async journal(_index: number, file: string): Promise<void> {
    this.files.add(file)
  }

  #sum(): JobCounts {
    const all = [...this.#jobs.values()]
    const total = (of: (jobs: JobCounts) => number) => all.reduce((sum, jobs) => sum + of(jobs), 0)
    return {
      total: total(jobs => jobs.total),
      done: total(jobs => jobs.done),
      failed: total(jobs => jobs.failed),
    }
  }
}

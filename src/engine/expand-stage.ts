import type { Command } from '../commands/command.ts'
import type { Stage } from '../language/plan.ts'
import { tokensIn } from '../language/tokens-in.ts'
import { UnknownColumn } from '../sql/errors.ts'
import { placeOf } from '../sql/path.ts'
import type { Column } from '../sql/relation.ts'
import type { Constant } from './cache-key.ts'
import { type Expanded, Expansion } from './expansion.ts'
import type { JobExecutor } from './job-executor.ts'
import { JobRecords } from './job-records.ts'
import type { JobQueue } from './jobs.ts'
import type { RunObserver } from './run-options.ts'
import type { StageValues } from './stage-values.ts'
import type { StageFile } from './tables/stage-file.ts'
import type { Tables } from './tables/tables.ts'
import { writtenHosts } from './written-hosts.ts'

/** What expanding stages need beside the tables: who hands out their jobs, and who does them. */
export interface Expander {
  readonly queue: JobQueue
  readonly executor: JobExecutor
  /** Jobs of one stage at once, unless it says otherwise. */
  readonly concurrency: number
  /** As many as there are places for. */
  readonly mostConcurrency: number
}

export interface ExpandStageOptions {
  readonly id: string
  /** The same for the same stage of the same query, however often it is run. */
  readonly stageId: string
  /** What the user wrote: the hosts in it may be those of this machine or its network. */
  readonly written: string
  readonly tables: Tables
  readonly expander: Expander
  readonly constant: Constant
  readonly startedAt: Date
  readonly signal: AbortSignal
  readonly observer: RunObserver
  readonly input: StageFile | undefined
  /** A journal that a crash left, to be taken up. */
  readonly journal: string | undefined
}

/** Runs an expanding stage over its input rows; gives the table of all that came of them. */
export async function expandStage(
  stage: Stage,
  command: Command,
  values: StageValues,
  options: ExpandStageOptions,
): Promise<Expanded> {
  const { input, tables, expander, observer, signal, id, stageId } = options
  if (input && input.rows > 0) checkColumns(stage, input.columns)
  const journalFile = options.journal ?? tables.newJournal()
  const warned = new Set<string>()
  using _work = expander.executor.enter({
    queryId: id,
    stageId,
    stage,
    command,
    constant: options.constant,
    startedAt: options.startedAt,
    onError: values.expand.onError ?? 'keep',
    records: new JobRecords(stage),
    spool: input => expansion.spool(input),
    room: () => expansion.room(),
    pause: wait => expansion.pause(wait),
    tables,
    writtenHosts: writtenHosts(options.written),
    warn: (code, message) => {
      // Once, however many rows say it.
      if (warned.has(message)) return
      warned.add(message)
      observer.warn({ code, message, stage: stage.index })
    },
  })
  const expansion = new Expansion({
    queryId: id,
    stageId,
    stage,
    input,
    tables,
    queue: expander.queue,
    journalFile,
    bookJournal: async () => {
      if (!options.journal) await observer.journal(stage.index, journalFile)
    },
    concurrency: values.expand.concurrency ?? expander.concurrency,
    signal,
    onProgress: jobs => observer.stage(stage.index, { jobs }),
  })
  // Awaited here, so that the stage stays entered until it is done.
  return await expansion.run()
}

/** A misspelt column fails the stage before it sends anything, instead of every row of it. */
function checkColumns(stage: Stage, columns: readonly Column[]): void {
  const names = columns.map(column => column.name)
  for (const token of tokensIn([stage]).filter(({ kind }) => kind === 'row')) {
    if (!placeOf(columns, token.path)) throw new UnknownColumn(token.path.text, names, token.span)
  }
}

import type { ReduceContext } from '../commands/command.ts'
import { CommandFailure } from '../commands/failure.ts'
import type { Relation } from '../sql/relation.ts'
import type { CellarAccess, KeptTable } from './cellar.ts'
import type { StageFile } from './tables/stage-file.ts'

export interface RunCellarOptions {
  readonly cellar: CellarAccess
  readonly queryId: string
  readonly signal: AbortSignal
  /** A file that the cellar answers for, as a relation. */
  readonly lend: (table: StageFile) => Relation
  /** A relation in a file of its own. */
  readonly store: (relation: Relation) => Promise<StageFile>
  /** The cellar answers for this file from now on. */
  readonly give: (table: StageFile) => void
  /** The file must stay as long as the query runs, whatever becomes of its name. */
  readonly borrow: (file: string) => void
}

type CellarContext = Pick<ReduceContext<unknown>, 'cellar' | 'freeze' | 'baseline' | 'prepareBaseline'>

/** What the stages of a run see of the cellar. */
export class RunCellar {
  readonly #options: RunCellarOptions

  constructor(options: RunCellarOptions) {
    this.#options = options
  }

  /** `stage`: which of the run's stages, the same when it runs again. */
  context(stage: string): CellarContext {
    const { cellar, queryId, signal, lend, store, give } = this.#options
    const by = { queryId, stage }
    return {
      cellar: async name => {
        const kept = await this.#borrowed(() => cellar.find(name))
        if (!kept) throw noSuchFile(name)
        return lend(kept.table)
      },
      freeze: async (name, relation, mode) => {
        const table = await store(relation)
        const isTaken = await cellar.freeze(requiredName(name), table, mode, by, signal)
        if (isTaken) give(table)
      },
      baseline: async name => {
        const kept = await this.#borrowed(() => cellar.baseline(name))
        return kept && { relation: lend(kept.table), version: kept.version }
      },
      prepareBaseline: async (name, relation) => {
        const table = await store(relation)
        await cellar.prepareBaseline(name, table, by)
        give(table)
      },
    }
  }

  /** Looked up a second time: between the look and the loan somebody may have put another file there. */
  async #borrowed(find: () => Promise<KeptTable | undefined>): Promise<KeptTable | undefined> {
    for (let kept = await find(); kept; ) {
      this.#options.borrow(kept.table.file)
      const again = await find()
      if (again?.version === kept.version) return kept
      kept = again
    }
    return undefined
  }
}

const NAME = /^[A-Za-z0-9-_. ]{1,1000}$/

function requiredName(name: string): string {
  if (NAME.test(name)) return name
  throw new CommandFailure('cellar_name', 'A cellar file cannot have this name.', {
    hint: 'A name has 1 to 1000 letters, digits, dashes, underscores, dots and blanks.',
  })
}

const noSuchFile = (name: string): CommandFailure =>
  new CommandFailure('no_cellar_file', `There is no cellar file named ${name.slice(0, 100)}.`, {
    hint: 'freeze makes one of the rows of a query; others are uploaded.',
  })

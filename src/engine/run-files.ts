import { rm } from 'node:fs/promises'
import type { Relation } from '../sql/relation.ts'
import type { StageFile } from './tables/stage-file.ts'
import type { Tables } from './tables/tables.ts'

/** The files of one run: which relation is nothing but a file, and who answers for it. */
export class RunFiles {
  readonly #tables: Tables
  readonly #signal: AbortSignal
  readonly #files = new WeakMap<Relation, StageFile>()
  /** Made on the way, and no stage has told of them. */
  readonly #scratch = new Set<string>()
  /** Made by this run, told of or not, and nobody else has taken them. */
  readonly #own = new Set<string>()

  constructor(tables: Tables, signal: AbortSignal) {
    this.#tables = tables
    this.#signal = signal
  }

  /** The file behind a relation that is nothing but a file. */
  tableOf(relation: Relation): StageFile | undefined {
    return this.#files.get(relation)
  }

  /** A file that this run has made. */
  opened(table: StageFile): Relation {
    const relation = this.#tables.relation(table)
    this.#files.set(relation, table)
    this.#scratch.add(table.file)
    this.#own.add(table.file)
    return relation
  }

  /** A file that somebody else answers for: it stays when this run is over. */
  lent(table: StageFile): Relation {
    const relation = this.opened(table)
    this.giveAway(table)
    return relation
  }

  /** Somebody else answers for it from now on. */
  giveAway(table: StageFile): void {
    this.#scratch.delete(table.file)
    this.#own.delete(table.file)
  }

  /** A stage has told of it: it is that stage's own. */
  told(table: StageFile): void {
    this.#scratch.delete(table.file)
  }

  isOwn(table: StageFile): boolean {
    return this.#own.has(table.file)
  }

  get own(): readonly string[] {
    return [...this.#own]
  }

  /** The relation as a file, which it may be already. */
  async materialize(relation: Relation): Promise<Relation> {
    if (this.#files.has(relation)) return relation
    return this.opened(await this.#tables.materialize(relation, this.#signal))
  }

  async stored(relation: Relation): Promise<StageFile> {
    return this.#files.get(await this.materialize(relation))!
  }

  /** Takes away the files that were only steps on the way to a stage's own. */
  async discardScratch(): Promise<void> {
    for (const file of this.#scratch) await rm(file, { force: true })
    this.#scratch.clear()
  }
}

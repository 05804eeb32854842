import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { Json } from '../../language/json.ts'
import { type Column, orderBy, type Relation } from '../../sql/relation.ts'
import { rowText } from '../../sql/rows.ts'
import { sql } from '../../sql/sql.ts'
import type { Database } from '../tables/database.ts'
import type { IngestOptions } from '../tables/ingest.ts'
import { type StageFile, writeJournals } from '../tables/stage-file.ts'
import { columnsOf, DEFAULT_MAX_COLUMNS, tooManyColumns } from '../tables/tracker.ts'
import type { MapperPool, MapWorker } from './pool.ts'
import type { MappedPart } from './protocol.ts'

export interface Mapping {
  readonly mapper: string
  readonly options: Json
}

/** The rows that a mapper makes of a relation's rows, in their order, as a stage file. */
export async function mapRows(
  database: Database,
  pool: MapperPool,
  relation: Relation,
  mapping: Mapping,
  file: string,
  options: IngestOptions = {},
): Promise<StageFile> {
  const crew = new Crew(database, pool, mapping, options)
  try {
    const rows = sql`SELECT ${rowText(relation.columns)} FROM (${relation.sql}) ORDER BY ${orderBy(relation)}`
    let index = 0
    for await (const texts of database.texts(rows, options)) await crew.give(index++, texts)
    const parts = await crew.finish()
    const columns = mergeColumns(parts, options.maxColumns ?? DEFAULT_MAX_COLUMNS)
    const journals = parts.map(part => part.summary)
    return await writeJournals(database, journals, columns, file, options)
  } finally {
    await crew.disband()
  }
}

/** The threads at work on one mapping. A second one joins when the first is busy and another is free. */
class Crew {
  readonly #database: Database
  readonly #pool: MapperPool
  readonly #mapping: Mapping
  readonly #options: IngestOptions
  readonly #members: { readonly worker: MapWorker; busy: Promise<unknown> | undefined }[] = []
  readonly #journals: string[] = []
  readonly #failed = Promise.withResolvers<never>()
  #finished = false

  constructor(database: Database, pool: MapperPool, mapping: Mapping, options: IngestOptions) {
    this.#database = database
    this.#pool = pool
    this.#mapping = mapping
    this.#options = options
    this.#failed.promise.catch(() => undefined)
    options.signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** Hands over a batch; resolves when somebody has it, not when it is done. */
  async give(index: number, texts: readonly string[]): Promise<void> {
    const member = this.#members.find(candidate => !candidate.busy) ?? (await this.#another())
    const work = member.worker.ask({ kind: 'batch', index, texts })
    member.busy = work
    work.then(() => {
      member.busy = undefined
    }, this.#failed.reject)
  }

  async finish(): Promise<MappedPart[]> {
    const parts: MappedPart[] = []
    for (const member of this.#members) {
      await this.#orFailure(member.busy)
      const part = await this.#orFailure(member.worker.ask({ kind: 'finish' }))
      if (part) parts.push(part)
    }
    this.#finished = true
    return parts
  }

  async disband(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort)
    for (const { worker } of this.#members)
      if (this.#finished) worker.release()
      else await worker.end()
    for (const journal of this.#journals) await rm(journal, { force: true })
  }

  /** Somebody free: a new member, or the first of the others to be done. */
  async #another() {
    for (;;) {
      const worker =
        this.#members.length === 0 ? await this.#pool.lease(this.#options.signal) : this.#pool.leaseAnother()
      if (worker) return this.#join(worker)
      await this.#orFailure(Promise.race(this.#members.map(member => member.busy)))
      const free = this.#members.find(member => !member.busy)
      if (free) return free
    }
  }

  async #join(worker: MapWorker) {
    const journal = `${this.#database.scratch}/${randomUUID()}.ndjson`
    const member = { worker, busy: undefined }
    this.#members.push(member)
    this.#journals.push(journal)
    const maxColumns = this.#options.maxColumns ?? DEFAULT_MAX_COLUMNS
    await this.#orFailure(worker.ask({ kind: 'start', ...this.#mapping, journal, maxColumns }))
    return member
  }

  #orFailure<T>(work: Promise<T> | T): Promise<T> {
    return Promise.race([work, this.#failed.promise])
  }

  #abort = (): void => this.#failed.reject(this.#options.signal?.reason)
}

/** In the order in which a single thread would have met them: by the batch, then by the place in it. */
function mergeColumns(parts: readonly MappedPart[], maxColumns: number): Column[] {
  const merged = new Map<string, { batch: number; place: number; kinds: number }>()
  for (const { summary, firstBatches } of parts)
    for (const [place, columnName] of summary.state.names.entries()) {
      const batch = firstBatches[place]!
      const known = merged.get(columnName)
      const kinds = summary.state.kinds[place]! | (known?.kinds ?? 0)
      merged.set(columnName, known && known.batch < batch ? { ...known, kinds } : { batch, place, kinds })
    }
  if (merged.size > maxColumns) throw tooManyColumns(maxColumns)
  const sorted = [...merged].sort(([, a], [, b]) => a.batch - b.batch || a.place - b.place)
  return columnsOf({
    names: sorted.map(([columnName]) => columnName),
    kinds: sorted.map(([, { kinds }]) => kinds),
  })
}

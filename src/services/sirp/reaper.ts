import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from '../../log.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'

export interface ReaperOptions {
  readonly catalog: Catalog
  readonly folder: string
  /** Files of queries that run at this moment, by path: the catalog may not know of them yet. */
  readonly inUse: () => ReadonlySet<string>
  readonly log: Logger
}

/** Takes away what has had its time: results past their life, cache entries, and files that nobody refers to. */
export class Reaper {
  readonly #options: ReaperOptions
  #sweeping: Promise<void> = Promise.resolve()

  constructor(options: ReaperOptions) {
    this.#options = options
  }

  /** Before any query runs: what a crash left in the folder and no record knows. */
  async clearFolder(): Promise<void> {
    const { catalog, folder } = this.#options
    const known = new Set(
      (await catalog.db.selectFrom('files').select('name').execute()).map(file => file.name),
    )
    for (const entry of await readdir(folder)) {
      if (!known.has(entry)) await rm(join(folder, entry), { force: true, recursive: true })
    }
  }

  /** One sweep at a time; whoever asks meanwhile gets one more after it. */
  sweep(): Promise<void> {
    this.#sweeping = this.#sweeping
      .then(() => this.#expire())
      .then(() => this.#removeFiles())
      .catch(error => this.#options.log.error({ err: error }, 'sweeping away old results failed'))
    return this.#sweeping
  }

  /** Resolves when no sweep is under way. */
  idle(): Promise<void> {
    return this.#sweeping
  }

  async #expire(): Promise<void> {
    const now = new Date().toISOString()
    await this.#options.catalog.transaction(async db => {
      await db.deleteFrom('cache').where('expires_at', '<=', now).execute()
      const gone = await db
        .updateTable('queries')
        .set(eb => ({
          status: 'expired',
          summary: null,
          summary_status: 'none',
          revision: eb('revision', '+', 1),
        }))
        .where('expires_at', '<=', now)
        .where('status', '!=', 'expired')
        .returning('id')
        .execute()
      for (const { id } of gone) {
        await db
          .updateTable('stages')
          .set({ file: null, journal: null, status: 'expired' })
          .where('query_id', '=', id)
          .execute()
      }
    })
  }

  /** The record goes first: a file without one is cleared at the next start, a record without a file would be a lie. */
  async #removeFiles(): Promise<void> {
    const { catalog, folder, inUse } = this.#options
    const busy = [...inUse()].map(path => basename(path))
    const removed = await catalog.db
      .deleteFrom('files')
      .where(eb =>
        eb.not(eb.exists(eb.selectFrom('stages').select('idx').whereRef('stages.file', '=', 'files.name'))),
      )
      .where(eb =>
        eb.not(
          eb.exists(eb.selectFrom('stages').select('idx').whereRef('stages.journal', '=', 'files.name')),
        ),
      )
      .where(eb =>
        eb.not(eb.exists(eb.selectFrom('cache').select('key').whereRef('cache.file', '=', 'files.name'))),
      )
      .where(eb =>
        eb.not(
          eb.exists(
            eb.selectFrom('cellar_files').select('name').whereRef('cellar_files.file', '=', 'files.name'),
          ),
        ),
      )
      .where(eb =>
        eb.not(
          eb.exists(eb.selectFrom('baselines').select('name').whereRef('baselines.file', '=', 'files.name')),
        ),
      )
      .where(eb =>
        eb.not(
          eb.exists(
            eb.selectFrom('next_baselines').select('name').whereRef('next_baselines.file', '=', 'files.name'),
          ),
        ),
      )
      .$if(busy.length > 0, query => query.where('name', 'not in', busy))
      .returning('name')
      .execute()
    for (const { name } of removed) await rm(join(folder, name), { force: true })
  }
}

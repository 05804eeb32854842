import type { Selectable, Transaction } from 'kysely'
import type { JobCounts } from '../../engine/expansion.ts'
import type { QueryError } from '../../engine/failure.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import { ForageError } from '../../errors.ts'
import { type Row, stringifyJson } from '../../language/json.ts'
import type { CommandDocument, Stage } from '../../language/plan.ts'
import type { Column } from '../../sql/relation.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { QueryTable, Schema, StageTable } from '../../storage/catalog/schema.ts'
import { dropEarlierTables, writeCache, writeStage } from './book-writes.ts'

export type QueryRow = Selectable<QueryTable>
export type StageRow = Selectable<StageTable>

export interface NewQuery {
  readonly id: string
  readonly query: string
  readonly mode: QueryTable['mode']
  readonly metadata: object | null
  readonly ttl: number
  readonly minutes: number
  readonly cleanup: boolean
  readonly summary: boolean
  /** The schedule that this is a run of. */
  readonly scheduledId: string | null
  readonly templateId: string | null
  /** What its template was given. */
  readonly templateValues: Row | null
  /** A command that was dispatched by itself, and the query whose rows it works on. */
  readonly command: CommandOrigin | null
}

export interface CommandOrigin {
  readonly document: CommandDocument
  readonly prev: string | null
}

export interface StageOutcome {
  readonly status: StageTable['status']
  readonly table: StageFile | undefined
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  readonly fromCache: boolean
  readonly warnings: readonly string[]
  readonly jobs: JobCounts | undefined
  /** Where the outcomes of its jobs are written. */
  readonly journal: string | undefined
}

export interface CacheEntry {
  readonly key: string
  readonly table: StageFile
  readonly expiresAt: Date
}

export interface Filters {
  readonly status?: QueryTable['status'] | undefined
  readonly text?: string | undefined
  readonly since?: string | undefined
}

/** The catalog's book of queries and their stages. */
export class QueryBook {
  readonly #catalog: Catalog

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  async add(query: NewQuery, stages: readonly Stage[], startNow: boolean): Promise<QueryRow> {
    const now = new Date().toISOString()
    const status = startNow ? 'running' : 'queued'
    try {
      return await this.#catalog.transaction(async db => {
        const row = await db
          .insertInto('queries')
          .values({
            id: query.id,
            query: query.query,
            mode: query.mode,
            status,
            created_at: now,
            started_at: startNow ? now : null,
            metadata: query.metadata && JSON.stringify(query.metadata),
            ttl: query.ttl,
            minutes: query.minutes,
            cleanup: query.cleanup ? 1 : 0,
            summary_wanted: query.summary ? 1 : 0,
            scheduled_id: query.scheduledId,
            template_id: query.templateId,
            template_values: query.templateValues && stringifyJson(query.templateValues),
            plan: query.command && JSON.stringify(query.command),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        await db
          .insertInto('stages')
          .values(
            stages.map(stage => ({
              query_id: query.id,
              idx: stage.index,
              label: stage.label ?? null,
              kind: stage.declaration.kind,
              command: stage.declaration.name,
              status: 'queued' as const,
            })),
          )
          .execute()
        return row
      })
    } catch (error) {
      if (await this.find(query.id))
        throw new ForageError('name_taken', `There is a query with the id ${query.id} already.`)
      throw error
    }
  }

  find(id: string): Promise<QueryRow | undefined> {
    return this.#catalog.db.selectFrom('queries').selectAll().where('id', '=', id).executeTakeFirst()
  }

  stages(id: string): Promise<StageRow[]> {
    return this.#catalog.db
      .selectFrom('stages')
      .selectAll()
      .where('query_id', '=', id)
      .orderBy('idx')
      .execute()
  }

  /** `record` is told how many stages a query has, too. */
  async list<T>(
    filters: Filters,
    page: PageRequest,
    record: (row: QueryRow & { stages: number }) => T,
  ): Promise<Page<T>> {
    let query = this.#catalog.db.selectFrom('queries')
    if (filters.status) query = query.where('status', '=', filters.status)
    if (filters.text) query = query.where(eb => eb(eb.fn('instr', ['query', eb.val(filters.text)]), '>', 0))
    if (filters.since) query = query.where('created_at', '>=', new Date(filters.since).toISOString())
    const counted = query.selectAll().select(eb =>
      eb
        .selectFrom('stages')
        .select(inner => inner.fn.countAll<number>().as('n'))
        .whereRef('stages.query_id', '=', 'queries.id')
        .$asScalar()
        .$notNull()
        .as('stages'),
    )
    return listPage(counted.orderBy('created_at', 'desc').orderBy('id'), page, record)
  }

  /** The names of the columns that this query gave when it last completed. */
  async columnsOfLastRun(query: string): Promise<string[]> {
    const stage = await this.#catalog.db
      .selectFrom('queries')
      .innerJoin('stages', 'stages.query_id', 'queries.id')
      .select('stages.columns')
      .where('queries.query', '=', query)
      .where('queries.status', 'in', ['completed', 'expired'])
      .where('stages.columns', 'is not', null)
      .orderBy('queries.created_at', 'desc')
      .orderBy('stages.idx', 'desc')
      .executeTakeFirst()
    return stage ? (JSON.parse(stage.columns!) as Column[]).map(column => column.name) : []
  }

  /** Queries that the last stop or crash left unfinished, oldest first. */
  unfinished(): Promise<QueryRow[]> {
    return this.#catalog.db
      .selectFrom('queries')
      .selectAll()
      .where('status', 'in', ['queued', 'running'])
      .orderBy('created_at')
      .execute()
  }

  async start(id: string, startedAt: Date): Promise<void> {
    await this.#catalog.db
      .updateTable('queries')
      .set(eb => ({
        status: 'running',
        started_at: startedAt.toISOString(),
        revision: eb('revision', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
  }

  /** Stopped on purpose while it ran: it waits for the next start, and that is no crash. */
  async putBack(id: string): Promise<void> {
    await this.#catalog.db
      .updateTable('queries')
      .set({ status: 'queued', crashes: 0 })
      .where('id', '=', id)
      .execute()
  }

  /** The process died while it ran. It waits for its turn now: another crash before that is none of its doing. */
  async countCrash(id: string): Promise<void> {
    await this.#catalog.db
      .updateTable('queries')
      .set(eb => ({ status: 'queued', crashes: eb('crashes', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }

  /** The tables of stages and what the cache keeps of them, so that nothing is lost or paid for twice. */
  saveStages(
    id: string,
    stages: ReadonlyMap<number, StageOutcome>,
    cached: readonly CacheEntry[],
  ): Promise<void> {
    return this.#catalog.transaction(async db => {
      for (const [index, outcome] of stages) await writeStage(db, id, index, outcome)
      await writeCache(db, cached)
    })
  }

  /** The end of a query, with everything that was not saved yet, in one step. */
  finish(id: string, end: QueryEnd): Promise<void> {
    return this.#catalog.transaction(async db => {
      for (const [index, outcome] of end.stages) await writeStage(db, id, index, outcome)
      await writeCache(db, end.cached)
      if (end.keepOnlyLast) await dropEarlierTables(db, id)
      await end.also(db)
      await db
        .updateTable('queries')
        .set(eb => ({
          status: end.status,
          finished_at: end.finishedAt.toISOString(),
          expires_at: end.expiresAt.toISOString(),
          rows: end.rows,
          failed_rows: end.failedRows,
          from_cache: end.fromCache ? 1 : 0,
          error: end.error && JSON.stringify(end.error),
          warnings: JSON.stringify(end.warnings),
          crashes: 0,
          revision: eb('revision', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
    })
  }

  async saveSummary(id: string, status: QueryRow['summary_status'], summary: Row | null): Promise<void> {
    await this.#catalog.db
      .updateTable('queries')
      .set({ summary_status: status, summary: summary && stringifyJson(summary) })
      .where('id', '=', id)
      .execute()
  }

  async remove(id: string): Promise<boolean> {
    const result = await this.#catalog.db.deleteFrom('queries').where('id', '=', id).executeTakeFirst()
    return result.numDeletedRows > 0n
  }
}

export interface QueryEnd {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly finishedAt: Date
  readonly expiresAt: Date
  readonly rows: number | null
  readonly failedRows: number
  readonly fromCache: boolean
  readonly error: QueryError | null
  readonly warnings: readonly string[]
  /** What becomes true together with it, such as its checkpoints. */
  readonly also: (db: Transaction<Schema>) => Promise<void>
  /** `turbo` and `cleanup`: the rows of all other stages go. */
  readonly keepOnlyLast: boolean
  readonly stages: ReadonlyMap<number, StageOutcome>
  readonly cached: readonly CacheEntry[]
}

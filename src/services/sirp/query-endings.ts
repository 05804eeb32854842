import type { Transaction } from 'kysely'
import { NOWHERE, type QueryError, StageFailure } from '../../engine/failure.ts'
import type { Logger } from '../../log.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import type { Cellar } from '../cellar/cellar.ts'
import type { NamedTexts } from '../secrets/named-texts.ts'
import { type ActiveQuery, Stopped } from './active-query.ts'
import type { QueryBook } from './query-book.ts'

export interface EndingsOptions {
  readonly book: QueryBook
  readonly cellar: Pick<Cellar, 'settle'>
  readonly checkpoints: Pick<NamedTexts, 'save'>
  readonly log: Logger
}

type Checkpoints = ReadonlyMap<string, string>

/** Later years have more digits, and times are compared as text. */
const LAST_TIME_MS = Date.UTC(9999, 11, 31)

/** Writes down how queries end, with all that changes only then: their checkpoints and what they put into the cellar. */
export class QueryEndings {
  readonly #options: EndingsOptions

  constructor(options: EndingsOptions) {
    this.#options = options
  }

  async complete(query: ActiveQuery, rows: number, checkpoints: Checkpoints): Promise<void> {
    await this.#end(query, 'completed', { rows, checkpoints })
  }

  /** One that the service stops under goes back into the queue: it is taken up at the next start. */
  async fail(query: ActiveQuery, cause: unknown): Promise<void> {
    const stopped = cause instanceof Stopped ? cause.reason : undefined
    if (stopped === undefined && !(cause instanceof StageFailure))
      this.#options.log.error({ err: cause, query: query.row.id }, 'a query failed unexpectedly')
    try {
      if (stopped === 'shutdown') await this.#putBack(query)
      else await this.#end(query, stopped === 'cancelled' ? 'cancelled' : 'failed', { error: errorOf(cause) })
    } catch (error) {
      this.#options.log.error(
        { err: error, query: query.row.id },
        'the end of a query could not be written down',
      )
    }
  }

  /** A query that is given up before it is taken up: its end, without a run. */
  async giveUp(query: ActiveQuery, error: QueryError): Promise<void> {
    const stage = query.stages.findIndex(({ status }) => status !== 'completed')
    if (stage >= 0) query.stage(stage, { status: 'failed' })
    await this.#end(query, 'failed', { error })
    query.settle()
  }

  async #putBack(query: ActiveQuery): Promise<void> {
    await query.saved
    await this.#options.book.putBack(query.row.id)
    query.row.status = 'queued'
  }

  async #end(
    query: ActiveQuery,
    status: 'completed' | 'failed' | 'cancelled',
    outcome: { rows?: number; error?: QueryError | null; checkpoints?: Checkpoints },
  ): Promise<void> {
    const { rows = null, error = null, checkpoints = new Map() } = outcome
    const { row } = query
    const finishedAt = new Date()
    const unsaved = await query.takeUnsaved()
    const end = {
      status,
      finishedAt,
      expiresAt: new Date(Math.min(finishedAt.getTime() + row.ttl * 1000, LAST_TIME_MS)),
      rows,
      failedRows: query.failedRows,
      fromCache: status === 'completed' && query.stages.every(stage => stage.fromCache),
      error,
      warnings: query.warnings,
      keepOnlyLast: row.mode === 'turbo' || row.cleanup === 1,
      also: async (db: Transaction<Schema>) => {
        await this.#options.checkpoints.save(checkpoints, db)
        await this.#options.cellar.settle(row.id, status === 'completed', db)
      },
      ...unsaved,
    } as const
    await this.#options.book.finish(row.id, end)
    Object.assign(row, {
      status,
      rows,
      failed_rows: end.failedRows,
      finished_at: finishedAt.toISOString(),
      expires_at: end.expiresAt.toISOString(),
      from_cache: end.fromCache ? 1 : 0,
      error: error && JSON.stringify(error),
      warnings: JSON.stringify(end.warnings),
      revision: row.revision + 1,
    })
  }
}

function errorOf(cause: unknown): QueryError | null {
  if (cause instanceof StageFailure) return cause.error
  if (cause instanceof Stopped) {
    if (cause.reason === 'cancelled') return null
    return {
      ...NOWHERE,
      code: 'timeout',
      message: cause.message,
      hint: 'Give it more `minutes`, or ask for less at once.',
    }
  }
  return {
    ...NOWHERE,
    code: 'internal_error',
    message: 'Something went wrong on our side; the log has the reason.',
  }
}

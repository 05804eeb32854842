import { basename } from 'node:path'
import type { Transaction } from 'kysely'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import type { CacheEntry, StageOutcome } from './query-book.ts'

export async function writeStage(
  db: Transaction<Schema>,
  id: string,
  index: number,
  outcome: StageOutcome,
): Promise<void> {
  const { table, journal, jobs } = outcome
  if (table) await writeFile(db, table)
  if (journal) await writeFile(db, { file: journal, bytes: 0 })
  await db
    .updateTable('stages')
    .set({
      status: outcome.status,
      started_at: outcome.startedAt?.toISOString() ?? null,
      finished_at: outcome.finishedAt?.toISOString() ?? null,
      from_cache: outcome.fromCache ? 1 : 0,
      warnings: JSON.stringify(outcome.warnings),
      ...(jobs && { jobs: JSON.stringify(jobs), failed_rows: jobs.failed }),
      ...(journal && { journal: basename(journal) }),
      ...(table && { file: basename(table.file), rows: table.rows, columns: JSON.stringify(table.columns) }),
    })
    .where('query_id', '=', id)
    .where('idx', '=', index)
    .execute()
  if (outcome.fromCache && table) await shareScreenshots(db, id, index, basename(table.file))
}

/** The screenshots that a stage took are of every query that has its rows, by way of the cache too. */
const shareScreenshots = (db: Transaction<Schema>, id: string, index: number, file: string) =>
  db
    .insertInto('query_screenshots')
    .columns(['query_id', 'stage', 'hash', 'url', 'at'])
    .expression(
      db
        .selectFrom('query_screenshots as tie')
        .innerJoin('stages as maker', maker =>
          maker.onRef('maker.query_id', '=', 'tie.query_id').onRef('maker.idx', '=', 'tie.stage'),
        )
        .where('maker.file', '=', file)
        .where('maker.query_id', '!=', id)
        .select(({ val }) => [
          val(id).as('query_id'),
          val(index).as('stage'),
          'tie.hash',
          'tie.url',
          'tie.at',
        ]),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()

export const dropEarlierTables = (db: Transaction<Schema>, id: string) =>
  db
    .updateTable('stages')
    .set({ file: null, journal: null })
    .where('query_id', '=', id)
    .where('idx', '<', eb =>
      eb
        .selectFrom('stages as all')
        .select(inner => inner.fn.max('all.idx').as('last'))
        .where('all.query_id', '=', id),
    )
    .execute()

export async function writeCache(db: Transaction<Schema>, entries: readonly CacheEntry[]): Promise<void> {
  for (const { key, table, expiresAt } of entries) {
    await writeFile(db, table)
    const made = {
      file: basename(table.file),
      rows: table.rows,
      columns: JSON.stringify(table.columns),
      created_at: new Date().toISOString(),
      expires_at: expiresAt.toISOString(),
    }
    await db
      .insertInto('cache')
      .values({ key, ...made })
      .onConflict(conflict => conflict.column('key').doUpdateSet(made))
      .execute()
  }
}

const writeFile = (db: Transaction<Schema>, table: Pick<StageFile, 'file' | 'bytes'>) =>
  db
    .insertInto('files')
    .values({ name: basename(table.file), bytes: table.bytes, created_at: new Date().toISOString() })
    .onConflict(conflict => conflict.doNothing())
    .execute()

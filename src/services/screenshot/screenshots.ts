import type { Readable } from 'node:stream'
import type { Selectable, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import { countRows } from '../../storage/catalog/count-rows.ts'
import { listPage, type Page, type PageRequest } from '../../storage/catalog/page.ts'
import type { Schema, ScreenshotTable } from '../../storage/catalog/schema.ts'
import type { ScreenshotRecord } from './records.ts'

export type ScreenshotType = 'png' | 'jpeg' | 'webp'

export interface ScreenshotFacts {
  readonly type: ScreenshotType
  readonly width: number
  readonly height: number
  /** The page that it shows. */
  readonly url: string
}

/** A screenshot as the operation on a query's screenshots answers it. */
export interface QueryScreenshot extends ScreenshotFacts {
  readonly hash: string
  readonly stage: number | null
  readonly at: string
}

export type ListedScreenshot = Static<typeof ScreenshotRecord>

const FOLDER = 'screenshots'
/** One that is taken every hour is referred to by a great many queries. */
const MOST_QUERIES = 10

/** Images under the SHA-256 of their bytes: the same image is kept once, however often it was taken. */
export class Screenshots {
  readonly #catalog: Catalog
  readonly #blobs: Blobs
  /** Those that nobody refers to live this long. */
  readonly #lifeMs: number

  constructor(catalog: Catalog, blobs: Blobs, lifeMs: number) {
    this.#catalog = catalog
    this.#blobs = blobs
    this.#lifeMs = lifeMs
  }

  /** Keeps an image; gives its hash. */
  async keep(bytes: Uint8Array, { type, width, height, url }: ScreenshotFacts): Promise<string> {
    const { hash } = await this.#blobs.putHashed(FOLDER, bytes)
    const at = new Date().toISOString()
    await this.#catalog.db
      .insertInto('screenshots')
      .values({ hash, type, width, height, url, bytes: bytes.byteLength, created_at: at, taken_at: at })
      .onConflict(conflict => conflict.column('hash').doUpdateSet({ taken_at: at, url }))
      .execute()
    return hash
  }

  /** The image and its type; undefined when there is none of this hash. */
  async read(hash: string): Promise<{ type: ScreenshotType; bytes: number; content: Readable } | undefined> {
    if (!/^[0-9a-f]{64}$/.test(hash)) return undefined
    const found = await this.#catalog.db
      .selectFrom('screenshots')
      .select(['type', 'bytes'])
      .where('hash', '=', hash)
      .executeTakeFirst()
    if (!found) return undefined
    const content = await this.#blobs.get(`${FOLDER}/${hash}`)
    return content && { type: found.type, bytes: Number(found.bytes), content }
  }

  /** The latest first. */
  async list(page: PageRequest): Promise<Page<ListedScreenshot>> {
    const all = this.#catalog.db.selectFrom('screenshots').selectAll()
    const record = async ({ created_at, taken_at, bytes, ...row }: Selectable<ScreenshotTable>) => ({
      ...row,
      bytes: Number(bytes),
      createdAt: created_at,
      takenAt: taken_at,
      queries: await this.#queriesOf(row.hash),
    })
    const { items, total } = await listPage(all.orderBy('taken_at', 'desc').orderBy('hash'), page, record)
    return { items: await Promise.all(items), total }
  }

  async #queriesOf(hash: string): Promise<ListedScreenshot['queries']> {
    const rows = await this.#catalog.db
      .selectFrom('query_screenshots')
      .select(({ fn }) => ['query_id as id', fn.max('stage').as('stage')])
      .where('hash', '=', hash)
      .groupBy('query_id')
      .orderBy(({ fn }) => fn.max('at'), 'desc')
      .limit(MOST_QUERIES)
      .execute()
    return rows.map(({ id, stage }) => ({ id, stage: stage < 0 ? null : stage }))
  }

  count(): Promise<number> {
    return countRows(this.#catalog.db.selectFrom('screenshots'))
  }

  /** A stage of a query took it: it lives as long as the query, and goes with it. */
  async tie(hash: string, queryId: string, stage: number | null, url: string): Promise<void> {
    await this.#catalog.db
      .insertInto('query_screenshots')
      .values({ query_id: queryId, stage: stage ?? -1, hash, url, at: new Date().toISOString() })
      .onConflict(conflict => conflict.columns(['query_id', 'stage', 'hash', 'url']).doNothing())
      .execute()
  }

  /** In the order in which they were taken. */
  async ofQuery(queryId: string): Promise<QueryScreenshot[]> {
    const rows = await this.#catalog.db
      .selectFrom('query_screenshots as tie')
      .innerJoin('screenshots as kept', 'kept.hash', 'tie.hash')
      .select(['tie.hash', 'tie.stage', 'tie.url', 'tie.at', 'kept.type', 'kept.width', 'kept.height'])
      .where('tie.query_id', '=', queryId)
      .orderBy('tie.at')
      .execute()
    return rows.map(({ stage, ...row }) => ({ ...row, stage: stage < 0 ? null : stage }))
  }

  /** A manifest keeps these alive, and no longer those that it named before. */
  async keepFor(manifest: string, hashes: readonly string[], db: Transaction<Schema>): Promise<void> {
    await db.deleteFrom('manifest_screenshots').where('manifest', '=', manifest).execute()
    const rows = [...new Set(hashes)].map(hash => ({ manifest, hash }))
    if (rows.length > 0) await db.insertInto('manifest_screenshots').values(rows).execute()
  }

  /** Removes those that no query and no manifest refers to and that are old enough; gives how many. */
  async reap(now = Date.now()): Promise<number> {
    const before = new Date(now - this.#lifeMs).toISOString()
    const { db } = this.#catalog
    const stale = await db
      .selectFrom('screenshots')
      .select('hash')
      .where('taken_at', '<=', before)
      .where('hash', 'not in', db.selectFrom('query_screenshots').select('hash'))
      .where('hash', 'not in', db.selectFrom('manifest_screenshots').select('hash'))
      .execute()
    for (const { hash } of stale) {
      // The record first: a hash that is answered for must have its image.
      await db.deleteFrom('screenshots').where('hash', '=', hash).execute()
      await this.#blobs.delete(`${FOLDER}/${hash}`)
    }
    return stale.length
  }
}

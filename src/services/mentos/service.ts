import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transaction } from 'kysely'
import { CommandFailure } from '../../commands/failure.ts'
import type {
  Deliveries,
  DeliveryOrder,
  DeliveryOutcome,
  StageDelivery,
  StoreReading,
} from '../../engine/deliveries.ts'
import { ForageError } from '../../errors.ts'
import type { CommandDeclaration } from '../../language/declaration.ts'
import type { Row } from '../../language/json.ts'
import type { Logger } from '../../log.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Schema } from '../../storage/catalog/schema.ts'
import { dataFolderPaths } from '../../storage/data-folder.ts'
import { type StoreContext, StoreError } from '../../stores/store.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Service } from '../service.ts'
import { type DeliveryClock, systemDeliveryClock } from './clock.ts'
import { Delivery, patienceOf } from './delivery.ts'
import { DeliveryBook } from './delivery-book.ts'
import { processorProblem } from './processors.ts'
import { ProgressFile } from './progress-file.ts'
import { Sender } from './sender.ts'
import { storedRows } from './stored-rows.ts'
import { type OpenStore, Stores } from './stores.ts'
import { type StreamConfig, Streams } from './streams.ts'
import { Throttle } from './throttle.ts'

interface ShownStore {
  readonly name: string
  readonly type: string
}

/** Where what was delivered is told besides the store itself: its manifest. */
export interface DeliveryReports {
  /** Together with what else is written down of its arrival. */
  delivered(db: Transaction<Schema>, store: ShownStore, outcome: DeliveryOutcome): Promise<void>
  failed(store: ShownStore, message: string): Promise<void>
}

/** sirp's tables, for rows that come without a query. */
export interface StreamTables {
  /** Puts rows into a table for as long as `use` takes to bring them to a store. */
  withOrder<T>(
    rows: readonly Row[],
    delivery: Omit<StageDelivery, 'table'>,
    signal: AbortSignal,
    use: (order: DeliveryOrder) => Promise<T>,
  ): Promise<T>
}

export interface MentosOptions {
  readonly catalog: Catalog
  readonly vault: Vault
  readonly commands: readonly CommandDeclaration[]
  readonly context: StoreContext
  readonly reports: DeliveryReports
  /** Asked when a stream is written to; throws while sirp does not run. */
  readonly tables: () => StreamTables
  readonly log: Logger
  readonly clock?: DeliveryClock
}

/** How long it is known how a delivery ended. */
const REMEMBERED_MS = 30 * 24 * 3_600_000
const CHECK_MS = 15_000

/** mentos: rows to stores. */
export class MentosService implements Service, Deliveries {
  readonly name = 'mentos'
  readonly needs = ['secrets'] as const
  readonly stores: Stores
  readonly streams: Streams
  readonly #options: MentosOptions
  readonly #book: DeliveryBook
  readonly #throttle: Throttle
  readonly #clock: DeliveryClock
  readonly #progressFolder: string
  #stopping = new AbortController()
  #underway = 0

  constructor(options: MentosOptions) {
    const { catalog, vault, commands } = options
    this.#options = options
    this.#clock = options.clock ?? systemDeliveryClock
    this.#book = new DeliveryBook(catalog)
    this.#throttle = new Throttle(this.#clock)
    const { temporaryFolder } = dataFolderPaths(options.context.dataFolder)
    this.#progressFolder = join(temporaryFolder, 'deliveries')
    this.stores = new Stores(catalog, vault, processors => processorProblem(processors, commands))
    this.streams = new Streams(catalog)
  }

  async start(): Promise<void> {
    this.#stopping = new AbortController()
    const before = new Date(this.#clock.now() - REMEMBERED_MS)
    await this.#book.forget(before)
    await ProgressFile.sweep(this.#progressFolder, before)
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new ForageError('service_unavailable', 'The service mentos is stopping.'))
  }

  detail(): string {
    return this.#underway === 0 ? 'no delivery is under way' : `${this.#underway} deliveries are under way`
  }

  /** Connects to a store; gives what is wrong, in words. */
  async test(name: string): Promise<StoreError | undefined> {
    const { kind, config } = await this.stores.open(name)
    const signal = AbortSignal.any([AbortSignal.timeout(CHECK_MS), this.#stopping.signal])
    try {
      await kind.check(config, this.#options.context, signal)
      return undefined
    } catch (error) {
      if (error instanceof StoreError) return error
      if (signal.aborted) return new StoreError('timeout', `It gave no answer within ${CHECK_MS / 1000} s.`)
      this.#options.log.warn({ err: error, store: name }, 'the test of a store failed unexpectedly')
      return new StoreError('failed', error instanceof Error ? error.message : String(error))
    }
  }

  async deliver(order: DeliveryOrder): Promise<DeliveryOutcome> {
    const store = await this.#open(order.request.store)
    this.#underway++
    let { table } = order
    try {
      table = await order.process(table, store.processors)
      const outcome = await this.#carry(store, order, table)
      if (outcome.refused > 0) await this.#keepDeadLetters(store, order, outcome.refused)
      await this.#report(() => this.#count(order.id, store, outcome))
      return outcome
    } finally {
      this.#underway--
      if (table !== order.table) await rm(table.file, { force: true })
    }
  }

  storeNames(): Promise<ReadonlySet<string>> {
    return this.stores.names()
  }

  async read<T>(
    { store: name, name: target, tables, signal }: StoreReading,
    take: (rows: AsyncIterable<Row>) => Promise<T>,
  ): Promise<T> {
    const store = await this.#open(name)
    const { kind, config } = store
    if (!kind.read)
      throw new CommandFailure('not_readable', `Stores of type ${kind.type} cannot be read, only written to.`)
    const sender = new Sender({
      clock: this.#clock,
      signal,
      patienceMs: patienceOf(store),
      turn: () => undefined,
    })
    try {
      return await sender.attempt(async () => {
        const reader = await kind.read!(config, target, this.#options.context, signal)
        return take(storedRows(reader, tables.database, signal))
      })
    } catch (error) {
      if (signal.aborted) throw error
      throw failureOf(store, error, { what: 'Reading from', code: 'read_failed' })
    }
  }

  /** Writes rows to a store: by a stream, or by the name of the store. */
  async write(config: StreamConfig, rows: readonly Row[]): Promise<DeliveryOutcome> {
    const { signal } = this.#stopping
    const { store, format, batch, target } = config
    const request = {
      store,
      name: target ?? undefined,
      mode: 'append' as const,
      format: format ?? undefined,
      batch: batch ?? undefined,
      key: [],
    }
    const delivery = { id: randomUUID(), request, progress: () => {}, warn: () => {} }
    return this.#options.tables().withOrder(rows, delivery, signal, order => this.deliver(order))
  }

  async #open(name: string): Promise<OpenStore> {
    try {
      return await this.stores.open(name)
    } catch (error) {
      if (!(error instanceof ForageError) || error.code !== 'not_found') throw error
      throw new CommandFailure('no_such_store', error.message, {
        hint: 'POST /v1/secrets/stores makes one; GET lists those that there are.',
      })
    }
  }

  async #carry(
    store: OpenStore,
    order: DeliveryOrder,
    table: DeliveryOrder['table'],
  ): Promise<DeliveryOutcome> {
    const parts = {
      book: this.#book,
      throttle: this.#throttle,
      clock: this.#clock,
      context: this.#options.context,
      progressFolder: this.#progressFolder,
    }
    try {
      return await new Delivery(parts, store, order).run(table)
    } catch (error) {
      // It is taken up again from where it stood: nothing failed.
      if (order.signal.aborted) throw error
      const failure = failureOf(store, error)
      await this.#book.end(order.id, 'failed', failure.message)
      await this.#keepDeadLetters(store, order, undefined)
      await this.stores.failed(store.name, failure.message)
      await this.#report(() => this.#options.reports.failed(shown(store), failure.message))
      throw failure
    }
  }

  async #keepDeadLetters(store: OpenStore, order: DeliveryOrder, refused: number | undefined): Promise<void> {
    const letters = this.#book.deadLetters(order.id)
    const first = await letters.next()
    if (first.done) return
    const name = `${store.name} dead letters`.slice(-1000)
    await order.keep(name, startingWith(first.value, letters))
    await this.#book.deadLettersKept(order.id, name)
    if (refused !== undefined)
      order.warn(
        'rows_refused',
        `The store ${store.name} refused ${refused} rows; the cellar file "${name}" has them, with the reasons.`,
      )
  }

  /** Once, also where a crash lets the query deliver again what has arrived. */
  async #count(id: string, store: OpenStore, outcome: DeliveryOutcome): Promise<void> {
    await this.#book.countOnce(id, async db => {
      await this.stores.delivered(db, store.name, outcome)
      await this.#options.reports.delivered(db, shown(store), outcome)
    })
  }

  /** What was delivered was, whether or not it could be told. */
  async #report(tell: () => Promise<void>): Promise<void> {
    await tell().catch(error => this.#options.log.error({ err: error }, 'a delivery could not be reported'))
  }
}

const shown = ({ name, kind }: OpenStore): ShownStore => ({ name, type: kind.type })

async function* startingWith(first: Row, rest: AsyncIterable<Row>): AsyncGenerator<Row> {
  yield first
  yield* rest
}

function failureOf(
  store: OpenStore,
  error: unknown,
  { what, code: otherwise } = { what: 'The delivery to', code: 'delivery_failed' },
): CommandFailure {
  if (error instanceof CommandFailure) return error
  const said = error instanceof Error ? error.message : String(error)
  const code = error instanceof StoreError ? error.code : otherwise
  return new CommandFailure(code, `${what} the store ${store.name} failed. ${said}`, {
    hint: `POST /v1/secrets/stores/${encodeURIComponent(store.name)}/test says whether the store answers.`,
  })
}

import { CommandFailure } from '../../commands/failure.ts'
import type { DeliveryOrder, DeliveryOutcome } from '../../engine/deliveries.ts'
import { exportTable } from '../../engine/tables/export.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import { asObject, type Batch } from '../../stores/shared/batch.ts'
import type { DeliveryTarget, FileWriter, RowWriter, StoreContext, StoreWriter } from '../../stores/store.ts'
import { batches } from './batches.ts'
import type { DeliveryClock } from './clock.ts'
import type { DeliveryBook } from './delivery-book.ts'
import { outgoing } from './outgoing.ts'
import { Progress } from './progress.ts'
import { eachInTurn } from './read-ahead.ts'
import { type Refused, Sender } from './sender.ts'
import type { OpenStore } from './stores.ts'
import type { Throttle } from './throttle.ts'

export interface DeliveryParts {
  readonly book: DeliveryBook
  readonly throttle: Throttle
  readonly clock: DeliveryClock
  readonly context: StoreContext
  /** Where it is written down how far deliveries have come. */
  readonly progressFolder: string
}

const defaults = { batch: 1000, batchBytes: 4 * 1024 * 1024, refusals: 0.5, patience: 900 }
/** A slow source is not waited for longer than this before the rows that are there leave. */
const LONGEST_IN_HAND_MS = 5000
/** Fewer rows than this say nothing about a share. */
const ROWS_FOR_A_SHARE = 100

interface Limits {
  readonly batch?: number
  readonly batchBytes?: number
  readonly refusals?: number
  readonly patience?: number
  readonly throughput?: number
}

/** Milliseconds that a store which is out of reach is waited for. */
export const patienceOf = ({ config }: OpenStore): number =>
  ((config.configuration as Limits).patience ?? defaults.patience) * 1000

/** One delivery on its way, from the row on that an earlier process got to. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #store: OpenStore
  readonly #order: DeliveryOrder
  readonly #limits: Limits
  readonly #sender: Sender
  #refused = 0

  constructor(parts: DeliveryParts, store: OpenStore, order: DeliveryOrder) {
    this.#parts = parts
    this.#store = store
    this.#order = order
    this.#limits = store.config.configuration as Limits
    const { signal } = order
    this.#sender = new Sender({
      clock: parts.clock,
      signal,
      patienceMs: patienceOf(store),
      turn: rows => parts.throttle.take(store.name, rows, this.#limits.throughput, signal),
    })
  }

  /** Brings the rows there. Gives what arrived, over all processes that worked on it. */
  async run(table: StageFile): Promise<DeliveryOutcome> {
    const { id, request } = this.#order
    const { book, progressFolder } = this.#parts
    const begun = await book.begin(id, this.#store.name, request.name, table.rows)
    const progress = new Progress(book, progressFolder, begun)
    this.#refused = Number(begun.refused)
    this.#tell(progress)
    try {
      if (begun.status !== 'completed') await this.#deliver(table, progress)
    } finally {
      // One that is only interrupted is taken up from there.
      if (!this.#order.signal.aborted) progress.discard()
    }
    return { rows: table.rows - this.#refused, bytes: progress.reached.bytes, refused: this.#refused }
  }

  async #deliver(table: StageFile, progress: Progress): Promise<void> {
    const target = this.#target(table, progress.reached.done)
    const { kind, config } = this.#store
    const writer = await this.#sender.attempt(() => kind.open(config, target, this.#parts.context))
    try {
      if (writer.kind === 'file') await this.#putFile(writer, table, progress)
      else await this.#sendRows(writer, table, progress)
      this.#checkShare(table.rows, true)
    } finally {
      await progress.saved().catch(() => {})
      progress.close()
      await writer.close()
    }
    await this.#parts.book.end(target.id, 'completed', null)
  }

  #target(table: StageFile, delivered: number): DeliveryTarget {
    const { id, request, signal } = this.#order
    return {
      id,
      name: request.name,
      mode: request.mode,
      format: request.format,
      key: request.key,
      columns: table.columns.map(({ name, type }) => ({ name, type })),
      total: table.rows,
      delivered,
      signal,
    }
  }

  async #putFile(writer: FileWriter, table: StageFile, progress: Progress): Promise<void> {
    const { tables, signal } = this.#order
    const bytes = await this.#sender.attempt(async () => {
      const content = await exportTable(tables.database, table, writer.format, { signal })
      try {
        await writer.put(content.stream)
        return content.bytes
      } finally {
        content.stream.destroy()
      }
    })
    this.#note(progress, table.rows, bytes, [])
    await progress.saved()
  }

  async #sendRows(writer: RowWriter, table: StageFile, progress: Progress): Promise<void> {
    const { id, tables, signal } = this.#order
    const rows = outgoing(tables, table, {
      from: progress.reached.done,
      form: writer.form,
      deliveryId: id,
      signal,
    })
    const limits = this.#batchLimits(writer)
    await eachInTurn(batches(rows, limits, this.#parts.clock), async batch => {
      const refused = await this.#sender.send(writer, batch)
      const done = progress.reached.done + batch.size
      this.#note(progress, done, bytesOf(batch, refused), asObjects(refused, writer, table))
      this.#checkShare(done, false)
    })
    await progress.saved()
    await this.#sender.attempt(() => writer.finish())
  }

  #batchLimits({ ceiling }: Extract<StoreWriter, { kind: 'rows' }>) {
    const wanted = this.#order.request.batch ?? this.#limits.batch ?? defaults.batch
    return {
      rows: Math.min(ceiling.rows, wanted),
      bytes: Math.min(ceiling.bytes, this.#limits.batchBytes ?? defaults.batchBytes),
      ms: LONGEST_IN_HAND_MS,
    }
  }

  #note(progress: Progress, done: number, bytes: number, refused: readonly Refused[]): void {
    this.#refused += refused.length
    progress.note({ done, bytes, refused })
    this.#tell(progress)
  }

  #tell({ reached: { total, done } }: Progress): void {
    this.#order.progress({ total, done, failed: this.#refused })
  }

  #checkShare(tried: number, isEnd: boolean): void {
    const share = this.#limits.refusals ?? defaults.refusals
    if ((tried < ROWS_FOR_A_SHARE && !isEnd) || this.#refused <= share * tried) return
    throw new CommandFailure(
      'delivery_refused',
      `The store ${this.#store.name} refused ${this.#refused} of ${tried} rows, more than the share of ${share} that it may.`,
      { hint: 'The refused rows are kept with the reasons; `refusals` of the store sets the share.' },
    )
  }
}

/** Refused rows are kept as rows, however they were sent. */
const asObjects = (
  refused: readonly Refused[],
  { form }: RowWriter,
  { columns }: StageFile,
): readonly Refused[] =>
  form === 'values' ? refused.map(one => ({ ...one, item: asObject(one.item, columns) })) : refused

const bytesOf = (batch: Batch, refused: readonly Refused[]): number =>
  batch.bytes - refused.reduce((sum, { item }) => sum + item.bytes, 0)

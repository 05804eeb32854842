import { CommandFailure } from '../../commands/failure.ts'
import type { DeliveryOrder, DeliveryOutcome } from '../../engine/deliveries.ts'
import { exportTable } from '../../engine/tables/export.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Batch } from '../../stores/shared/batch.ts'
import type { DeliveryTarget, FileWriter, RowWriter, StoreContext, StoreWriter } from '../../stores/store.ts'
import { batches, outgoing, readAhead } from './batches.ts'
import type { DeliveryClock } from './clock.ts'
import type { DeliveryBook, DeliveryRow } from './delivery-book.ts'
import { Progress } from './progress.ts'
import { type Refused, Sender } from './sender.ts'
import type { OpenStore } from './stores.ts'
import type { Throttle } from './throttle.ts'

export interface DeliveryParts {
  readonly book: DeliveryBook
  readonly throttle: Throttle
  readonly clock: DeliveryClock
  readonly context: StoreContext
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

/** One delivery on its way, from the row on that an earlier process got to. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #store: OpenStore
  readonly #order: DeliveryOrder
  readonly #limits: Limits
  readonly #sender: Sender
  #done = 0
  #refused = 0
  #bytes = 0
  readonly #progress: Progress

  constructor(parts: DeliveryParts, store: OpenStore, order: DeliveryOrder) {
    this.#parts = parts
    this.#store = store
    this.#order = order
    this.#limits = store.config.configuration as Limits
    this.#progress = new Progress(parts.book, order.id)
    const { signal } = order
    this.#sender = new Sender({
      clock: parts.clock,
      signal,
      patienceMs: (this.#limits.patience ?? defaults.patience) * 1000,
      turn: rows => parts.throttle.take(store.name, rows, this.#limits.throughput, signal),
    })
  }

  /** Brings the rows there. Gives what arrived, over all processes that worked on it. */
  async run(table: StageFile): Promise<DeliveryOutcome> {
    const { id, request } = this.#order
    const begun = await this.#parts.book.begin(id, this.#store.name, request.name, table.rows)
    this.#done = Number(begun.done)
    this.#refused = Number(begun.refused)
    this.#bytes = Number(begun.bytes)
    this.#tell(table.rows)
    if (begun.status !== 'completed') await this.#deliver(table, begun)
    return { rows: table.rows - this.#refused, bytes: this.#bytes, refused: this.#refused }
  }

  async #deliver(table: StageFile, begun: DeliveryRow): Promise<void> {
    const target = this.#target(table, Number(begun.done))
    const { kind, config } = this.#store
    const writer = await this.#sender.attempt(() => kind.open(config, target, this.#parts.context))
    try {
      if (writer.kind === 'file') await this.#putFile(writer, table)
      else await this.#sendRows(writer, table)
      this.#checkShare(table.rows, true)
    } finally {
      await this.#progress.saved().catch(() => {})
      await writer.close()
    }
    await this.#parts.book.end(begun.id, 'completed', null)
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

  async #putFile(writer: FileWriter, table: StageFile): Promise<void> {
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
    this.#note(table.rows, bytes, [], table.rows)
    await this.#progress.saved()
  }

  async #sendRows(writer: RowWriter, table: StageFile): Promise<void> {
    const { id, tables, signal } = this.#order
    const rows = outgoing(tables, table, this.#done, id, signal)
    const limits = this.#batchLimits(writer)
    for await (const batch of readAhead(batches(rows, limits, this.#parts.clock))) {
      const refused = await this.#sender.send(writer, batch)
      this.#note(this.#done + batch.size, bytesOf(batch, refused), refused, table.rows)
      this.#checkShare(this.#done, false)
    }
    await this.#progress.saved()
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

  #note(done: number, bytes: number, refused: readonly Refused[], total: number): void {
    this.#done = done
    this.#bytes += bytes
    this.#refused += refused.length
    this.#progress.note({ done, bytes, refused })
    this.#tell(total)
  }

  #tell(total: number): void {
    this.#order.progress({ total, done: this.#done, failed: this.#refused })
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

const bytesOf = (batch: Batch, refused: readonly Refused[]): number =>
  batch.bytes - refused.reduce((sum, { item }) => sum + Buffer.byteLength(item.text), 0)

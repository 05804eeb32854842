import type { DeliveryRequest } from '../commands/delivery.ts'
import type { Row } from '../language/json.ts'
import type { StageFile } from './tables/stage-file.ts'
import type { Tables } from './tables/tables.ts'

/** The rows of a stage that are to go to a store. */
export interface StageDelivery {
  /** The same for the same stage of the same query however often it is run: it is taken up from where it stood. */
  readonly id: string
  readonly request: DeliveryRequest
  readonly table: StageFile
  progress(counts: DeliveryCounts): void
  warn(code: string, message: string): void
}

/** The same with all that it takes to bring them there. */
export interface DeliveryOrder extends StageDelivery {
  readonly tables: Tables
  readonly signal: AbortSignal
  /** Runs reduce stages, in text, over a table. */
  process(table: StageFile, stages: readonly string[]): Promise<StageFile>
  /** Keeps the rows that were refused in the cellar. */
  keep(name: string, rows: AsyncIterable<Row>): Promise<void>
}

export interface DeliveryCounts {
  readonly total: number
  readonly done: number
  readonly failed: number
}

export interface DeliveryOutcome {
  readonly rows: number
  readonly bytes: number
  readonly refused: number
}

/** What a store has under a name, to be read. */
export interface StoreReading {
  readonly store: string
  readonly name: string | undefined
  readonly tables: Tables
  readonly signal: AbortSignal
}

/** Takes rows to stores, and reads them there; the service mentos does. */
export interface Deliveries {
  deliver(order: DeliveryOrder): Promise<DeliveryOutcome>
  storeNames(): Promise<ReadonlySet<string>>
  /** Rows that a store has, for `take`. It is asked again, from the first one on, when they break off. */
  read<T>(reading: StoreReading, take: (rows: AsyncIterable<Row>) => Promise<T>): Promise<T>
}

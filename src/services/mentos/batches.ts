import { Batch, type OutgoingRow } from '../../stores/shared/batch.ts'
import type { DeliveryClock } from './clock.ts'

export interface BatchLimits {
  readonly rows: number
  readonly bytes: number
  /** Rows that have waited so long leave, however few they are. */
  readonly ms: number
}

/** Puts rows together as the limits allow; a row that is larger than they are leaves alone. */
export async function* batches(
  pages: AsyncIterable<readonly OutgoingRow[]>,
  limits: BatchLimits,
  clock: Pick<DeliveryClock, 'now'>,
): AsyncGenerator<Batch> {
  let waiting: OutgoingRow[] = []
  let bytes = 0
  let since = 0
  const take = (): Batch => {
    const batch = new Batch(waiting)
    waiting = []
    bytes = 0
    return batch
  }
  for await (const page of pages) {
    for (const row of page) {
      if (waiting.length > 0 && bytes + row.bytes > limits.bytes) yield take()
      if (waiting.length === 0) since = clock.now()
      waiting.push(row)
      bytes += row.bytes
      if (waiting.length >= limits.rows) yield take()
    }
    if (waiting.length > 0 && clock.now() - since >= limits.ms) yield take()
  }
  if (waiting.length > 0) yield take()
}

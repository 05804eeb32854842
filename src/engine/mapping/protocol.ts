import type { Json } from '../../language/json.ts'
import type { JournalSummary } from '../tables/journal.ts'

/** What a worker is asked, one thing at a time. */
export type MapRequest =
  | {
      readonly kind: 'start'
      readonly mapper: string
      readonly options: Json
      readonly journal: string
      readonly maxColumns: number
    }
  /** Rows as JSON texts; `index` is their place among the batches. */
  | { readonly kind: 'batch'; readonly index: number; readonly texts: readonly string[] }
  | { readonly kind: 'finish' }

export type MapAnswer =
  | { readonly ok: true; readonly part?: MappedPart }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      readonly hint?: string | undefined
    }

/** What one worker has made: its journal, and for each column the batch in which it first appeared. */
export interface MappedPart {
  readonly summary: JournalSummary
  readonly firstBatches: readonly number[]
}

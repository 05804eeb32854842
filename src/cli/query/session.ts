import type { Readable } from 'node:stream'
import type { Static } from 'typebox'
import type { ExportFormat } from '../../engine/tables/export.ts'
import type { ResultColumn } from '../../engine/tables/results.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import type { Row } from '../../language/json.ts'
import type { PlanDocument } from '../../language/plan.ts'
import type { QueryRecord, StageRecord } from '../../services/sirp/records.ts'

/** Somebody who runs queries: a server, or this process itself. */
export interface Session extends AsyncDisposable {
  /** The plan; `InvalidQuery` with everything that is wrong. */
  plan(text: string): Promise<PlanDocument>
  /** Starts a query and gives its id; `InvalidQuery` with everything that is wrong. */
  dispatch(text: string): Promise<string>
  /** The record of a query, once it has ended. */
  ended(id: string): Promise<Static<typeof QueryRecord>>
  stages(id: string): Promise<readonly Stage[]>
  cancel(id: string): Promise<void>
  rows(id: string, limit: number): Promise<Rows>
  /** The whole result as a stream. */
  export(id: string, format: ExportFormat, signal: AbortSignal): Promise<Readable>
}

export type Stage = Static<typeof StageRecord>

/** The first rows of a result. */
export interface Rows {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly Row[]
  readonly total: number
}

export class InvalidQuery extends Error {
  override readonly name = 'InvalidQuery'
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics[0]?.message ?? 'The query is not valid.')
    this.diagnostics = diagnostics
  }
}

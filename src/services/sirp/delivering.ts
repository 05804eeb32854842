import { rm } from 'node:fs/promises'
import type { Command } from '../../commands/command.ts'
import type { CellarAccess } from '../../engine/cellar.ts'
import type { DeliveryOrder, StageDelivery } from '../../engine/deliveries.ts'
import type { Expander } from '../../engine/expand-stage.ts'
import { Run } from '../../engine/run.ts'
import { UNOBSERVED } from '../../engine/run-options.ts'
import type { StageFile } from '../../engine/tables/stage-file.ts'
import type { Tables } from '../../engine/tables/tables.ts'
import type { Row } from '../../language/json.ts'
import { plan } from '../../language/planner.ts'
import { processorQuery } from '../mentos/processors.ts'
import { constantsOf } from './constants.ts'
import { invalidQuery } from './planning.ts'

/** What a delivery needs of sirp: its tables, to run processors in, and the cellar, for rows that are refused. */
export interface DeliveryTools {
  readonly tables: Tables
  readonly commands: ReadonlyMap<string, Command>
  readonly expander: Expander
  readonly cellar: CellarAccess
}

/** The rows of a stage with all that it takes to bring them to a store. */
export const orderOf = (
  tools: DeliveryTools,
  delivery: StageDelivery,
  signal: AbortSignal,
): DeliveryOrder => ({
  ...delivery,
  tables: tools.tables,
  signal,
  process: (table, stages) => processed(tools, table, stages, signal),
  keep: (name, rows) => keep(tools, name, rows, delivery.id, signal),
})

/** The table after these stages: a file of its own, unless there are none. */
async function processed(
  { tables, commands, expander }: DeliveryTools,
  table: StageFile,
  stages: readonly string[],
  signal: AbortSignal,
): Promise<StageFile> {
  if (stages.length === 0) return table
  const planned = plan(processorQuery(stages), { commands: [...commands.values()] })
  if (!planned.plan) throw invalidQuery(planned.diagnostics)
  const startedAt = new Date()
  const run = new Run({
    id: 'processors',
    plan: planned.plan,
    commands,
    tables,
    expander,
    cache: null,
    startedAt,
    constant: constantsOf('processors', startedAt),
    signal,
    observer: UNOBSERVED,
    known: new Map([[0, table]]),
  })
  try {
    return await run.execute()
  } finally {
    await run.discardScratch()
  }
}

/** Adds rows to a cellar file; a delivery that is taken up again adds them once. */
async function keep(
  { tables, cellar }: DeliveryTools,
  name: string,
  rows: AsyncIterable<Row>,
  deliveryId: string,
  signal: AbortSignal,
): Promise<void> {
  const table = await tables.ingest(rows, signal)
  const [queryId = '', ...rest] = deliveryId.split('.')
  const by = { queryId, stage: `${rest.join('.')} refused` }
  const isTaken = await cellar.freeze(name, table, 'append', by, signal)
  if (!isTaken) await rm(table.file, { force: true })
}

/** Puts rows that come without a query into a table for as long as `use` takes. */
export async function withTable<T>(
  { tables }: DeliveryTools,
  rows: readonly Row[],
  signal: AbortSignal,
  use: (table: StageFile) => Promise<T>,
): Promise<T> {
  const table = await tables.ingest(rows, signal)
  try {
    return await use(table)
  } finally {
    await rm(table.file, { force: true })
  }
}

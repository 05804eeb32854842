import type { Readable } from 'node:stream'
import type { Static } from 'typebox'
import { assemble } from '../../assembly.ts'
import type { ExportFormat } from '../../engine/tables/export.ts'
import { ForageError } from '../../errors.ts'
import { Fault } from '../../fault.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import { parseJson, type Row } from '../../language/json.ts'
import type { PlanDocument } from '../../language/plan.ts'
import { createLog } from '../../log.ts'
import type { Processor } from '../../services/sirp/processor.ts'
import type { QueryRecord } from '../../services/sirp/records.ts'
import type { Settings } from '../../settings.ts'
import { InvalidQuery, type Rows, type Session, type Stage } from './session.ts'

/**
 * Queries in this process, on the data folder of the settings. What a query does not need stays off: the HTTP server,
 * the browser, schedules, and queries that a server has yet to finish.
 */
export async function openEmbedded(settings: Settings): Promise<Session> {
  await using parts = new AsyncDisposableStack()
  const log = createLog({ level: 'error', destination: process.stderr })
  const { supervisor, sirp } = await assemble(parts, settings, log, { takesUp: false })
  parts.defer(() => supervisor.stop(settings.grace * 1000))
  await supervisor.start(['sirp'])
  const { status, detail } = supervisor.status('sirp')
  if (status !== 'running')
    throw new Fault(
      'failure',
      `the query engine does not start: ${detail}`,
      '`forage doctor` checks what it needs.',
    )
  return new EmbeddedSession(sirp.processor, parts.move())
}

class EmbeddedSession implements Session {
  readonly #processor: Processor
  readonly #parts: AsyncDisposableStack

  constructor(processor: Processor, parts: AsyncDisposableStack) {
    this.#processor = processor
    this.#parts = parts
  }

  plan(text: string): Promise<PlanDocument> {
    return this.#processor.planner.parse(text, { parseOnly: false, addFlags: true }).catch(refused)
  }

  async dispatch(text: string): Promise<string> {
    const query = await this.#processor.dispatch({ query: text }).catch(refused)
    return query.row.id
  }

  async ended(id: string): Promise<Static<typeof QueryRecord>> {
    await this.#processor.active(id)?.finished
    return this.#processor.queries.record(id)
  }

  stages(id: string): Promise<readonly Stage[]> {
    return this.#processor.queries.stages(id)
  }

  async cancel(id: string): Promise<void> {
    if (this.#processor.active(id)) await this.#processor.cancel(id)
  }

  async rows(id: string, limit: number): Promise<Rows> {
    const { signal } = new AbortController()
    const page = await this.#processor.reader.page(id, undefined, { offset: 0, limit, signal })
    const rows = parseJson(page.json) as unknown as { content: Row }[]
    return { columns: page.columns, total: page.total, rows: rows.map(({ content }) => content) }
  }

  async export(id: string, format: ExportFormat, signal: AbortSignal): Promise<Readable> {
    return (await this.#processor.reader.export(id, undefined, format, { signal })).stream
  }

  /** Nobody else might come by for a long time to take away what has expired. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#processor.sweep()
    await this.#parts.disposeAsync()
  }
}

function refused(error: unknown): never {
  if (error instanceof ForageError && error.code === 'query_invalid')
    throw new InvalidQuery((error.errors ?? []) as unknown as readonly Diagnostic[])
  throw error
}

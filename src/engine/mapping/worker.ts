import { parentPort } from 'node:worker_threads'
import { CommandFailure } from '../../commands/failure.ts'
import type { Mapper, Mappers } from '../../commands/mapper.ts'
import { parseJson, type Row } from '../../language/json.ts'
import { Journal } from '../tables/journal.ts'
import type { MapAnswer, MappedPart, MapRequest } from './protocol.ts'

/**
 * The thread's side: parses, maps and writes to a journal of its own, so the main thread only passes texts along.
 * It never runs DuckDB: ending a thread in the middle of a statement would end the whole process.
 */
export function serveMappers(mappers: Mappers): void {
  let work: Work | undefined
  parentPort?.on('message', async (request: MapRequest) => {
    try {
      if (request.kind === 'start') {
        work = await Work.start(mappers, request)
        answer({ ok: true })
      } else if (request.kind === 'batch') {
        await work!.map(request.index, request.texts)
        answer({ ok: true })
      } else {
        const part = await work!.finish()
        answer({ ok: true, part })
      }
    } catch (error) {
      answer(failure(error))
    }
  })
}

class Work {
  readonly #map: ReturnType<Mapper>
  readonly #journal: Journal
  readonly #firstBatches: number[] = []

  private constructor(map: ReturnType<Mapper>, journal: Journal) {
    this.#map = map
    this.#journal = journal
  }

  static async start(mappers: Mappers, request: MapRequest & { kind: 'start' }): Promise<Work> {
    const load = Object.hasOwn(mappers, request.mapper) ? mappers[request.mapper] : undefined
    if (!load) throw new Error(`There is no mapper called ${request.mapper}.`)
    const mapper = await load()
    const journal = await Journal.create(request.journal, { durable: false, maxColumns: request.maxColumns })
    return new Work(mapper(request.options), journal)
  }

  async map(index: number, texts: readonly string[]): Promise<void> {
    await this.#journal.append({ input: index, rows: this.#rows(texts) })
    while (this.#firstBatches.length < this.#journal.columnCount) this.#firstBatches.push(index)
  }

  async finish(): Promise<MappedPart> {
    await this.#journal.close()
    return { summary: this.#journal.summary, firstBatches: this.#firstBatches }
  }

  *#rows(texts: readonly string[]): Generator<Row> {
    for (const text of texts) {
      const made = this.#map(parseJson(text) as Row)
      if (isList(made)) yield* made
      else yield made
    }
  }
}

const isList = (made: Row | readonly Row[]): made is readonly Row[] => Array.isArray(made)

const answer = (message: MapAnswer): void => parentPort?.postMessage(message)

function failure(error: unknown): MapAnswer {
  if (error instanceof CommandFailure)
    return { ok: false, code: error.code, message: error.message, hint: error.hint }
  return {
    ok: false,
    code: 'mapping_failed',
    message: error instanceof Error ? error.message : String(error),
  }
}

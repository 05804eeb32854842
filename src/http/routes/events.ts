import { on } from 'node:events'
import { Readable } from 'node:stream'
import Type from 'typebox'
import { fields, Uuid } from '../../services/fields.ts'
import type { Processor } from '../../services/sirp/processor.ts'
import { type Routes, route } from '../route.ts'
import type { SirpRoutesOptions } from './queries.ts'
import { clientLeaves } from './results.ts'

/** A comment now and then, so that no proxy takes a quiet query for a dead connection. */
const HEARTBEAT_MS = 15_000

/** What happens in a query, as it happens. */
export const eventRoutes =
  ({ sirp }: SirpRoutesOptions): Routes =>
  app => {
    route(app, 'streamQueryEvents', {
      description:
        'Server-sent events: `status` first and whenever it changes, `stage` as stages go on, `done` at the end, after which the stream ends.',
      schema: {
        params: fields({ id: Uuid }),
        response: { 200: Type.String({ description: 'text/event-stream' }) },
      },
      handler: async (request, reply) => {
        const { id } = request.params
        const first = await sirp.processor.queries.status(id)
        const texts = eventTexts(sirp.processor, id, first, clientLeaves(request))
        return reply
          .header('content-type', 'text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          .send(Readable.from(texts, { objectMode: false }))
      },
    })
  }

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

async function* eventTexts(
  processor: Processor,
  id: string,
  first: object,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const query = processor.active(id)
  yield event('status', first)
  if (query) yield* changes(query, signal)
  if (!signal.aborted) yield event('done', await processor.queries.status(id))
}

type Changing = NonNullable<ReturnType<Processor['active']>>

async function* changes(query: Changing, signal: AbortSignal): AsyncGenerator<string> {
  const ended = new AbortController()
  void query.finished.then(() => ended.abort())
  const heartbeat = setInterval(() => query.events.emit('change', 'beat', {}), HEARTBEAT_MS)
  try {
    for await (const [name, data] of on(query.events, 'change', {
      signal: AbortSignal.any([signal, ended.signal]),
    }))
      yield name === 'beat' ? ': still there\n\n' : event(name, data)
  } catch (error) {
    if (!signal.aborted && !ended.signal.aborted) throw error
  } finally {
    clearInterval(heartbeat)
  }
}

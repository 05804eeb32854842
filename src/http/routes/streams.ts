import Type from 'typebox'
import { CommandFailure } from '../../commands/failure.ts'
import { ForageError } from '../../errors.ts'
import type { Row } from '../../language/json.ts'
import { FreeObject, fields } from '../../services/fields.ts'
import {
  GivenStream,
  StreamList,
  StreamName,
  StreamRecord,
  StreamWrite,
} from '../../services/mentos/records.ts'
import type { StreamConfig } from '../../services/mentos/streams.ts'
import { sendRecord } from '../etags.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { GONE, type Routes, route } from '../route.ts'
import type { MentosRoutesOptions } from './stores.ts'

const MOST_ROWS = 100_000

const Written = fields({
  ...GivenStream.properties,
  store: Type.Optional(GivenStream.properties.store),
  rows: Type.Array(FreeObject, { maxItems: MOST_ROWS }),
})

export const streamRoutes =
  ({ mentos }: MentosRoutesOptions): Routes =>
  app => {
    const { streams, stores } = mentos
    route(app, 'listStreams', {
      schema: { querystring: PageQuery, response: { 200: StreamList } },
      handler: async request => pageOf(await streams.list(request.query), request.query),
    })

    route(app, 'createStream', {
      description: 'A name for a store, with the format and the batches that rows leave in.',
      schema: {
        body: fields({ name: StreamName, streamConfig: GivenStream }),
        response: { 201: StreamRecord },
      },
      handler: async (request, reply) => {
        const { name, streamConfig } = request.body
        await stores.get(streamConfig.store)
        const made = await streams.create(name, whole(streamConfig))
        reply.code(201).header('location', `/v1/mentos/streams/${encodeURIComponent(made.name)}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'deleteStream', {
      schema: { response: { 204: GONE } },
      handler: async (request, reply) => {
        await streams.delete((request.params as { name: string }).name)
        return reply.code(204).send()
      },
    })

    route(app, 'writeStream', {
      description:
        'Answers when the store has taken the rows. `name` is that of a stream; without it `config.store` says where to.',
      schema: {
        body: fields({ name: Type.Optional(StreamName), config: Written }),
        response: { 200: StreamWrite },
      },
      handler: async request => {
        const { name, config } = request.body
        const { rows, store, ...given } = config
        if (name !== undefined && store !== undefined)
          throw wrongStore('says where to only where no stream is named: leave it or `name` out')
        const stream =
          name === undefined
            ? whole({ ...given, store: store ?? missingStore() })
            : (await streams.get(name)).streamConfig
        await stores.get(stream.store)
        const outcome = await mentos.write(stream, rows as Row[]).catch(refused)
        return { store: stream.store, rows: outcome.rows, bytes: outcome.bytes, refused: outcome.refused }
      },
    })
  }

type Given = { store: string; format?: StreamConfig['format']; batch?: number; target?: string }

const whole = ({ store, format, batch, target }: Given): StreamConfig => ({
  store,
  format: format ?? null,
  batch: batch ?? null,
  target: target ?? null,
})

const wrongStore = (message: string): ForageError =>
  new ForageError('invalid_request', `Not valid in the body: $.config.store ${message}`, {
    errors: [{ path: '$.config.store', message, in: 'body' }],
  })

function missingStore(): never {
  throw wrongStore('is required where no stream is named')
}

function refused(error: unknown): never {
  if (!(error instanceof CommandFailure)) throw error
  throw new ForageError('delivery_failed', error.message, { cause: error })
}

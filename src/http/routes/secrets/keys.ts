import Type from 'typebox'
import { ForageError } from '../../../errors.ts'
import { fields, Uuid } from '../../../services/fields.ts'
import type { Keys } from '../../../services/secrets/keys.ts'
import { ApiKeyList, ApiKeyRecord, NewApiKey, Validity } from '../../../services/secrets/records.ts'
import { requireMatch, sendRecord } from '../../etags.ts'
import { PageQuery, pageOf } from '../../lists.ts'
import { GONE, type Routes, route } from '../../route.ts'

export interface KeyRoutesOptions {
  readonly keys: Pick<Keys, 'create' | 'verify' | 'list' | 'get' | 'delete'>
}

export const keyRoutes =
  ({ keys }: KeyRoutesOptions): Routes =>
  app => {
    const byId = fields({ id: Uuid })

    route(app, 'generateApiKey', {
      description: 'The key is in this answer and in no other: only its hash is kept.',
      secretFields: ['key'],
      schema: {
        body: fields({
          name: Type.Optional(
            Type.String({ minLength: 1, maxLength: 1000, default: 'API key', description: 'To know it by' }),
          ),
        }),
        response: { 201: NewApiKey },
      },
      handler: async (request, reply) => {
        const made = await keys.create(request.body.name ?? 'API key')
        return reply.code(201).header('location', `/v1/secrets/apikeys/${made.id}`).send(made)
      },
    })

    route(app, 'verifyApiKey', {
      schema: {
        body: fields({ key: Type.String({ minLength: 1, maxLength: 1000 }) }),
        response: { 200: Validity },
      },
      handler: async request => ({ valid: (await keys.verify(request.body.key)) !== undefined }),
    })

    route(app, 'listApiKeys', {
      schema: { querystring: PageQuery, response: { 200: ApiKeyList } },
      handler: async request => pageOf(await keys.list(request.query), request.query),
    })

    route(app, 'getApiKey', {
      schema: { params: byId, response: { 200: ApiKeyRecord } },
      handler: async (request, reply) => {
        const id = request.params.id.toLowerCase()
        return sendRecord(request, reply, (await keys.get(id)) ?? missing(id))
      },
    })

    route(app, 'deleteApiKey', {
      description: 'The last key cannot be deleted while there is no user: nobody could come in any more.',
      schema: { params: byId, response: { 204: GONE } },
      handler: async (request, reply) => {
        const id = request.params.id.toLowerCase()
        if (!(await keys.delete(id, present => requireMatch(request, present)))) missing(id)
        return reply.code(204).send()
      },
    })
  }

function missing(id: string): never {
  throw new ForageError('not_found', `There is no API key with the id ${id}.`)
}

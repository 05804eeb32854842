import Type from 'typebox'
import { FreeObject, fields } from '../../services/fields.ts'
import type { MentosService } from '../../services/mentos/service.ts'
import { describeStores, storeBody } from '../../services/mentos/store-schemas.ts'
import { type GivenStore, kindOf, type Store } from '../../services/mentos/stores.ts'
import { StoreList, StoreRecord, StoreTest, TypeSchemas } from '../../services/secrets/records.ts'
import { storeTypes } from '../../services/store-types.ts'
import { requireMatch, sendRecord } from '../etags.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { GONE, type Routes, route } from '../route.ts'
import { validatorCompiler } from '../validation.ts'

export interface MentosRoutesOptions {
  readonly mentos: Pick<MentosService, 'stores' | 'streams' | 'test' | 'write'>
}

/** What all types have in common; the rest is checked by the schema of the type. */
const Given = fields({
  type: Type.Enum([...storeTypes]),
  config: Type.Intersect([FreeObject], {
    description:
      '`{ store: { name }, configuration: { … }, processors?, credentials? }`; `GET /v1/secrets/store-schemas` has the fields of each type',
  }),
})

export const storeRoutes =
  ({ mentos }: MentosRoutesOptions): Routes =>
  app => {
    const { stores } = mentos
    route(app, 'listStores', {
      description: 'Secret fields hold a mask.',
      schema: { querystring: PageQuery, response: { 200: StoreList } },
      handler: async request => pageOf(await stores.list(request.query), request.query),
    })

    route(app, 'createStore', {
      description: 'Connects to nothing yet: `POST …/{name}/test` does.',
      schema: { body: Given, response: { 201: StoreRecord } },
      handler: async (request, reply) => {
        const made = await stores.create(checked(request.body))
        reply.code(201).header('location', `/v1/secrets/stores/${encodeURIComponent(made.name)}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'getStore', {
      schema: { response: { 200: StoreRecord } },
      handler: async (request, reply) => sendRecord(request, reply, await stores.get(nameIn(request.params))),
    })

    route(app, 'updateStore', {
      description: 'A mask that is sent back keeps the value that it stands for.',
      schema: { body: Given, response: { 200: StoreRecord } },
      handler: async (request, reply) => {
        const guard = (present: Store) => requireMatch(request, present)
        const updated = await stores.update(nameIn(request.params), checked(request.body), guard)
        return sendRecord(request, reply, updated)
      },
    })

    route(app, 'deleteStore', {
      schema: { response: { 204: GONE } },
      handler: async (request, reply) => {
        await stores.delete(nameIn(request.params), present => requireMatch(request, present))
        return reply.code(204).send()
      },
    })

    route(app, 'testStore', {
      description: 'Connects to it, writes nothing, and says in words what is wrong.',
      schema: { response: { 200: StoreTest } },
      handler: async request => {
        const problem = await mentos.test(nameIn(request.params))
        return { ok: !problem, code: problem?.code ?? null, message: problem?.message ?? null }
      },
    })

    route(app, 'listStoreSchemas', {
      schema: { response: { 200: TypeSchemas } },
      handler: async () => ({ items: describeStores() }),
    })
  }

const nameIn = (params: unknown): string => (params as { name: string }).name

/** The body, checked by the schema of its type. */
function checked(body: { readonly type: string }): GivenStore {
  const result = validator(body.type)(body)
  if (typeof result === 'object' && 'error' in result && result.error) throw result.error
  // The schema of the type says just this.
  return body as unknown as GivenStore
}

const validators = new Map<string, ReturnType<typeof validatorCompiler>>()

function validator(type: string): ReturnType<typeof validatorCompiler> {
  const known =
    validators.get(type) ??
    validatorCompiler({ schema: storeBody(kindOf(type)), httpPart: 'body', method: '', url: '' })
  validators.set(type, known)
  return known
}

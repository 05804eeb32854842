import Type from 'typebox'
import { ForageError } from '../../errors.ts'
import { fields, Uuid } from '../../services/fields.ts'
import {
  DomainPolicy,
  DomainPolicyList,
  DomainUseList,
  GivenDispatches,
  GivenDomainPolicy,
  PolicyEnvironment,
  PolicyVerdict,
} from '../../services/gonogo/records.ts'
import type { GonogoService } from '../../services/gonogo/service.ts'
import { requireMatch, sendRecord } from '../etags.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { type Routes, route } from '../route.ts'

const domain = Type.String({ minLength: 1, maxLength: 1000 })
const byId = fields({ id: Uuid })

export interface GonogoRoutesOptions {
  readonly gonogo: Pick<GonogoService, 'policies' | 'enforce' | 'check' | 'environment' | 'domains'>
}

/** Domain policies, and the two questions about them. Restarting is with the other services' (`services.ts`). */
export const gonogoRoutes =
  ({ gonogo }: GonogoRoutesOptions): Routes =>
  app => {
    route(app, 'getPolicyEnvironment', {
      schema: { response: { 200: PolicyEnvironment } },
      handler: async () => gonogo.environment(),
    })

    route(app, 'enforcePolicy', {
      description: 'Books one dispatch when there is room. The same id within 60 s books nothing more.',
      schema: { params: fields({ domain, id: Uuid }), response: { 200: PolicyVerdict } },
      handler: async request => gonogo.enforce(request.params.domain, request.params.id.toLowerCase()),
    })

    route(app, 'checkPolicy', {
      description: 'Judges the dispatches in the body and nothing else; books nothing.',
      schema: {
        params: fields({ domain }),
        body: fields({ domainDispatches: Type.Optional(GivenDispatches) }),
        response: { 200: PolicyVerdict },
      },
      handler: async request => {
        const given = request.body.domainDispatches ?? []
        return gonogo.check(
          request.params.domain,
          given.map(([at, count = 1]) => [at, count] as const),
        )
      },
    })

    route(app, 'listDomains', {
      description: 'Those asked within the last minute, waited for, or held back; the busiest first.',
      schema: { querystring: PageQuery, response: { 200: DomainUseList } },
      handler: async request => {
        const { offset, limit } = request.query
        const all = gonogo.domains()
        return pageOf({ items: all.slice(offset, offset + limit), total: all.length }, request.query)
      },
    })

    route(app, 'listPolicies', {
      schema: { querystring: PageQuery, response: { 200: DomainPolicyList } },
      handler: async request => pageOf(await gonogo.policies.list(request.query), request.query),
    })

    route(app, 'createPolicy', {
      schema: { body: GivenDomainPolicy, response: { 201: DomainPolicy } },
      handler: async (request, reply) => {
        const made = await gonogo.policies.create(request.body)
        reply.code(201).header('location', `/v1/gonogo/policies/${made.id}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'getPolicy', {
      schema: { params: byId, response: { 200: DomainPolicy } },
      handler: async (request, reply) => {
        const id = request.params.id.toLowerCase()
        return sendRecord(request, reply, (await gonogo.policies.get(id)) ?? missing(id))
      },
    })

    route(app, 'updatePolicy', {
      schema: { params: byId, body: GivenDomainPolicy, response: { 200: DomainPolicy } },
      handler: async (request, reply) => {
        const id = request.params.id.toLowerCase()
        requireMatch(request, (await gonogo.policies.get(id)) ?? missing(id))
        return sendRecord(request, reply, (await gonogo.policies.update(id, request.body)) ?? missing(id))
      },
    })

    route(app, 'deletePolicy', {
      schema: { params: byId, response: { 204: Type.Null({ description: 'It is gone' }) } },
      handler: async (request, reply) => {
        const id = request.params.id.toLowerCase()
        requireMatch(request, (await gonogo.policies.get(id)) ?? missing(id))
        if (!(await gonogo.policies.delete(id))) missing(id)
        return reply.code(204).send()
      },
    })
  }

function missing(id: string): never {
  throw new ForageError('not_found', `There is no domain policy with the id ${id}.`)
}

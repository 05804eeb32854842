import Type from 'typebox'
import { type Json, stringifyJson } from '../../language/json.ts'
import { FreeObject, fields, Uuid } from '../../services/fields.ts'
import { PlanRecord } from '../../services/sirp/plan-records.ts'
import { DispatchedQuery, QueryRecord } from '../../services/sirp/records.ts'
import { QueryTemplate, QueryTemplateList } from '../../services/sirp/saved-records.ts'
import type { TemplateValues } from '../../services/sirp/template-values.ts'
import { requireMatch, sendRecord } from '../etags.ts'
import { pageOf, pageParameters } from '../lists.ts'
import { GONE, type Routes, route } from '../route.ts'
import { sendJsonText } from '../streams.ts'
import { answerQuery, holdSeconds, queryFields, ResultLimit, type SirpRoutesOptions } from './queries.ts'

const name = Type.String({ minLength: 1, maxLength: 1000 })
const description = Type.String({ minLength: 1, maxLength: 100_000 })
const query = Type.String({ minLength: 1, maxLength: 1_048_576 })
const textOrId = { ...query, description: "The template's text, or its id" }
const values = Type.Optional(FreeObject)

/** Queries with holes in them. */
export const templateRoutes =
  ({ sirp }: SirpRoutesOptions): Routes =>
  app => {
    const byId = fields({ id: Uuid })

    route(app, 'listTemplates', {
      schema: {
        querystring: fields({
          ...pageParameters,
          name: Type.Optional({ ...name, description: 'A part of the name' }),
          sortBy: Type.Optional({
            ...name,
            description: 'name, createdAt or updatedAt; with - in front descending',
          }),
        }),
        response: { 200: QueryTemplateList },
      },
      handler: async request => pageOf(await sirp.processor.templates.list(request.query), request.query),
    })

    route(app, 'createTemplate', {
      description:
        '`templateSchema` is JSON Schema without references: types, titles, defaults, enums, bounds, patterns (RE2).',
      schema: {
        body: fields({ name, description, query, templateSchema: Type.Optional(FreeObject) }),
        response: { 201: QueryTemplate },
      },
      handler: async (request, reply) => {
        const made = await sirp.processor.templates.create(request.body)
        reply.code(201).header('location', `/v1/sirp/templates/${made.id}`)
        return sendRecord(request, reply, made)
      },
    })

    route(app, 'getTemplate', {
      schema: { params: byId, response: { 200: QueryTemplate } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await sirp.processor.templates.get(request.params.id)),
    })

    route(app, 'updateTemplate', {
      schema: {
        params: byId,
        body: fields({
          name: Type.Optional(name),
          description: Type.Optional(description),
          query: Type.Optional(query),
        }),
        response: { 200: QueryTemplate },
      },
      handler: async (request, reply) => {
        const guard = (present: object) => requireMatch(request, present)
        const updated = await sirp.processor.templates.update(request.params.id, request.body, guard)
        return sendRecord(request, reply, updated)
      },
    })

    route(app, 'deleteTemplate', {
      schema: { params: byId, response: { 204: GONE } },
      handler: async (request, reply) => {
        await sirp.processor.templates.delete(request.params.id, present => requireMatch(request, present))
        return reply.code(204).send()
      },
    })

    route(app, 'dispatchTemplate', {
      description:
        'Answers when the query is complete. It goes on if the client leaves. `Prefer: respond-async` or `wait=N`: 202 where it takes longer, and `Location` says where to look.',
      schema: {
        querystring: ResultLimit,
        body: fields({ ...queryFields, query: textOrId, values }),
        response: { 200: DispatchedQuery, 202: QueryRecord },
      },
      handler: async (request, reply) => {
        const active = await sirp.processor.dispatchTemplate(request.body)
        const seconds = holdSeconds(request, Number.POSITIVE_INFINITY)
        return answerQuery(sirp.processor, active, seconds, request.query.limit, reply)
      },
    })

    route(app, 'parseTemplate', {
      description: 'The plan with the values in it; those that are not given stay as they are.',
      schema: { body: fields({ query: textOrId, values }), response: { 200: PlanRecord } },
      handler: async (request, reply) => {
        const given = (request.body.values ?? {}) as TemplateValues
        const plan = await sirp.processor.planner.parseTemplate(request.body.query, given)
        return sendJsonText(reply, stringifyJson(plan as unknown as Json))
      },
    })
  }

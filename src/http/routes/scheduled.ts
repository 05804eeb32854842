import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ForageError } from '../../errors.ts'
import type { GivenSchedule, Schedule } from '../../services/almanac/schedules.ts'
import type { AlmanacService } from '../../services/almanac/service.ts'
import { Count, FreeObject, fields, nullable } from '../../services/fields.ts'
import {
  ScheduledQuery,
  ScheduledQueryList,
  ScheduledRun,
  ScheduledRunList,
} from '../../services/sirp/saved-records.ts'
import type { SirpService } from '../../services/sirp/service.ts'
import { requireMatch, sendRecord } from '../etags.ts'
import { PageQuery, pageOf } from '../lists.ts'
import { GONE, type Routes, route } from '../route.ts'

export interface ScheduledRoutesOptions {
  readonly almanac: Pick<AlmanacService, 'schedules' | 'run' | 'runs'>
  readonly sirp: Pick<SirpService, 'processor'>
}

const A_YEAR = 525_600
const query = Type.String({ minLength: 1, maxLength: 1_048_576 })
const more = {
  cleanup: Type.Optional(Type.Boolean()),
  summary: Type.Optional(Type.Boolean()),
  ttl: Type.Optional(Count),
  metadata: Type.Optional(FreeObject),
  cron: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Five fields, in place of minutes: `30 6 * * 1-5`; null: no longer',
      }),
    ),
  ),
  timeZone: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Of cron, such as Europe/Zurich; UTC when absent',
      }),
    ),
  ),
  overlap: Type.Optional(
    Type.Enum(['skip', 'queue'], {
      description: 'What becomes of a run that is due while another runs: skipped and counted, or one waits',
    }),
  ),
  disableAfter: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Failures in a row that disable it; 0 or absent: none do' }),
  ),
}
const Body = fields({ query, minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: A_YEAR })), ...more })
const Update = fields({
  ...Body.properties,
  queryId: Type.String({ minLength: 1, maxLength: 1000, description: 'The scheduled query that is meant' }),
})
const Create = fields({
  ...Body.properties,
  queryId: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'The id to use' })),
  sirpURL: Type.Optional(Type.String({ maxLength: 10_000, description: 'Only our own address' })),
})

/** Queries on a schedule, in all the ways to make one. */
export const scheduledRoutes =
  ({ almanac, sirp }: ScheduledRoutesOptions): Routes =>
  app => {
    const { schedules } = almanac
    /** What would fail at every run is refused now. */
    const check = (text: string) => sirp.processor.planner.parse(text, { parseOnly: false, addFlags: false })

    const create = async (
      request: FastifyRequest,
      reply: FastifyReply,
      { queryId, sirpURL, ...given }: GivenSchedule & { queryId?: string; sirpURL?: string },
    ) => {
      if (sirpURL !== undefined) requireOwnAddress(request, sirpURL)
      await check(given.query)
      const made = await schedules.create(given, queryId)
      reply.code(201).header('location', `/v1/sirp/scheduled/${encodeURIComponent(made.id)}`)
      return sendRecord(request, reply, made)
    }

    const update = async (request: FastifyRequest, reply: FastifyReply, id: string, given: GivenSchedule) => {
      await check(given.query)
      const guard = (present: Schedule) => requireMatch(request, present)
      return sendRecord(request, reply, await schedules.update(id, given, guard))
    }

    route(app, 'listScheduledQueries', {
      schema: { querystring: PageQuery, response: { 200: ScheduledQueryList } },
      handler: async request => pageOf(await schedules.list(request.query), request.query),
    })

    route(app, 'addScheduledQuery', {
      description: 'It is enabled at once; `minutes` are counted from then.',
      schema: { body: Body, response: { 201: ScheduledQuery } },
      handler: (request, reply) => create(request, reply, request.body),
    })

    for (const id of ['createScheduledQuery', 'createAlmanacQuery'] as const)
      route(app, id, {
        schema: { body: Create, response: { 201: ScheduledQuery } },
        handler: (request, reply) => create(request, reply, request.body),
      })

    route(app, 'getScheduledQuery', {
      schema: { response: { 200: ScheduledQuery } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await schedules.get(idIn(request.params))),
    })

    route(app, 'updateScheduledQuery', {
      description: 'What is left out stays as it is.',
      schema: { body: Update, response: { 200: ScheduledQuery } },
      handler: (request, reply) => {
        const { queryId, ...given } = request.body
        return update(request, reply, queryId, given)
      },
    })

    route(app, 'replaceScheduledQuery', {
      description: 'What is left out stays as it is.',
      schema: { body: Body, response: { 200: ScheduledQuery } },
      handler: (request, reply) => update(request, reply, idIn(request.params), request.body),
    })

    route(app, 'deleteScheduledQuery', {
      description: 'A run that is under way goes on.',
      schema: { response: { 204: GONE } },
      handler: async (request, reply) => {
        await schedules.delete(idIn(request.params), present => requireMatch(request, present))
        return reply.code(204).send()
      },
    })

    route(app, 'enableScheduledQuery', {
      description: '`minutes` are counted from now.',
      schema: { response: { 200: ScheduledQuery } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await schedules.enable(idIn(request.params))),
    })

    route(app, 'disableScheduledQuery', {
      description: 'A run that is under way goes on.',
      schema: { response: { 200: ScheduledQuery } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await schedules.disable(idIn(request.params))),
    })

    route(app, 'runScheduledQuery', {
      description: 'Besides its schedule. The query has the id `queryId`.',
      schema: { response: { 202: ScheduledRun } },
      handler: async (request, reply) => {
        const run = await almanac.run(idIn(request.params))
        reply.code(202).header('location', `/v1/sirp/queries/${run.queryId}`)
        return run
      },
    })

    route(app, 'listScheduledRuns', {
      description: 'The latest first; the last thousand are kept.',
      schema: { querystring: PageQuery, response: { 200: ScheduledRunList } },
      handler: async request =>
        pageOf(await almanac.runs(idIn(request.params), request.query), request.query),
    })
  }

const idIn = (params: unknown): string => (params as { id: string }).id

/** The address that the request itself came to has been checked to be ours. */
function requireOwnAddress(request: FastifyRequest, address: string): void {
  const host = URL.canParse(address) ? new URL(address).host : undefined
  if (host !== undefined && host === new URL(`http://${request.headers.host}`).host) return
  throw new ForageError(
    'foreign_address',
    `sirpURL may only be the address of this service, ${request.protocol}://${request.headers.host}.`,
  )
}

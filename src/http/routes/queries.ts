import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { FreeObject, fields, Uuid } from '../../services/fields.ts'
import type { ActiveQuery } from '../../services/sirp/active-query.ts'
import type { Processor } from '../../services/sirp/processor.ts'
import {
  CommandList,
  DispatchedQuery,
  QueryList,
  QueryRecord,
  QueryState,
  QueryStatusRecord,
  StageList,
  StageRecord,
} from '../../services/sirp/records.ts'
import { sendRecord } from '../etags.ts'
import { PageQuery, pageOf, pageParameters } from '../lists.ts'
import { type Routes, route } from '../route.ts'
import { sendJsonText } from '../streams.ts'
import { withResults } from './results.ts'

export interface SirpRoutesOptions {
  readonly sirp: { readonly processor: Processor }
}

const byId = fields({ id: Uuid })
const byStage = fields({ id: Uuid, stage: Type.String({ minLength: 1 }) })

/** The body of a dispatch (interface.md, Query). */
export const queryFields = {
  query: Type.String({ minLength: 1, description: 'The query string' }),
  cleanup: Type.Optional(
    Type.Boolean({ description: "When complete, everything but the last stage's rows goes" }),
  ),
  summary: Type.Optional(Type.Boolean({ description: 'Compute the summary at the end' })),
  minutes: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The longest it may run; 0 is the limit of the server' }),
  ),
  ttl: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Seconds that the results live; 0 is the default, a day' }),
  ),
  metadata: Type.Optional(FreeObject),
}
const DispatchBody = fields({ ...queryFields, mode: Type.Optional(Type.Enum(['turbo', 'comprehensive'])) })
export const ResultLimit = fields({
  limit: Type.Integer({ minimum: 0, maximum: 10_000, default: 10_000, description: 'Rows in the answer' }),
})

const CommandsQuery = fields({
  ...pageParameters,
  status: Type.Optional(
    Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled'], {
      description: 'Only those in this state',
    }),
  ),
})

const HOLD_SECONDS = 30
const MOST_HOLD_SECONDS = 300

/** Taking queries in and telling how they are. */
export const queryRoutes =
  ({ sirp }: SirpRoutesOptions): Routes =>
  app => {
    route(app, 'dispatchQuery', {
      description:
        'Starts the query and holds the answer for up to 30 s (`Prefer: wait=N` up to 300, `Prefer: respond-async` not at all). Done in time: 200 with `results`; else 202, and `Location` says where to look.',
      schema: {
        querystring: ResultLimit,
        body: DispatchBody,
        response: { 200: DispatchedQuery, 202: QueryRecord },
      },
      handler: async (request, reply) => {
        const query = await sirp.processor.dispatch(request.body)
        return answerQuery(sirp.processor, query, holdSeconds(request), request.query.limit, reply)
      },
    })

    route(app, 'dispatchQueryAndWait', {
      description:
        'Answers when the query is complete, however long that takes. It goes on if the client leaves.',
      schema: { querystring: ResultLimit, body: fields(queryFields), response: { 200: DispatchedQuery } },
      handler: async (request, reply) => {
        const query = await sirp.processor.dispatch(request.body)
        return answerQuery(sirp.processor, query, Number.POSITIVE_INFINITY, request.query.limit, reply)
      },
    })

    route(app, 'dispatchCommand', {
      description:
        'Runs one command. `prev` names a query whose results are its input; `id` is the id to use.',
      schema: {
        querystring: ResultLimit,
        body: CommandBody,
        response: { 200: DispatchedQuery, 202: QueryRecord },
      },
      handler: async (request, reply) => {
        const query = await sirp.processor.dispatchCommand(request.body)
        return answerQuery(sirp.processor, query, holdSeconds(request), request.query.limit, reply)
      },
    })

    route(app, 'listQueries', {
      schema: {
        querystring: fields({
          ...pageParameters,
          status: Type.Optional(QueryState),
          text: Type.Optional(Type.String({ minLength: 1, description: 'A part of the query' })),
          since: Type.Optional(
            Type.String({ format: 'date-time', description: 'Created at this time or later' }),
          ),
        }),
        response: { 200: QueryList },
      },
      handler: async request => {
        const { offset, limit, ...filters } = request.query
        return pageOf(await sirp.processor.queries.list(filters, { offset, limit }), request.query)
      },
    })

    route(app, 'getQuery', {
      schema: { params: byId, response: { 200: QueryRecord } },
      handler: async (request, reply) =>
        sendRecord(request, reply, await sirp.processor.queries.record(request.params.id)),
    })

    route(app, 'deleteQuery', {
      description:
        'A running query is cancelled first. What another query or the cache still uses is spared.',
      schema: { params: byId, response: { 204: Type.Null() } },
      handler: async (request, reply) => {
        await sirp.processor.remove(request.params.id)
        return reply.code(204).send()
      },
    })

    route(app, 'cancelQuery', {
      description: 'What is in flight stops within a second; finished stages stay readable.',
      schema: { params: byId, response: { 202: QueryStatusRecord } },
      handler: async (request, reply) => reply.code(202).send(await sirp.processor.cancel(request.params.id)),
    })

    route(app, 'getQueryStatus', {
      schema: { params: byId, response: { 200: QueryStatusRecord } },
      handler: async request => sirp.processor.queries.status(request.params.id),
    })

    route(app, 'listQueryStages', {
      schema: { params: byId, querystring: PageQuery, response: { 200: StageList } },
      handler: async request => cut(await sirp.processor.queries.stages(request.params.id), request.query),
    })

    route(app, 'getQueryStage', {
      schema: { params: byStage, response: { 200: StageRecord } },
      handler: async request => sirp.processor.queries.stage(request.params.id, request.params.stage),
    })

    route(app, 'listQueryCommands', {
      schema: { params: byId, querystring: CommandsQuery, response: { 200: CommandList } },
      handler: async ({ params, query }) =>
        pageOf(await sirp.processor.queries.commands(params.id, undefined, query), query),
    })

    route(app, 'listStageCommands', {
      schema: { params: byStage, querystring: CommandsQuery, response: { 200: CommandList } },
      handler: async ({ params, query }) =>
        pageOf(await sirp.processor.queries.commands(params.id, params.stage, query), query),
    })
  }

const CommandBody = fields({
  command: Type.String({ minLength: 1 }),
  args: Type.Optional(
    Type.Array(Type.Array(Type.Unknown()), { description: 'Each argument as the list of its parts' }),
  ),
  flags: Type.Optional(FreeObject),
  prev: Type.Optional(Type.String({ description: 'The query whose results are the input' })),
  line: Type.Optional(Type.Number({ description: 'Echoed in errors' })),
  metadata: Type.Optional(FreeObject),
  id: Type.Optional(Type.String({ description: 'The id of the query to make' })),
})

/** The record, with the first rows where the query was done in time. */
export async function answerQuery(
  processor: Processor,
  query: ActiveQuery,
  seconds: number,
  limit: number,
  reply: FastifyReply,
) {
  const { id } = query.row
  // Also with an error: when sirp restarts meanwhile the query goes on, and this is where to find it.
  reply.header('location', `/v1/sirp/queries/${id}`)
  const done = await within(seconds, query.finished)
  const record = await processor.queries.record(id)
  if (!done) return reply.code(202).send(record)
  if (record.status !== 'completed') return reply.send(record)
  const page = await processor.reader.page(id, undefined, {
    offset: 0,
    limit,
    signal: new AbortController().signal,
  })
  const rest = {
    ...record,
    columns: page.columns,
    total: page.total,
    ...(page.total > limit && { truncated: true }),
  }
  return sendJsonText(reply, withResults(page.json, rest))
}

const cut = <T>(items: T[], page: { offset: number; limit: number }) =>
  pageOf({ items: items.slice(page.offset, page.offset + page.limit), total: items.length }, page)

/** RFC 7240: how long the client wants to wait; `otherwise` when it does not say. */
export function holdSeconds(request: FastifyRequest, otherwise = HOLD_SECONDS): number {
  const prefer = String(request.headers.prefer ?? '')
  if (/\brespond-async\b/i.test(prefer)) return 0
  const wait = /\bwait\s*=\s*(\d+)/i.exec(prefer)
  return wait ? Math.min(Number(wait[1]), MOST_HOLD_SECONDS) : otherwise
}

/** Whether the work was done before the time was over. */
async function within(seconds: number, work: Promise<void>): Promise<boolean> {
  const done = work.then(() => true)
  if (seconds === Number.POSITIVE_INFINITY) return done
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), seconds * 1000)
  try {
    return await Promise.race([done, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { ExportFormat } from '../../engine/tables/export.ts'
import { ForageError } from '../../errors.ts'
import { type Json, stringifyJson } from '../../language/json.ts'
import { badPath } from '../../language/messages/values.ts'
import { parsePath } from '../../language/paths.ts'
import { fields, Uuid } from '../../services/fields.ts'
import { QuerySummary, ResultsPage, SummaryStatus } from '../../services/sirp/records.ts'
import { type Routes, route } from '../route.ts'
import { sendJsonText } from '../streams.ts'
import type { SirpRoutesOptions } from './queries.ts'

/** Which rows of a table, and in which order. */
export const resultParameters = {
  offset: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 0, maximum: 10_000, default: 100 }),
  sort: Type.Boolean({ default: false, description: 'Sort by `sortKey`' }),
  sortKey: Type.Optional(Type.String({ minLength: 1, description: 'The path to sort by' })),
  sortOrder: Type.Enum(['asc', 'desc'], { default: 'asc' }),
}
const ResultsQuery = fields({
  mode: Type.Enum(['nested', 'flat', 'json', 'csv', 'ndjson', 'parquet'], {
    default: 'nested',
    description: 'nested and flat answer a page; the others stream the whole result as a file',
  }),
  ...resultParameters,
  safe: Type.Boolean({
    default: false,
    description: 'CSV: cells that a spreadsheet would compute are made harmless',
  }),
})

/** A page, or with `mode=json` all rows as they are. */
const Results = Type.Union([ResultsPage, Type.Array(Type.Unknown())])

const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
}

/** The rows of queries that have ended, by page or whole, and what is in them. */
export const resultRoutes =
  ({ sirp }: SirpRoutesOptions): Routes =>
  app => {
    const byId = fields({ id: Uuid })

    route(app, 'getQueryResults', {
      description:
        'A page of rows, each as `{ content }`; with `mode` json, csv, ndjson or parquet the whole result as a file. 409 while the query runs or when it failed, 410 when the rows are gone.',
      schema: { params: byId, querystring: ResultsQuery, response: { 200: Results } },
      handler: (request, reply) => send(request, reply, request.params.id, undefined, request.query),
    })

    route(app, 'getStageResults', {
      description: 'The same for one stage, by its index from 0 or its label.',
      schema: {
        params: fields({ id: Uuid, stage: Type.String({ minLength: 1 }) }),
        querystring: ResultsQuery,
        response: { 200: Results },
      },
      handler: (request, reply) =>
        send(request, reply, request.params.id, request.params.stage, request.query),
    })

    route(app, 'getQuerySummary', {
      description: 'Computed at the end of the query when that was asked for, otherwise now.',
      schema: { params: byId, response: { 200: QuerySummary } },
      handler: async (request, reply) => {
        const summary = await sirp.processor.reader.summary(request.params.id)
        return sendJsonText(reply, stringifyJson(summary as Json))
      },
    })

    route(app, 'getQuerySummaryStatus', {
      schema: { params: byId, response: { 200: SummaryStatus } },
      handler: request => sirp.processor.reader.summaryStatus(request.params.id),
    })

    async function send(
      request: FastifyRequest,
      reply: FastifyReply,
      id: string,
      stage: string | undefined,
      query: Static<typeof ResultsQuery>,
    ): Promise<FastifyReply> {
      const { mode, offset, limit, safe } = query
      const sort = sortOf(query)
      const signal = clientLeaves(request)
      if (mode === 'nested' || mode === 'flat') {
        const page = await sirp.processor.reader.page(id, stage, {
          offset,
          limit,
          flat: mode === 'flat',
          signal,
          ...(sort && { sort }),
        })
        const rest = { columns: page.columns, total: page.total, offset, limit }
        return sendJsonText(reply, withResults(page.json, rest))
      }
      const { stream } = await sirp.processor.reader.export(id, stage, mode, {
        safe,
        signal,
        ...(sort && { sort }),
      })
      return reply
        .header('content-type', mediaTypes[mode])
        .header(
          'content-disposition',
          `attachment; filename="${id}${stage === undefined ? '' : `-${fileName(stage)}`}.${mode}"`,
        )
        .send(stream)
    }
  }

/** An object with the rows, which are JSON text already, put in as they are. */
export const withResults = (rows: string, rest: object): string =>
  `{"results":${rows},${JSON.stringify(rest).slice(1)}`

interface Sorting {
  readonly sort: boolean
  readonly sortKey?: string | undefined
  readonly sortOrder: string
}

export function sortOf({ sort, sortKey, sortOrder }: Sorting) {
  if (!sort) return undefined
  if (sortKey === undefined) throw badSort('sort=true needs a sortKey.')
  const path = parsePath(sortKey)
  if ('problem' in path) throw badSort(badPath(path.problem, 'sortKey').message)
  return { path, descending: sortOrder === 'desc' }
}

const badSort = (message: string): ForageError =>
  new ForageError('invalid_request', message, { errors: [{ path: '$.sortKey', message }] })

/** Letters, digits and dashes: what every system takes in the name of a file. */
const fileName = (label: string): string => label.replaceAll(/[^\w-]/g, '_')

/** No fault of ours: whoever scrolls on does not wait for the rows that were asked for before. */
class ClientGone extends Error {
  readonly code = 'ECONNRESET'
  constructor() {
    super('the client went away')
  }
}

/** Aborted when the client goes away before its answer is complete. */
export function clientLeaves(request: FastifyRequest): AbortSignal {
  const controller = new AbortController()
  request.raw.once('close', () => {
    if (!request.raw.complete || request.raw.destroyed) controller.abort(new ClientGone())
  })
  return controller.signal
}

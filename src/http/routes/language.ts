import Type from 'typebox'
import { commands } from '../../commands/index.ts'
import { complete } from '../../language/complete.ts'
import { AGGREGATES } from '../../language/expression/aggregates.ts'
import { FUNCTIONS } from '../../language/expression/functions.ts'
import { type Json, stringifyJson } from '../../language/json.ts'
import { FreeObject, fields, record } from '../../services/fields.ts'
import { Decorations, PlanRecord } from '../../services/sirp/plan-records.ts'
import { type Routes, route } from '../route.ts'
import { sendJsonText } from '../streams.ts'
import type { SirpRoutesOptions } from './queries.ts'

const QueryText = Type.String({ minLength: 1, description: 'The query string' })

const Completions = record('Completions', {
  from: Type.Integer({ description: 'Where the text begins that an item replaces' }),
  to: Type.Integer(),
  items: Type.Array(
    fields({
      label: Type.String(),
      kind: Type.Enum(['command', 'flag', 'value', 'function', 'column']),
      detail: Type.String(),
      apply: Type.String({ description: 'The text to put in' }),
      help: Type.String(),
    }),
  ),
})

const CommandDeclarations = record('CommandDeclarations', {
  items: Type.Array(FreeObject, {
    description: 'Each with its name, kind, summary, help, arguments, flags and examples',
  }),
})

/** What can be said of a query without running it. */
export const languageRoutes =
  ({ sirp }: SirpRoutesOptions): Routes =>
  app => {
    route(app, 'parseQuery', {
      description: 'The plan of the query; 422 with everything that is wrong with it, and where.',
      schema: {
        querystring: fields({
          parseOnly: Type.Boolean({ default: false, description: 'Stop after the syntax' }),
          addFlags: Type.Boolean({ default: true, description: 'Fill in `defaults`' }),
        }),
        body: fields({ query: QueryText }),
        response: { 200: PlanRecord },
      },
      handler: async (request, reply) => {
        // Its flags may hold integers that only our own writer keeps exact.
        const plan = await sirp.processor.planner.parse(request.body.query, request.query)
        return sendJsonText(reply, stringifyJson(plan as unknown as Json))
      },
    })

    route(app, 'decorateQuery', {
      description:
        'Commands that fit one column (attribute) or several (multiattribute) of the result, each with the query that it would make. The columns are those of the last run of the same query, unless `columns` names others.',
      schema: {
        params: fields({ type: Type.Enum(['attribute', 'multiattribute']) }),
        body: fields({
          query: QueryText,
          columns: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), { description: 'Paths to columns of the result' }),
          ),
        }),
        response: { 200: Decorations },
      },
      handler: async request => ({
        items: await sirp.processor.planner.decorate(
          request.body.query,
          request.params.type,
          request.body.columns,
        ),
      }),
    })

    route(app, 'listCommands', {
      description:
        'The declaration of every command: what an editor needs to check and complete queries itself.',
      schema: { response: { 200: CommandDeclarations } },
      handler: async (_request, reply) => sendJsonText(reply, declarations()),
    })

    route(app, 'completeQuery', {
      schema: {
        body: fields({
          query: Type.String(),
          cursor: Type.Integer({ minimum: 0, description: 'Offset in UTF-16 code units' }),
          columns: Type.Optional(Type.Array(Type.String(), { description: 'Columns of the stage before' })),
        }),
        response: { 200: Completions },
      },
      handler: async request => {
        const { query, cursor, columns } = request.body
        const { from, to, items } = complete(query, cursor, {
          commands,
          functions: FUNCTIONS,
          aggregates: AGGREGATES,
          ...(columns && { columns }),
        })
        return { from, to, items: [...items] }
      },
    })
  }

let text: string | undefined

/** Functions fall away in JSON: what is left of a command is what it says of itself. */
const declarations = (): string => (text ??= JSON.stringify({ items: commands }))

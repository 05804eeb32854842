import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { serviceNames } from '../services/service.ts'
import type { App } from './context.ts'
import { Problem } from './problems.ts'
import { FORM, NO_BODY } from './route.ts'

/** Of the interface, not of the program. */
const API_VERSION = '1.3.0'

const about: Readonly<Record<(typeof serviceNames)[number], string>> = {
  gonogo: 'Domain policies: how often a domain may be asked',
  sirp: 'The query processor: queries, cellar, schedules, templates, services',
  secrets: 'API keys, checkpoints, credentials, prompts, stores, users, secrets',
  licorice: 'Licenses',
  workers: 'What runs jobs',
  jobs: 'What is queued, running, waiting',
  mentos: 'Streams into stores',
  screenshot: 'Screenshots that were taken',
  krull: 'The browser',
  almanac: 'Schedules',
}

/** The OpenAPI document, made from the schemas of the routes, at `/v1/openapi.json`. */
export async function registerOpenapi(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Forage',
        version: API_VERSION,
        description:
          'Web pages and HTTP APIs as tables. Errors are `application/problem+json`; `code` is explained at /docs/errors.',
      },
      tags: serviceNames.map(name => ({ name, description: about[name] })),
      components: {
        securitySchemes: {
          svc: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The word `svc`, a blank and an API key: `svc <API_KEY>`.',
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
        },
      },
      security: [{ svc: [] }, { bearer: [] }],
    },
    transform: ({ schema, url }) => ({ schema: shown(schema), url }),
    transformObject: document => finish('openapiObject' in document ? document.openapiObject : {}),
  })
  let text: string | undefined
  app.get('/v1/openapi.json', { schema: { hide: true }, config: { open: true } }, async (_request, reply) => {
    text ??= JSON.stringify(app.swagger())
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
}

type Node = Record<string, unknown>
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `@fastify/swagger` gives every `$id` a number of its own; under this name ours pass through. */
const NAME = 'x-forage-name'

/** A route's schema as the document shows it. */
function shown(schema: FastifySchema): FastifySchema {
  const { [FORM]: form, body: given, querystring, ...rest } = mapNodes(schema, withNameKept) as Node
  const body = form ?? given
  // The schema that stands for no body is for the validator only.
  const hasBody = isNode(body) && body[NAME] !== NO_BODY
  return {
    ...rest,
    ...(isNode(querystring) && { querystring: optionalDefaults(querystring) }),
    ...(hasBody && { body }),
  }
}

const withNameKept = ({ $id, ...rest }: Node): Node => ($id === undefined ? rest : { ...rest, [NAME]: $id })

/** To the handler a parameter with a default is always there; a client may leave it out. */
function optionalDefaults(query: Node): Node {
  const properties = query.properties as Record<string, Node>
  const required = (query.required as string[] | undefined)?.filter(
    name => properties[name]?.default === undefined,
  )
  return { ...query, required }
}

/** Named schemas move into the components, and every operation gets its problem answers. */
function finish(document: Partial<Node>): Node {
  const schemas: Node = {}
  const named = (node: unknown) => mapNodes(node, part => hoisted(part, schemas))
  const paths = named(document.paths ?? {}) as Record<string, Record<string, Operation>>
  for (const operation of Object.values(paths).flatMap(path => Object.values(path)))
    complete(operation, schemas)
  const content = { 'application/problem+json': { schema: named(mapNodes(Problem, withNameKept)) } }
  const responses = { Problem: { description: 'What went wrong, with a stable code', content } }
  const components = { ...(document.components as Node), schemas: sorted(schemas), responses }
  return { ...document, paths, components }
}

interface Operation {
  requestBody?: {
    required: boolean
    content: Record<string, { schema: { $ref?: string; required?: string[] } }>
  }
  responses: Record<string, Node>
}

function complete(operation: Operation, schemas: Node): void {
  const { requestBody, responses } = operation
  const { $ref, ...inline } = Object.values(requestBody?.content ?? {})[0]?.schema ?? {}
  const body = ($ref ? schemas[$ref.split('/').at(-1)!] : inline) as { required?: string[] }
  if (requestBody) requestBody.required = (body.required ?? []).length > 0
  for (const [status, response] of Object.entries(responses)) {
    if (response.description === 'Default Response') response.description = STATUS_CODES[status]
    if (status === '201')
      response.headers = { Location: { schema: { type: 'string' }, description: 'Where it is' } }
  }
  const problem = { $ref: '#/components/responses/Problem' }
  operation.responses = { ...responses, '4XX': problem, '5XX': problem }
}

/** Replaces a schema that has a name by a reference, and puts what it stood for with the others. */
function hoisted(node: Node, schemas: Node): Node {
  const { [NAME]: name, ...schema } = node
  if (typeof name !== 'string') return node
  schemas[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

/** A copy in which every object was changed, the inner ones first. */
function mapNodes(value: unknown, change: (node: Node) => Node): unknown {
  if (Array.isArray(value)) return value.map(item => mapNodes(item, change))
  if (!isNode(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapNodes(item, change)])))
}

const sorted = (schemas: Node): Node =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))

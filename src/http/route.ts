import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyReply,
  FastifyRequest,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from 'fastify'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { ForageError } from '../errors.ts'
import type { ServiceName } from '../services/service.ts'
import { bodyLimitOf } from './body-limits.ts'
import type { App } from './context.ts'
import { type Operation, type OperationId, operationOf } from './operations.ts'

/** Registers the routes of one service. */
export type Routes = (app: App) => void

export interface RouteSchema {
  /** Without it every parameter of the path is a text. */
  readonly params?: TObject
  readonly querystring?: TObject
  readonly body?: TObject
  /** The fields of a `multipart/form-data` body, for the document; the handler reads it with `request.file()`. */
  readonly form?: TObject
  /** By status; problems need not be listed. */
  readonly response: Readonly<Record<number, TSchema>>
}

type RequestOf<S extends RouteSchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  S,
  TypeBoxTypeProvider
>

type AnswerOf<S extends RouteSchema> = Static<S['response'][keyof S['response'] & number]> | FastifyReply

export interface RouteOptions<S extends RouteSchema> {
  readonly schema: S
  readonly description?: string
  /** Answers also while its service is down: how one finds out, and how one restarts it. */
  readonly whileDown?: true
  /** Fields of the answer that are shown once: left out when an `Idempotency-Key` repeats it. */
  readonly secretFields?: readonly string[]
  handler(request: RequestOf<S>, reply: FastifyReply): AnswerOf<S> | Promise<AnswerOf<S>>
}

/** Stands for the body of operations that take none: nothing, or `{}`. */
export const NO_BODY = 'NoBody'
/** Where a route's schema keeps its form. */
export const FORM = 'x-form'
const NoBody = Type.Object({}, { $id: NO_BODY, additionalProperties: false })
/** The answer to a deletion, which has no body. */
export const GONE = Type.Null({ description: 'It is gone' })
const NoQuery = Type.Object({}, { additionalProperties: false })

/**
 * Registers an operation. Method, path, name and tag come from the table of operations, the schemas from here: they give
 * validation, types, body limit and OpenAPI document.
 */
export function route<const S extends RouteSchema>(
  app: App,
  id: OperationId,
  options: RouteOptions<S>,
): void {
  registerOperation(app, id, operationOf(id), options)
}

export function registerOperation<const S extends RouteSchema>(
  app: App,
  id: string,
  operation: Operation,
  options: RouteOptions<S>,
): void {
  const { schema, whileDown, secretFields, description } = options
  const takesBody = operation.method !== 'GET'
  const body = schema.body ?? NoBody
  app.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimitOf(takesBody ? body : undefined, app.http.bodyLimit),
    schema: {
      operationId: id,
      summary: operation.name,
      tags: [operation.service],
      ...(description && { description }),
      params: schema.params ?? pathParameters(operation.path),
      querystring: schema.querystring ?? NoQuery,
      ...(takesBody && { body }),
      ...(schema.form && { consumes: ['multipart/form-data'], [FORM]: schema.form }),
      response: schema.response,
    },
    config: secretFields ? { secretFields } : {},
    onRequest: whileDown ? [] : [requireRunning(app, operation.service)],
    preValidation: takesBody && (body.required ?? []).length === 0 ? [allowNoBody] : [],
    // The type provider derives the same request type from the same schema.
    handler: options.handler as unknown as RouteHandlerMethod,
  })
}

function pathParameters(path: string): TObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(match => [match[1], Type.String()])
  return Type.Object(Object.fromEntries(names), { additionalProperties: false })
}

const requireRunning = (app: App, service: ServiceName) => async (): Promise<void> => {
  if (app.http.isRunning(service)) return
  throw new ForageError('service_unavailable', `The service ${service} does not run at the moment.`, {
    retryAfterSeconds: 1,
  })
}

const allowNoBody = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
  request.body ??= {}
  done()
}

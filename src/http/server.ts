import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { ForageError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Supervisor } from '../services/supervisor.ts'
import type { Settings } from '../settings.ts'
import type { Idempotency } from '../storage/idempotency.ts'
import { type ApiDependencies, apiRoutes } from './api.ts'
import { authentication, byKey } from './authentication.ts'
import { ClientErrors } from './client-errors.ts'
import type { App, Authenticator } from './context.ts'
import { registerHealth } from './health.ts'
import { hostCheck } from './hosts.ts'
import { digestFor, registerIdempotency } from './idempotency.ts'
import { parseJsonBody } from './json-body.ts'
import { registerNotFound } from './methods.ts'
import { createMetrics, registerMetrics } from './metrics.ts'
import { registerOpenapi } from './openapi.ts'
import { sendProblem } from './problems.ts'
import { registerReference } from './reference.ts'
import { FORM, type Routes } from './route.ts'
import { bySession } from './sessions.ts'
import { validatorCompiler } from './validation.ts'
import { registerWeb } from './web.ts'

export interface ServerOptions extends ApiDependencies {
  readonly settings: Pick<Settings, 'host' | 'hosts' | 'bodyLimit' | 'uploadLimit'>
  readonly log: Logger
  readonly supervisor: Supervisor
  readonly idempotency: Idempotency
  /** Asked, after the API keys, who a caller is. */
  readonly authenticators?: readonly Authenticator[]
  /** Besides those of the interface. */
  readonly routes?: readonly Routes[]
}

/** A thousand characters in a path, each of four bytes, each byte as `%F0`. */
const LONGEST_PARAMETER = 1000 * 12
/** A selector of 1,048,576 characters may come in a query string, percent-encoded like the path. */
const MOST_HEADER_BYTES = 16 * 1024 * 1024
const REQUEST_TIMEOUT_MS = 300_000

/** The server, ready to listen. */
export async function createServer(options: ServerOptions): Promise<App> {
  const { settings, supervisor } = options
  const clientErrors = new ClientErrors()
  const app: App = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: settings.bodyLimit,
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PARAMETER },
    // A missing Host header is answered by us, as a problem.
    http: { maxHeaderSize: MOST_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: clientErrors.handle,
    frameworkErrors: (error, request, reply) => {
      setHeaders(request as FastifyRequest, reply as FastifyReply)
      sendProblem(error, request as FastifyRequest, reply as FastifyReply)
    },
  })
  clientErrors.watch(app.server)

  const metrics = createMetrics()
  app.decorate('http', {
    bodyLimit: settings.bodyLimit,
    isRunning: name => supervisor.isRunning(name),
    metrics,
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('bodyDigest', null)
  app.decorateRequest('claim', null)
  app.setValidatorCompiler(validatorCompiler)
  // Answers are checked against their schemas in tests, not stripped by them: a field that is missing there is a mistake here.
  app.setSerializerCompiler(() => value => JSON.stringify(value))
  app.setErrorHandler(sendProblem)
  registerNotFound(app)
  takeJson(app)
  await app.register(cookie)
  await app.register(multipart, { limits: { fileSize: settings.uploadLimit, files: 1 } })
  guard(app, options)
  registerIdempotency(app, options.idempotency)
  await app.register(compress, {
    encodings: ['br', 'gzip'],
    requestEncodings: ['br', 'gzip', 'identity'],
    // Images and Parquet are compressed already; events must not wait in a compressor.
    customTypes: type => /^text\/(?!event-stream)|[/+]json|[/+]xml|x-ndjson|javascript/.test(type),
  })
  await registerOpenapi(app)
  registerReference(app)
  registerWeb(app)
  registerHealth(app, supervisor)
  registerMetrics(app, metrics)
  for (const routes of [...(options.routes ?? []), ...apiRoutes(options)]) routes(app)
  await app.ready()
  return app
}

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:+/=~-]{1,128}$/.test(given) ? given : randomUUID()
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  })
}

/** What happens to every request before its route: headers, name, key; and the line in the log after it. */
function guard(app: App, { settings, keys, secrets, authenticators = [], log }: ServerOptions): void {
  const checkHost = hostCheck(settings.host, settings.hosts)
  const authenticate = authentication([byKey(keys), bySession(secrets.sessions), ...authenticators])
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(request, reply)
    if (closing) throw new ForageError('not_ready', 'Forage is stopping.', { retryAfterSeconds: 5 })
    checkHost(request)
    await authenticate(request)
    requireForm(request)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const level = request.routeOptions.config?.open ? 'debug' : 'info'
    log[level](
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        caller: request.caller?.id,
      },
      'request',
    )
    done()
  })
}

/** Bodies are JSON in UTF-8 and nothing else; a route that takes a form says so in its schema. */
function takeJson(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    try {
      request.bodyDigest = digestFor(request, body)
      requireUtf8(request.headers['content-type'] ?? '')
      done(null, body.length === 0 ? undefined : parseJsonBody(body))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Forms are for the routes that take one. */
function requireForm({ headers, routeOptions }: FastifyRequest): void {
  if (!/^multipart\//i.test(headers['content-type'] ?? '') || routeOptions.url === undefined) return
  if (FORM in (routeOptions.schema ?? {})) return
  throw new ForageError('wrong_media_type', 'Send the body as application/json in UTF-8.')
}

function requireUtf8(contentType: string): void {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(contentType)?.[1]
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8')
    throw new ForageError('wrong_media_type', `JSON is sent in UTF-8, not in ${charset.slice(0, 40)}.`)
}

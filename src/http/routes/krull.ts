import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { ForageError } from '../../errors.ts'
import { registerBrowserMetrics } from '../../services/krull/metrics.ts'
import {
  EvaluateBody,
  ExpressionBody,
  FormBody,
  RequestsBody,
  ScreenshotBody,
  ScreenshotQuery,
  SelectorBody,
  SessionBody,
} from '../../services/krull/options.ts'
import { BrowserSystem, Devices, ExpressionAnswer, PageAnswer } from '../../services/krull/records.ts'
import type { KrullService } from '../../services/krull/service.ts'
import { screenshotMediaTypes } from '../../services/screenshot/records.ts'
import type { Supervisor } from '../../services/supervisor.ts'
import type { App } from '../context.ts'
import type { OperationId } from '../operations.ts'
import { type Routes, route } from '../route.ts'
import { sendBytes } from '../streams.ts'

export interface KrullRoutesOptions {
  readonly krull: Pick<KrullService, 'operations' | 'devices' | 'system' | 'requireBrowser'>
  readonly supervisor: Pick<Supervisor, 'restart' | 'status' | 'statuses'>
}

/** The browser operations. Restarting is with the other services' (`services.ts`). */
export const krullRoutes =
  ({ krull, supervisor }: KrullRoutesOptions): Routes =>
  app => {
    registerBrowserMetrics(app.http.metrics, krull)
    const browser = new Revival(krull, supervisor)
    informationRoutes(app, { krull, supervisor })
    jobRoutes(app, browser)

    route(app, 'capturePageSession', {
      whileDown: true,
      description:
        'Runs each expression in turn; one that leads to another page is followed there. `steps` has cookies and storages after the load and after each expression.',
      schema: { body: SessionBody, response: { 200: PageAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).session(request.body, { signal: gone(request, reply) }),
    })

    route(app, 'getSelectorScreenshot', {
      whileDown: true,
      description:
        'Answers with the image itself: of the first element that matches, or of the whole page. JPEG, or PNG with a transparent background.',
      schema: { querystring: ScreenshotQuery, response: { 200: image } },
      handler: async (request, reply) => {
        const operations = await browser.operations()
        const { bytes, type } = await operations.image(request.query, { signal: gone(request, reply) })
        return sendBytes(reply, screenshotMediaTypes[type], bytes)
      },
    })
  }

const image = Type.Unknown({ description: 'An image: image/jpeg, image/png or image/webp' })

function informationRoutes(app: App, { krull, supervisor }: KrullRoutesOptions): void {
  route(app, 'listDevices', {
    whileDown: true,
    schema: { response: { 200: Devices } },
    handler: async () => ({ items: [...krull.devices()] }),
  })

  route(app, 'getBrowserSystem', {
    whileDown: true,
    schema: { response: { 200: BrowserSystem } },
    handler: async () => {
      const { status, detail } = supervisor.status('krull')
      return krull.system(status === 'running' ? null : `krull is ${status}: ${detail}`)
    },
  })
}

/** Those that the interface document lists twice. */
function jobRoutes(app: App, browser: Revival): void {
  const both = (ids: readonly [OperationId, OperationId], register: (id: OperationId) => void) =>
    ids.forEach(register)

  both(['evaluateExpression', 'browserEvaluateExpression'], id =>
    route(app, id, {
      whileDown: true,
      description: 'Without a page: it reaches no address.',
      schema: { body: ExpressionBody, response: { 200: ExpressionAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).expression(request.body, { signal: gone(request, reply) }),
    }),
  )

  both(['captureRequests', 'browserCaptureRequests'], id =>
    route(app, id, {
      whileDown: true,
      description: 'External are the requests to another host than that of the address.',
      schema: { body: RequestsBody, response: { 200: PageAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).requests(request.body, { signal: gone(request, reply) }),
    }),
  )

  both(['evaluateInPage', 'browserEvaluateInPage'], id =>
    route(app, id, {
      whileDown: true,
      schema: { body: EvaluateBody, response: { 200: PageAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).evaluate(request.body, { signal: gone(request, reply) }),
    }),
  )

  both(['evaluateSelector', 'browserEvaluateSelector'], id =>
    route(app, id, {
      whileDown: true,
      schema: { body: SelectorBody, response: { 200: PageAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).selector(request.body, { signal: gone(request, reply) }),
    }),
  )

  both(['captureScreenshot', 'browserCaptureScreenshot'], id =>
    route(app, id, {
      whileDown: true,
      description: 'The image is kept; GET /v1/screenshot/{hash} answers with it.',
      schema: { body: ScreenshotBody, response: { 200: PageAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).screenshot(request.body, { signal: gone(request, reply) }),
    }),
  )

  both(['submitForm', 'browserSubmitForm'], id =>
    route(app, id, {
      whileDown: true,
      description: '`wait` speaks of the page that the form leads to.',
      schema: { body: FormBody, response: { 200: PageAnswer } },
      handler: async (request, reply) =>
        (await browser.operations()).form(request.body, { signal: gone(request, reply) }),
    }),
  )
}

/** Aborted when the client leaves before it is answered. */
function gone(_request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client has left'))
  })
  return controller.signal
}

/** A browser that was missing at the start may be there by now: the service is then started again. */
class Revival {
  readonly #krull: KrullRoutesOptions['krull']
  readonly #supervisor: KrullRoutesOptions['supervisor']
  #starting: Promise<unknown> | undefined

  constructor(krull: KrullRoutesOptions['krull'], supervisor: KrullRoutesOptions['supervisor']) {
    this.#krull = krull
    this.#supervisor = supervisor
  }

  async operations() {
    const { status, detail } = this.#supervisor.status('krull')
    if (status === 'failed') {
      await this.#krull.requireBrowser()
      this.#starting ??= this.#supervisor.restart('krull').finally(() => {
        this.#starting = undefined
      })
      await this.#starting
    } else if (status !== 'running')
      throw new ForageError('service_unavailable', `The service krull is ${status}: ${detail}`, {
        retryAfterSeconds: 1,
      })
    return this.#krull.operations
  }
}

/** What the browser answers (api.md, krull). */
import Type from 'typebox'
import { allOf, Count, FreeObject, fields, Milliseconds, nullable, record, Time } from '../fields.ts'

export const Device = record('Device', {
  name: Type.String(),
  default: Type.Boolean(),
  userAgent: Type.String(),
  viewport: fields({
    width: Count,
    height: Count,
    deviceScaleFactor: Type.Number(),
    isMobile: Type.Boolean(),
    hasTouch: Type.Boolean(),
    isLandscape: Type.Boolean(),
  }),
})
export const Devices = allOf('Devices', Device)

export const BrowserSystem = record('BrowserSystem', {
  healthy: Type.Boolean(),
  problem: nullable(Type.String({ description: 'What is wrong and what to do, when it is not healthy' })),
  browser: nullable(Type.String({ description: 'Product and version' })),
  executable: nullable(Type.String()),
  sandbox: nullable(Type.Boolean({ description: 'Whether its own sandbox is on; null while none runs' })),
  workers: fields({ active: Count, idle: Count, limit: Count, queued: Count }),
  contexts: fields({ ready: Count, busy: Count }),
  jobs: fields({ done: Count, failed: Count, retried: Count }),
  restarts: Type.Integer({ minimum: 0, description: 'Browsers launched after the first' }),
  browsers: Type.Array(
    fields({ pid: Count, startedAt: Time, jobs: Count, contexts: Count, memoryMb: nullable(Type.Number()) }),
  ),
  errors: Type.Array(fields({ at: Time, code: Type.String(), message: Type.String() })),
})

const Cookie = fields({
  value: Type.String(),
  domain: Type.String(),
  path: Type.String(),
  expires: Type.Optional(Type.String()),
  size: Type.Integer(),
  httpOnly: Type.Boolean(),
  secure: Type.Boolean(),
  session: Type.Boolean(),
})

/** By name, as it can be sent back; two cookies of one name are a list. */
export const CookieStorage = Type.Record(Type.String(), Type.Union([Cookie, Type.Array(Cookie)]), {
  $id: 'CookieStorage',
})

export const CapturedScreenshot = record('CapturedScreenshot', {
  hash: Type.String({ minLength: 64, maxLength: 64 }),
  type: Type.Enum(['png', 'jpeg', 'webp']),
  width: Count,
  height: Count,
  bytes: Count,
  note: Type.Optional(Type.String({ description: 'What a limit made different from what was asked for' })),
})

const HeaderFields = Type.Record(Type.String(), Type.String())

export const CapturedRequest = record('CapturedRequest', {
  url: Type.String(),
  method: Type.String(),
  type: Type.String({ description: 'document, script, image, fetch, …' }),
  external: Type.Boolean({ description: 'To another host than that of the address' }),
  frame: nullable(Type.String({ description: 'main, or the address of the frame' })),
  initiator: fields({
    type: Type.String(),
    url: nullable(Type.String()),
    line: nullable(Type.Integer()),
  }),
  requestHeaders: HeaderFields,
  requestBody: nullable(Type.String({ description: 'What was posted, up to 64 KiB' })),
  status: nullable(Type.Integer()),
  mimeType: nullable(Type.String()),
  protocol: nullable(Type.String()),
  responseHeaders: nullable(HeaderFields),
  bytes: nullable(Count),
  startMs: Milliseconds,
  waitMs: nullable(Milliseconds),
  durationMs: nullable(Milliseconds),
  failed: nullable(Type.String()),
  fromCache: Type.Boolean(),
  responseText: Type.Optional(nullable(Type.String())),
})

export const RequestSummary = record('RequestSummary', {
  requests: Count,
  external: Count,
  failed: Count,
  bytes: Count,
  domains: Type.Array(
    fields({
      domain: Type.String(),
      external: Type.Boolean(),
      requests: Count,
      failed: Count,
      bytes: Count,
    }),
  ),
  types: Type.Array(fields({ type: Type.String(), requests: Count, bytes: Count })),
})

/** One moment of a session: after the load, and after each expression. */
export const SessionStep = record('SessionStep', {
  url: Type.String(),
  result: Type.Unknown(),
  cookieStorage: CookieStorage,
  localStorage: FreeObject,
  sessionStorage: FreeObject,
})

export const PageElement = record('PageElement', {
  nodeName: Type.String(),
  attributes: HeaderFields,
  innerText: Type.String(),
  parentElement: nullable(fields({ nodeName: Type.String(), attributes: HeaderFields })),
  innerHTML: Type.Optional(Type.String()),
  outerHTML: Type.Optional(Type.String()),
  innerHTMLHash: Type.Optional(Type.String()),
  outerHTMLHash: Type.Optional(Type.String()),
  dimension: Type.Optional(
    fields({
      x: Type.Number(),
      y: Type.Number(),
      width: Type.Number(),
      height: Type.Number(),
      top: Type.Number(),
      right: Type.Number(),
      bottom: Type.Number(),
      left: Type.Number(),
    }),
  ),
})

/** The answer of every page operation; which of the optional parts it has depends on the operation. */
export const PageAnswer = record('PageAnswer', {
  url: Type.String(),
  status: nullable(Type.Integer()),
  title: nullable(Type.String()),
  result: Type.Optional(Type.Unknown()),
  elements: Type.Optional(Type.Array(PageElement)),
  requests: Type.Optional(Type.Array(CapturedRequest)),
  summary: Type.Optional(RequestSummary),
  steps: Type.Optional(Type.Array(SessionStep)),
  body: Type.Optional(
    fields({
      type: Type.String(),
      base64: Type.String({ description: 'A document that a browser cannot show (a PDF), as it was sent' }),
    }),
  ),
  screenshot: Type.Optional(CapturedScreenshot),
  cookieStorage: Type.Optional(CookieStorage),
  localStorage: Type.Optional(FreeObject),
  sessionStorage: Type.Optional(FreeObject),
  dialogs: Type.Array(fields({ type: Type.String(), message: Type.String() })),
  console: Type.Array(fields({ type: Type.String(), text: Type.String() })),
  errors: Type.Array(fields({ message: Type.String() })),
  timing: fields({ queueMs: Milliseconds, loadMs: Milliseconds, runMs: Milliseconds }),
  attempts: Type.Integer({ minimum: 1 }),
})

/** An expression that ran without a page. */
export const ExpressionAnswer = record('ExpressionAnswer', {
  result: Type.Unknown(),
  console: Type.Array(fields({ type: Type.String(), text: Type.String() })),
  timing: fields({ queueMs: Milliseconds, runMs: Milliseconds }),
})

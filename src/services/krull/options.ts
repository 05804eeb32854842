/** The bodies of the browser operations, as the interface document lists them. */
import Type, { type TSchema } from 'typebox'
import { FreeObject, fields } from '../fields.ts'

const LONGEST = 1_048_576
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

const url = Type.String({ pattern: '^[hH][tT][tT][pP][sS]?://', description: 'An http or https address' })
const expression = Type.String({
  minLength: 1,
  maxLength: LONGEST,
  description: 'A JavaScript expression; one that gives a function must give an arrow function',
})
const selector = Type.String({ minLength: 1, maxLength: LONGEST, description: 'A CSS selector' })

const Cookie = fields({
  value: Type.String(),
  domain: optional(Type.String({ description: 'With a leading dot: also for names below it' })),
  path: optional(Type.String()),
  expires: optional(Type.String({ description: 'ISO 8601, or seconds since 1970 in text' })),
  size: optional(Type.Integer()),
  httpOnly: optional(Type.Boolean()),
  secure: optional(Type.Boolean()),
  session: optional(Type.Boolean()),
})

const storages = {
  cookieStorage: optional(
    Type.Record(Type.String(), Type.Union([Cookie, Type.Array(Cookie)]), {
      description: 'Cookies by name; two of one name are a list',
    }),
  ),
  sessionStorage: optional(FreeObject),
  localStorage: optional(FreeObject),
}

const script = {
  jquery: optional(Type.Boolean({ default: false, description: 'jQuery as `$` in the last argument' })),
  lodash: optional(Type.Boolean({ default: false, description: 'lodash as `_` in the last argument' })),
  mathjs: optional(Type.Boolean({ default: false, description: 'math.js as `mathjs` in the last argument' })),
  args: optional(Type.Array(Type.Unknown(), { maxItems: 100 })),
}

const criterion = [Type.String({ minLength: 1, maxLength: LONGEST }), Type.Integer({ minimum: 0 })] as const
const waiting = {
  wait: optional(
    Type.Union([...criterion, Type.Array(Type.Union([...criterion]), { maxItems: 100 })], {
      description:
        'Milliseconds, a selector, `url:` and a glob, `response:` and a glob, an arrow function that must become true, or a list of these',
    }),
  ),
  ready: optional(Type.Enum(['idle', 'net2', 'winload', 'domload'])),
  visible: optional(Type.Boolean({ default: false })),
  hidden: optional(Type.Boolean({ default: false })),
  polling: optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Enum(['raf', 'mutation'])])),
  proxy: optional(Type.String({ minLength: 1, description: 'http, https, socks, socks4, socks5 or pac' })),
}

const loading = {
  retry: optional(Type.Integer({ minimum: 0, maximum: 2, description: 'Tries after the first' })),
  device: optional(Type.String({ minLength: 1, description: 'One of GET /v1/krull/devices' })),
  headers: optional(
    Type.Record(Type.String(), Type.String(), { description: "Sent to the address's own origin only" }),
  ),
  ...waiting,
}

const session = { session: optional(Type.Boolean({ default: false })) }
const engine = { engine: optional(Type.Enum(['dom', 'jquery'])) }
const picture = {
  type: optional(Type.Enum(['png', 'jpeg', 'webp'])),
  quality: optional(Type.Number({ minimum: 1, maximum: 100 })),
}
const screenshot = { screenshot: optional(Type.Boolean({ default: false })) }
const viewport = {
  viewportWidth: optional(Type.Number({ minimum: 1, maximum: 10_000 })),
  viewportHeight: optional(Type.Number({ minimum: 1, maximum: 10_000 })),
}
const background = { background: optional(Type.String({ minLength: 1, maxLength: 10_000 })) }

export const ExpressionBody = fields({ expression, ...script })

export const RequestsBody = fields({
  url,
  expression: optional(expression),
  ...storages,
  responseText: optional(Type.Boolean({ default: false })),
  ...session,
  ...script,
  ...loading,
})

export const EvaluateBody = fields({
  url,
  expression,
  ...screenshot,
  ...session,
  ...picture,
  ...storages,
  ...script,
  filter: optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 1000 })),
  ...loading,
})

export const SelectorBody = fields({
  url,
  selector,
  ...screenshot,
  ...session,
  ...picture,
  ...engine,
  expression: optional(expression),
  ...storages,
  ...script,
  html: optional(Type.Boolean({ default: true })),
  hashtml: optional(Type.Boolean({ default: false })),
  dimension: optional(Type.Boolean({ default: true })),
  ...loading,
})

export const SessionBody = fields({
  url,
  expression: Type.Union([expression, Type.Array(expression, { minItems: 1, maxItems: 100 })]),
  ...storages,
  ...script,
  ...loading,
})

export const ScreenshotBody = fields({
  url,
  selector: optional(selector),
  ...picture,
  ...viewport,
  ...background,
  ...engine,
  expression: optional(expression),
  ...storages,
  ...session,
  ...script,
  ...loading,
})

export const FormBody = fields({
  url,
  selectorValuePairs: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 }), { minItems: 1 }),
  submitSelector: selector,
  ...waiting,
})

export const ScreenshotQuery = fields({
  url,
  selector: optional(selector),
  ...viewport,
  quality: picture.quality,
  ...background,
  ...engine,
  device: loading.device,
})

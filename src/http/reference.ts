import Fastify from 'fastify'
import { errorCodes } from '../errors.ts'
import type { App } from './context.ts'

/** Scripts from here only; the page sets its own styles, and asks nobody but this server. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const configuration = {
  url: '/v1/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Forage API</title>
</head>
<body>
<script id="api-reference" data-configuration="${escapeHtml(JSON.stringify(configuration))}"></script>
<script src="/docs/scalar.js"></script>
</body>
</html>
`

/** The reference page at `/docs`, made by the reader's browser from the OpenAPI document; nothing comes from elsewhere. */
export function registerReference(app: App): void {
  const open = { schema: { hide: true }, config: { open: true } }
  const html = (text: string) => ({ 'content-type': 'text/html; charset=utf-8', body: text })
  app.get('/docs', open, async (_request, reply) => {
    const { body, ...headers } = html(page)
    return reply.headers({ ...headers, 'content-security-policy': PAGE_POLICY }).send(body)
  })
  app.get('/docs/errors', open, async (_request, reply) => {
    const { body, ...headers } = html(errorsHtml())
    return reply.headers(headers).send(body)
  })
  app.get('/docs/scalar.js', open, async (_request, reply) => {
    const script = await loadScript()
    return reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=86400' })
      .send(script)
  })
}

let script: Promise<string> | undefined

/**
 * The package keeps the script (four megabytes) inside its module and hands it out only through its plugin. It is loaded
 * when somebody first opens the page, through a server that never listens.
 */
function loadScript(): Promise<string> {
  script ??= (async () => {
    const { default: scalar } = await import('@scalar/fastify-api-reference')
    const inner = Fastify()
    await inner.register(scalar, { routePrefix: '/docs', configuration: { url: configuration.url } })
    const { payload } = await inner.inject('/docs/js/scalar.js')
    await inner.close()
    return payload
  })()
  return script
}

function errorsHtml(): string {
  const entries = Object.entries(errorCodes).map(
    ([code, { status, title, meaning }]) =>
      `<dt id="${code}"><code>${code}</code> (${status}) ${escapeHtml(title)}</dt><dd>${escapeHtml(meaning)}</dd>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Forage errors</title><h1>Error codes</h1><dl>${entries.join('\n')}</dl></html>\n`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

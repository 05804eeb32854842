import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { systemCode } from '../fault.ts'
import type { App } from './context.ts'

/** Where set-up puts what it builds; the bundle is a folder in it. */
const dist = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../dist/' : '../', import.meta.url))
/** Stands in the page where the nonce of each answer goes. */
const NONCE = '__NONCE__'

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * Scripts come from our own files only. Styles too, or with the nonce that the libraries of the page were told. Pictures
 * may come from anywhere: results name them, and they can run nothing.
 */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob: http: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Somebody opens a page of the web application: which one is for the application to say. */
export const isPageVisit = ({ method, headers, url }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (headers.accept ?? '').includes('text/html') &&
  !/^\/(?:v1|docs|assets)(?:\/|$)/.test(url)

/** The web application: its page for every address that is no operation, and the files that the page loads. */
export function registerWeb(app: App): void {
  const folder = currentBuild()
  const open = { schema: { hide: true }, config: { open: true } }
  const page = folder === undefined ? undefined : readFileSync(join(folder, 'index.html'), 'utf8')
  app.decorate('sendPage', async reply => sendPage(reply, page))
  app.get('/', open, async (_request, reply) => app.sendPage(reply))
  if (folder === undefined) return
  for (const name of filesOf(folder))
    app.get(`/${name}`, open, async (_request, reply) => {
      const content = await readIfThere(join(folder, name))
      // Set-up keeps the last builds only: an older server may have lost its files to a newer one.
      if (content === undefined) return reply.callNotFound()
      return reply
        .headers({
          'content-type': mediaTypes[extname(name)] ?? 'application/octet-stream',
          // The names of the assets hold the hash of what is in them.
          'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        })
        .send(content)
    })
}

const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch(error => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })

function currentBuild(): string | undefined {
  const current = join(dist, 'web')
  if (!existsSync(current)) return undefined
  const folder = join(dist, readFileSync(current, 'utf8'))
  return existsSync(folder) ? folder : undefined
}

const filesOf = (folder: string): string[] =>
  globSync('**/*.*', { cwd: folder }).filter(name => name !== 'index.html' && !name.endsWith('.map'))

function sendPage(reply: FastifyReply, page: string | undefined): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(nonce),
    'cross-origin-opener-policy': 'same-origin',
  })
  return page === undefined ? reply.code(503).send(NOT_BUILT) : reply.send(page.replaceAll(NONCE, nonce))
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Forage</title>
<h1>Forage runs, but its web application is not built</h1>
<p>Stop it and start it again with <code>npm start</code>, without FORAGE_SETUP_SKIP. Until then
<a href="/docs">the HTTP interface</a> and the command line work as ever.</p></html>
`

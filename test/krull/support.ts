import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Dialer, type Lookup } from '../../src/network/dialer.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { GonogoService } from '../../src/services/gonogo/service.ts'
import { type BrowserSettings, KrullService } from '../../src/services/krull/service.ts'
import { Screenshots } from '../../src/services/screenshot/screenshots.ts'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'

export interface KrullOptions {
  readonly settings?: Partial<BrowserSettings>
  /** `FORAGE_NETWORK`; the default lets a job reach this machine when its address names it. */
  readonly network?: readonly string[]
  readonly lookup?: Lookup
  /** Where its browsers have their profiles. */
  readonly profiles?: string
  /** False leaves it to the test. */
  readonly start?: boolean
}

/** The real service with a real browser, catalog and folder; gone when the tests of the file have run. */
export async function startKrull(options: KrullOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'forage-krull-'))
  const profiles = options.profiles ?? `${folder}-profiles`
  const catalog = openSqliteCatalog({ path: join(folder, 'catalog.sqlite') })
  const blobs = openFolderBlobs(join(folder, 'blobs'))
  const screenshots = new Screenshots(catalog, blobs, 1000)
  const policy = new NetworkPolicy({ exposed: false, network: options.network ?? [] })
  const dialer = new Dialer(policy, options.lookup)
  const client = new HttpClient(dialer)
  const gonogo = new GonogoService(catalog)
  const krull = new KrullService({
    settings: {
      browserSandbox: true,
      browserJobs: 1000,
      pages: 4,
      pagesQueue: 50,
      pageTimeout: 30,
      pageLimit: 64 * 1024 * 1024,
      pageResultLimit: 8 * 1024 * 1024,
      grace: 10,
      ...options.settings,
    },
    network: { dialer, client },
    limiter: gonogo.limiter,
    screenshots,
    profiles,
  })
  if (options.start !== false) await krull.start()
  after(async () => {
    await krull.stop()
    await client.close()
    await catalog.close()
    rmSync(folder, { recursive: true, force: true })
    rmSync(profiles, { recursive: true, force: true })
  })
  return { krull, catalog, blobs, screenshots, gonogo, policy, profiles, folder }
}

export interface Site {
  readonly url: string
  readonly port: number
  readonly requests: IncomingMessage[]
  readonly server: Server
}

type Page = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A server of pages on loopback: a text is HTML, a function answers itself. */
export async function startSite(pages: Readonly<Record<string, Page>>): Promise<Site> {
  const requests: IncomingMessage[] = []
  const listener: RequestListener = (request, response) => {
    requests.push(request)
    const page = pages[new URL(request.url!, 'http://site').pathname] ?? pages['*']
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>not here</h1>')
    else if (typeof page === 'function') page(request, response)
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }
  const server = createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(async () => {
    const closed = new Promise(resolve => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, requests, server }
}

/** Sends a body with a type and, if need be, other headers and status. */
export const send =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}, status = 200) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)
  }

export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'none'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error)
  }
}

/** A test that waits for what never comes ends with the time limit of all tests. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}

/** Processes of the group that a browser leads. */
export const membersOf = (group: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        const [state, , of] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(of) === group && state !== 'Z'
      } catch {
        return false
      }
    })
    .map(Number)

/** Those of them that show pages. */
export const renderersOf = (group: number): number[] =>
  membersOf(group).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer')
    } catch {
      return false
    }
  })

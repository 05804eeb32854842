import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { after } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ForageError } from '../../src/errors.ts'
import type { App } from '../../src/http/context.ts'
import { Problem } from '../../src/http/problems.ts'
import type { Routes } from '../../src/http/route.ts'
import { createServer, type ServerOptions } from '../../src/http/server.ts'
import { createLog } from '../../src/log.ts'
import { Dialer } from '../../src/network/dialer.ts'
import { HttpClient } from '../../src/network/http.ts'
import { NetworkPolicy } from '../../src/network/policy.ts'
import { AlmanacService } from '../../src/services/almanac/service.ts'
import { GonogoService } from '../../src/services/gonogo/service.ts'
import { JobsService } from '../../src/services/jobs/service.ts'
import { LicoriceService } from '../../src/services/licorice/service.ts'
import { MentosService } from '../../src/services/mentos/service.ts'
import { Screenshots } from '../../src/services/screenshot/screenshots.ts'
import { ScreenshotService } from '../../src/services/screenshot/service.ts'
import { Keys } from '../../src/services/secrets/keys.ts'
import { SecretsService } from '../../src/services/secrets/service.ts'
import { Vault } from '../../src/services/secrets/vault.ts'
import { type Service, type ServiceName, serviceNames } from '../../src/services/service.ts'
import { Supervisor } from '../../src/services/supervisor.ts'
import { openFolderBlobs } from '../../src/storage/blobs/folder.ts'
import { openSqliteCatalog } from '../../src/storage/catalog/sqlite.ts'
import { Idempotency } from '../../src/storage/idempotency.ts'

export interface TestServer {
  readonly app: App
  readonly url: string
  readonly port: number
  readonly key: string
  readonly keys: Keys
  readonly secrets: SecretsService
  readonly supervisor: Supervisor
  readonly logged: string[]
  readonly catalog: ReturnType<typeof openSqliteCatalog>
  /** A request with the key, unless `headers` says otherwise. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Bytes down a bare connection, and all that comes back until the server closes it. */
  raw(bytes: string | Buffer, options?: { readonly end?: boolean }): Promise<string>
}

export interface CallOptions {
  /** Sent as JSON, or as it is when it is a text or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly key?: string | null
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, and assert what they find.
  readonly json: any
}

export interface StartOptions {
  readonly routes?: readonly Routes[]
  readonly server?: Partial<ServerOptions>
  /** The services that do not start, and why. */
  readonly failing?: Partial<Record<ServiceName, string>>
}

/** The real server with a real catalog on a free port; gone when the tests of the file have run. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'forage-http-'))
  const catalog = openSqliteCatalog({ path: join(folder, 'catalog.sqlite') })
  const keys = new Keys(catalog)
  const { key } = await keys.create('test')
  const supervisor = new Supervisor(serviceNames.map(name => plainService(name, options.failing?.[name])))
  await supervisor.start()
  const secrets = await startSecrets(catalog)
  const logged: string[] = []
  const violations: string[] = []
  const app = await createServer({
    settings: {
      host: '127.0.0.1',
      hosts: ['forage.example'],
      bodyLimit: 1024 * 1024,
      uploadLimit: 1024 * 1024,
    },
    log: createLog({ level: 'debug', destination: { write: line => void logged.push(line) } }),
    supervisor,
    keys,
    licorice: new LicoriceService(catalog, undefined),
    secrets,
    idempotency: new Idempotency(catalog),
    gonogo: new GonogoService(catalog),
    jobs: new JobsService(),
    workers: { list: () => [] },
    sirp: withoutSirp,
    almanac: new AlmanacService({ catalog, processor: () => withoutSirp.processor, log: silent }),
    mentos: await startMentos(catalog),
    krull: withoutBrowser,
    screenshot: new ScreenshotService(new Screenshots(catalog, openFolderBlobs(join(folder, 'blobs')), 0)),
    ...options.server,
    routes: [checkAnswers(violations), ...(options.routes ?? [])],
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)
  after(async () => {
    await app.close()
    await supervisor.stop(1000)
    await catalog.close()
    await rm(folder, { recursive: true })
    if (violations.length > 0) throw new Error(`answers do not fit their schemas:\n${violations.join('\n')}`)
  })
  const call = (method: string, path: string, call: CallOptions = {}) => request(url, key, method, path, call)
  return {
    app,
    url,
    port,
    key,
    keys,
    secrets,
    supervisor,
    logged,
    catalog,
    call,
    raw: (...args) => raw(port, ...args),
  }
}

/** These tests are about the server; what sirp answers is tested with all of Forage. */
const withoutSirp = {
  get processor(): never {
    throw new ForageError('service_unavailable', 'The service sirp is not part of this test.')
  },
}

const silent = createLog({ level: 'silent', destination: { write: () => {} } })

/** Stores can be kept; what delivers to them is tested with all of Forage. */
async function startMentos(catalog: TestServer['catalog']): Promise<MentosService> {
  const dialer = new Dialer(new NetworkPolicy({ exposed: false, network: [] }))
  return new MentosService({
    catalog,
    vault: await Vault.open(catalog, randomBytes(32)),
    commands: [],
    context: { dialer, client: new HttpClient(dialer), files: undefined, dataFolder: tmpdir() },
    reports: { delivered: async () => {}, failed: async () => {} },
    tables: () => withoutSirp.processor,
    log: silent,
  })
}

/** Without a network: whoever needs tokens is tested with all of Forage. */
async function startSecrets(catalog: TestServer['catalog']): Promise<SecretsService> {
  const vault = await Vault.open(catalog, randomBytes(32))
  const tokenEndpoint = { ask: () => Promise.reject(new Error('no token endpoint is part of this test')) }
  return new SecretsService({ catalog, vault, tokenEndpoint, sessionMinutes: 720 })
}

/** Nor about the browser: test/krull has one. */
const withoutBrowser = {
  get operations(): never {
    throw new ForageError('no_browser', 'The service krull is not part of this test.')
  },
  requireBrowser: async () => {},
  devices: () => [],
  system: () => ({
    healthy: false,
    problem: 'The service krull is not part of this test.',
    browser: null,
    executable: null,
    sandbox: null,
    workers: { active: 0, idle: 0, limit: 0, queued: 0 },
    contexts: { ready: 0, busy: 0 },
    jobs: { done: 0, failed: 0, retried: 0 },
    restarts: 0,
    browsers: [],
    errors: [],
  }),
}

function plainService(name: ServiceName, failure?: string): Service {
  return {
    name,
    needs: [],
    start: async () => {
      if (failure !== undefined) throw new Error(failure)
    },
    stop: async () => {},
    detail: () => 'idle',
  }
}

export async function request(
  base: string,
  ownKey: string,
  method: string,
  path: string,
  { body, headers, key = ownKey }: CallOptions,
): Promise<Answer> {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key !== null && { authorization: `svc ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  }
}

function raw(port: number, bytes: string | Buffer, { end = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)))
    socket.setEncoding('utf8')
    socket.on('data', text => {
      received += text
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

/** Checks every JSON answer against the schema that its route declares for its status. */
export function checkAnswers(violations: string[]): Routes {
  const compiled = new Map<TSchema, ReturnType<typeof Compile>>()
  return app => {
    app.addHook('onSend', async (request, reply, payload) => {
      const { response } = (request.routeOptions.schema ?? {}) as { response?: Record<string, TSchema> }
      const schema = reply.statusCode >= 400 ? Problem : response?.[String(reply.statusCode)]
      const { method, url } = request
      const check = (text: string) => {
        if (schema === undefined) {
          if (response !== undefined && reply.statusCode !== 304)
            violations.push(`${method} ${url}: ${reply.statusCode} is not declared`)
          return
        }
        const validator = compiled.get(schema) ?? Compile(schema)
        compiled.set(schema, validator)
        const value = text === '' ? null : JSON.parse(text)
        if (!validator.Check(value))
          violations.push(`${method} ${url} ${reply.statusCode}: ${JSON.stringify(validator.Errors(value))}`)
      }
      if (!(payload instanceof Readable)) {
        check(typeof payload === 'string' ? payload : '')
        return payload
      }
      const chunks: Buffer[] = []
      const copy = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          chunks.push(chunk)
          done(null, chunk)
        },
        flush(done) {
          if (/^application\/(problem\+)?json/.test(String(reply.getHeader('content-type'))))
            check(Buffer.concat(chunks).toString())
          done()
        },
      })
      payload.on('error', error => copy.destroy(error))
      return payload.pipe(copy)
    })
  }
}

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { Fault, systemCode } from '../fault.ts'
import { requireBrowser } from '../services/krull/service.ts'
import { isExposed, loadSettings, type Settings } from '../settings.ts'
import { inspectSqliteCatalog } from '../storage/catalog/sqlite.ts'
import { dataFolderPaths, inspectDataFolder } from '../storage/data-folder.ts'
import { versionText } from './version.ts'

export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly found: string
  readonly remedy?: string
}

const GiB = 1024 ** 3

/** Every check of `forage doctor`; the later ones need settings that can be read. */
export async function checkAll(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings = [await examine('versions', checkVersions)]
  let settings: Settings | undefined
  findings.push(
    await examine('settings', () => {
      const loaded = loadSettings(env)
      settings = loaded.settings
      return loaded.file === undefined ? 'all are valid' : `all are valid, some from ${loaded.file}`
    }),
  )
  if (settings === undefined) return findings
  const { browser, data, host, port, demo, demoPort } = settings
  findings.push(
    await examine('browser', async () => {
      const found = await requireBrowser(browser)
      return `${found.version} at ${found.path}`
    }),
    await examine('folder', () => checkFolder(data)),
    await examine('disk', () => checkDisk(data)),
    await examine('port', () => checkPort(host, port, 'FORAGE_PORT')),
  )
  if (demo && !isExposed(settings))
    findings.push(await examine('demo port', () => checkPort('127.0.0.1', demoPort, 'FORAGE_DEMO_PORT')))
  return findings
}

async function examine(check: string, work: () => string | Promise<string>): Promise<Finding> {
  try {
    return { check, ok: true, found: await work() }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { check, ok: false, found: error.message, remedy: error.remedy }
  }
}

function checkVersions(): string {
  if (Number(process.versions.node.split('.')[0]) < 24)
    throw new Fault(
      'failure',
      `this is Node ${process.versions.node}; Forage runs on 24 or later`,
      'Run `npm ci`, which brings it for Linux, or install it from https://nodejs.org.',
    )
  return versionText()
}

/** Without taking it from a server that runs, and without making it. */
function checkFolder(path: string): string {
  if (!existsSync(path)) {
    const parent = nearestFolder(path)
    requireWritable(parent, path)
    return `${path} will be made at the first start`
  }
  requireWritable(path, path)
  const { owner } = inspectDataFolder(path)
  const user = owner === undefined ? 'nobody uses it' : `in use by process ${owner.pid}`
  const { catalogFile } = dataFolderPaths(path)
  if (!existsSync(catalogFile)) return `${path} can be written and has no catalog yet; ${user}`
  const { version, ours } = inspectSqliteCatalog(catalogFile)
  const age = version < ours ? `version ${version}, to be migrated to ${ours}` : 'of this version'
  return `${path} can be written; its catalog is sound and ${age}; ${user}`
}

function nearestFolder(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : nearestFolder(parent)
}

function requireWritable(folder: string, wanted: string): void {
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Fault(
      'folder_unusable',
      `the data folder ${wanted} cannot be used: ${(error as Error).message}`,
      'Make it a folder that the user who runs Forage may write to, or set FORAGE_DATA to another one.',
      { cause: error },
    )
  }
}

function checkDisk(path: string): string {
  const { bavail, bsize } = statfsSync(existsSync(path) ? path : nearestFolder(path))
  const free = bavail * bsize
  const text = `${(free / GiB).toFixed(1)} GiB are free`
  if (free < GiB)
    throw new Fault(
      'disk_full',
      `only ${text} on the disk of ${path}`,
      'Free some, or set FORAGE_DATA to a larger disk.',
    )
  return text
}

/** Free, or ours. */
async function checkPort(host: string, port: number, variable: string): Promise<string> {
  const problem = await bind(host, port)
  if (problem === undefined) return `${host}:${port} is free`
  if (problem === 'EADDRINUSE' && (await answersAsForage(host, port)))
    return `Forage listens on ${host}:${port}`
  throw new Fault(
    'port_taken',
    problem === 'EADDRINUSE'
      ? `${host}:${port} is taken by another program`
      : `${host}:${port} cannot be used (${problem})`,
    problem === 'EADDRINUSE'
      ? `Stop that program (\`ss -ltnp 'sport = :${port}'\` names it), or set ${variable} to a free port.`
      : `Set FORAGE_HOST to an address of this machine and ${variable} to a port that you may use.`,
  )
}

function bind(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const probe = createServer()
  probe.once('error', error => resolve(systemCode(error) ?? error.message))
  probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  return promise
}

/** The server names itself in its answers, and so does the demo site. */
async function answersAsForage(host: string, port: number): Promise<boolean> {
  try {
    const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
    return answer.headers.has('x-request-id') || /forage/i.test(answer.headers.get('server') ?? '')
  } catch {
    return false
  }
}

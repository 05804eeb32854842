import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Fault } from '../../../fault.ts'
import { Connection } from './connection.ts'
import { browserFlags } from './flags.ts'

export interface LaunchOptions {
  readonly executable: string
  /** Where profiles are made, one for each browser; nobody else's folder. */
  readonly profiles: string
  readonly sandbox: boolean
}

/** A browser that runs and answers. */
export interface BrowserProcess {
  readonly pid: number
  /** `HeadlessChrome/156.0.1.2`. */
  readonly product: string
  readonly sandbox: boolean
  readonly connection: Connection
  /** Ends it with all its processes; resolves when they and its folder are gone. */
  kill(): Promise<void>
}

export type Launch = () => Promise<BrowserProcess>

/** Chromium refuses its own sandbox to root. Any other user will do, also one that the machine does not know. */
const UNPRIVILEGED = 61_968
const LAUNCH_MS = 20_000
const KEPT_ERRORS = 4000

/** How much of its confinement a browser gets. */
interface Confinement {
  readonly sandbox: boolean
  /** Run by root: as a user without rights. */
  readonly drop: boolean
}

/** Starts a browser, as confined as the host allows. A fault says what the browser complained of. */
export async function launchBrowser(options: LaunchOptions): Promise<BrowserProcess> {
  const drop = process.getuid?.() === 0
  try {
    return await start(options, { sandbox: options.sandbox, drop })
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    // A browser in root's own folders cannot be run by another user; and root gets no sandbox.
    if (drop && /EACCES/.test(error.message)) return start(options, { sandbox: false, drop: false })
    // Containers often forbid user namespaces: the browser then ends at once and says so, or dies of a check.
    const isForbidden = options.sandbox && /sandbox|namespace|zygote|setuid/i.test(error.message)
    if (!isForbidden) throw error
    return start(options, { sandbox: false, drop })
  }
}

async function start(options: LaunchOptions, { sandbox, drop }: Confinement): Promise<BrowserProcess> {
  const profile = makeProfile(options.profiles, drop)
  const child = spawn(options.executable, browserFlags(profile, sandbox), {
    // A group of its own, so that all its processes can be ended at once.
    detached: true,
    cwd: profile,
    env: environment(profile),
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    ...(drop && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
  })
  const complaints = keepErrors(child.stdio[2] as Readable)
  const connection = new Connection(child.stdio[3] as Writable, child.stdio[4] as Readable)
  const exited = exitOf(child)
  const kill = () => end(child, exited, connection, profile)
  try {
    const { product } = await answered(connection, exited, complaints, options.executable)
    await connection.browser.send('Target.setDiscoverTargets', { discover: true })
    closeFirstPage(connection).catch(() => {})
    return { pid: child.pid!, product, sandbox, connection, kill }
  } catch (error) {
    await kill()
    throw error
  }
}

/** The page that a browser opens by itself costs 40 MB and serves nobody. */
async function closeFirstPage({ browser }: Connection): Promise<void> {
  const { targetInfos } = await browser.send('Target.getTargets')
  for (const { targetId, type } of targetInfos)
    if (type === 'page') await browser.send('Target.closeTarget', { targetId })
}

function makeProfile(parent: string, drop: boolean): string {
  // Passable, not readable: another user has to get to the profile below it. Said twice, since `serve` masks new modes.
  mkdirSync(parent, { recursive: true, mode: 0o711 })
  chmodSync(parent, 0o711)
  const profile = mkdtempSync(join(parent, 'profile-'))
  if (drop) chownSync(profile, UNPRIVILEGED, UNPRIVILEGED)
  return profile
}

/** Nothing of ours: keys and passwords come in environment variables. */
function environment(profile: string): NodeJS.ProcessEnv {
  const kept = ['TZ', 'LANG', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'].flatMap(name =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  )
  return { PATH: '/usr/bin:/bin', HOME: profile, TMPDIR: profile, ...Object.fromEntries(kept) }
}

function keepErrors(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-KEPT_ERRORS)
  })
  return () => text
}

function exitOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  child.once('error', error => resolve(error.message))
  child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
  return promise
}

async function answered(
  connection: Connection,
  exited: Promise<string>,
  complaints: () => string,
  executable: string,
) {
  const failed = (reason: string) =>
    new Fault(
      'failure',
      `the browser ${executable} does not start (${reason})${lastLine(complaints())}`,
      'Start it by hand with --version to see what it lacks; `forage doctor` checks it too.',
    )
  const timer = Promise.withResolvers<never>()
  const handle = setTimeout(() => timer.reject(failed(`no answer within ${LAUNCH_MS / 1000} s`)), LAUNCH_MS)
  try {
    return await Promise.race([
      // What it complained of comes with its end, which follows the break of the pipe.
      connection.browser.send('Browser.getVersion').catch(async () => Promise.reject(failed(await exited))),
      timer.promise,
    ])
  } finally {
    clearTimeout(handle)
  }
}

function lastLine(complaints: string): string {
  const telling = complaints
    .trim()
    .split('\n')
    .findLast(line => /ERROR|FATAL|sandbox|error while loading/i.test(line))
  return telling === undefined ? '' : `: ${telling.replace(/^\[[^\]]*\]\s*/, '').slice(0, 300)}`
}

async function end(
  child: ChildProcess,
  exited: Promise<string>,
  connection: Connection,
  profile: string,
): Promise<void> {
  connection.close()
  if (child.pid !== undefined) {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group is gone already.
    }
  }
  await exited
  // Its helpers die a moment later than it does, and may write until then.
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

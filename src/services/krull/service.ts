import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import type { Static } from 'typebox'
import { ForageError } from '../../errors.ts'
import { Fault } from '../../fault.ts'
import type { Limiter } from '../gonogo/limiter.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { Service } from '../service.ts'
import type { EgressNetwork } from './browser/egress-route.ts'
import { launchBrowser } from './browser/launcher.ts'
import { SlotPool } from './browser/pool.ts'
import { DEFAULT_DEVICE, type Device, Devices } from './devices.ts'
import { findBrowser, isExecutable } from './find-browser.ts'
import { JobRunner } from './job-runner.ts'
import { BrowserOperations } from './operations.ts'
import { sweepAbandoned, sweepProfiles } from './profiles-folder.ts'
import type { BrowserSystem } from './records.ts'

export interface BrowserFound {
  readonly path: string
  /** As it says itself: `Chromium 140.0.1.2`. */
  readonly version: string
}

/** Those of the settings that it goes by. */
export interface BrowserSettings {
  readonly browser?: string | undefined
  readonly browserSandbox: boolean
  readonly browserJobs: number
  readonly pages: number
  readonly pagesQueue: number
  /** In seconds. */
  readonly pageTimeout: number
  readonly pageLimit: number
  readonly pageResultLimit: number
  /** In seconds: how long a stop of everything may take. */
  readonly grace: number
}

export interface KrullOptions {
  readonly settings: BrowserSettings
  readonly network: EgressNetwork
  readonly limiter: Limiter
  readonly screenshots: Screenshots
  /** Where browsers have their profiles; no other process's folder. */
  readonly profiles: string
}

interface Running {
  readonly found: BrowserFound
  readonly devices: Devices
  readonly pool: SlotPool
  readonly runner: JobRunner
  readonly operations: BrowserOperations
}

const HOUR_MS = 3_600_000
const MiB = 1024 * 1024
const CONTEXTS_EACH = 10
const MOST_READY = 4
/** Running jobs have this long at most to end when the service stops; then they are answered with 503, in good time. */
const MOST_STOP_MS = 5000

/** krull, the browser. */
export class KrullService implements Service {
  readonly name = 'krull'
  readonly needs = []
  readonly #options: KrullOptions
  #running: Running | undefined
  #sweeping: Promise<void> = Promise.resolve()

  constructor(options: KrullOptions) {
    this.#options = options
  }

  /** Fails while there is no browser; the browser itself is started behind it. */
  async start(): Promise<void> {
    const found = await requireBrowser(this.#options.settings.browser)
    await sweepProfiles(this.#options.profiles)
    // Behind the start, which nothing of it concerns.
    this.#sweeping = sweepAbandoned(this.#options.profiles).catch(() => {})
    this.#running = this.#build(found)
    this.#running.pool.refill()
  }

  async stop(): Promise<void> {
    const running = this.#running
    this.#running = undefined
    if (running === undefined) return
    running.runner.close()
    await drained(running.runner, Math.min(MOST_STOP_MS, (this.#options.settings.grace * 1000) / 2))
    await running.pool.close()
    await sweepProfiles(this.#options.profiles)
    await this.#sweeping
  }

  detail(): string {
    const { found, runner } = this.#here()
    const { active, queued } = runner.figures
    return `${found.version} at ${found.path}; ${active} jobs run, ${queued} wait`
  }

  /** What can be done with pages. Throws `no_browser` while there is none. */
  get operations(): BrowserOperations {
    return this.#here().operations
  }

  get runner(): JobRunner {
    return this.#here().runner
  }

  /** Answered with or without a browser; the default device is marked. */
  devices(): readonly (Pick<Device, 'name' | 'userAgent' | 'viewport'> & { default: boolean })[] {
    const devices = this.#running?.devices ?? new Devices('')
    return devices.all().map(({ name, userAgent, viewport }) => ({
      name,
      default: name === DEFAULT_DEVICE,
      userAgent,
      viewport,
    }))
  }

  /** Whether a browser is there to be started; says what to do when it is not. */
  async requireBrowser(): Promise<void> {
    try {
      await locateBrowser(this.#options.settings.browser)
    } catch (error) {
      throw error instanceof Fault ? noBrowser(error) : error
    }
  }

  system(problem: string | null): Static<typeof BrowserSystem> {
    const running = this.#running
    const figures = running?.runner.figures
    const contexts = running?.pool.figures ?? { ready: 0, busy: 0, launches: 0 }
    const browsers = running?.pool.browsers ?? []
    return {
      healthy: running !== undefined && problem === null,
      problem,
      browser: running?.found.version ?? null,
      executable: running?.found.path ?? null,
      sandbox: browsers[0]?.process.sandbox ?? null,
      workers: {
        active: figures?.active ?? 0,
        idle: (figures?.limit ?? 0) - (figures?.active ?? 0),
        limit: figures?.limit ?? 0,
        queued: figures?.queued ?? 0,
      },
      contexts: { ready: contexts.ready, busy: contexts.busy },
      jobs: {
        done: figures?.done ?? 0,
        failed: figures?.failed ?? 0,
        retried: figures?.retried ?? 0,
      },
      restarts: Math.max(0, contexts.launches - 1),
      browsers: browsers.map(({ process, startedAt, jobs, contexts: inIt, memoryBytes }) => ({
        pid: process.pid,
        startedAt: new Date(startedAt).toISOString(),
        jobs,
        contexts: inIt,
        memoryMb: memoryBytes === undefined ? null : Math.round(memoryBytes / MiB),
      })),
      errors: [...(running?.runner.failures ?? [])],
    }
  }

  #here(): Running {
    if (this.#running) return this.#running
    throw new ForageError('no_browser', 'The browser service does not run; its status says why.', {
      retryAfterSeconds: 5,
    })
  }

  #build(found: BrowserFound): Running {
    const { settings, network, limiter, screenshots, profiles } = this.#options
    const devices = new Devices(found.version)
    const places = settings.pages === 0 ? 2 * availableParallelism() : settings.pages
    const pool = new SlotPool({
      // Looked for anew each time: it can be installed, moved or replaced while we run.
      launch: async () =>
        launchBrowser({
          executable: await locateBrowser(settings.browser),
          profiles,
          sandbox: settings.browserSandbox,
        }),
      network,
      device: devices.default,
      ready: Math.min(places, MOST_READY),
      contextsEach: CONTEXTS_EACH,
      life: { jobs: settings.browserJobs, ageMs: HOUR_MS, memoryBytes: 1536 * MiB },
    })
    const runner = new JobRunner({
      pool,
      limiter,
      device: devices.default,
      limits: { resultLength: settings.pageResultLimit, pageBytes: settings.pageLimit },
      timeoutMs: settings.pageTimeout * 1000,
      places,
      queue: settings.pagesQueue,
    })
    return {
      found,
      devices,
      pool,
      runner,
      operations: new BrowserOperations({ runner, devices, screenshots }),
    }
  }
}

async function drained(runner: JobRunner, ms: number): Promise<void> {
  const until = Date.now() + ms
  while (runner.figures.active > 0 && Date.now() < until)
    await new Promise(resolve => setTimeout(resolve, 20))
}

const noBrowser = (fault: Fault) =>
  new ForageError('no_browser', `${fault.message}. ${fault.remedy}`, { retryAfterSeconds: 5, cause: fault })

/** The program to run; a fault says how to get one. */
async function locateBrowser(setting: string | undefined): Promise<string> {
  if (setting !== undefined && !isExecutable(setting))
    throw new Fault(
      'failure',
      `FORAGE_BROWSER names ${setting}, which is not a program that can be run`,
      'Set it to the path of chromium-headless-shell, Chromium or Chrome, or unset it to have them looked for.',
    )
  const path = setting ?? (await findBrowser())
  if (path === undefined)
    throw new Fault(
      'failure',
      'no browser was found on this machine',
      `Install one (on Debian: sudo apt-get install -y chromium-headless-shell; elsewhere: npx @puppeteer/browsers install chrome-headless-shell@stable) or set FORAGE_BROWSER, then restart the service krull.`,
    )
  return path
}

/** The browser to use and its version. */
export async function requireBrowser(setting: string | undefined): Promise<BrowserFound> {
  const path = await locateBrowser(setting)
  return { path, version: await askVersion(path) }
}

async function askVersion(path: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: 20_000 })
    return stdout.trim()
  } catch (error) {
    throw new Fault(
      'failure',
      `the browser ${path} does not run: ${(error as Error).message.trim()}`,
      'Start it by hand with --version to see what it lacks; often a library or a font package is missing.',
      { cause: error },
    )
  }
}

import { commands } from './commands/index.ts'
import type { Logger } from './log.ts'
import { Dialer } from './network/dialer.ts'
import { HttpClient } from './network/http.ts'
import { NetworkPolicy } from './network/policy.ts'
import type { AlmanacClock } from './services/almanac/clock.ts'
import { AlmanacService } from './services/almanac/service.ts'
import { Manifests } from './services/cellar/manifests.ts'
import { GonogoService } from './services/gonogo/service.ts'
import { JobsService } from './services/jobs/service.ts'
import { profilesFolder } from './services/krull/profiles-folder.ts'
import { QueryBrowser } from './services/krull/query-browser.ts'
import { KrullService } from './services/krull/service.ts'
import { LicoriceService } from './services/licorice/service.ts'
import { ManifestReports } from './services/mentos/manifest-reports.ts'
import { MentosService } from './services/mentos/service.ts'
import { Screenshots } from './services/screenshot/screenshots.ts'
import { ScreenshotService } from './services/screenshot/service.ts'
import { loadMasterKey } from './services/secrets/master-key.ts'
import { SecretsService } from './services/secrets/service.ts'
import { TokenEndpoint } from './services/secrets/token-endpoint.ts'
import { Vault } from './services/secrets/vault.ts'
import { SirpService } from './services/sirp/service.ts'
import { Supervisor } from './services/supervisor.ts'
import { WorkersService } from './services/workers/service.ts'
import { isExposed, type Settings } from './settings.ts'
import { openFolderBlobs } from './storage/blobs/folder.ts'
import { openSqliteCatalog } from './storage/catalog/sqlite.ts'
import { type DataFolder, ownDataFolder } from './storage/data-folder.ts'
import { Idempotency } from './storage/idempotency.ts'

/** All of Forage but its HTTP server. */
export interface Assembly {
  readonly folder: DataFolder
  readonly network: NetworkPolicy
  readonly secrets: SecretsService
  readonly supervisor: Supervisor
  readonly licorice: LicoriceService
  readonly idempotency: Idempotency
  readonly sirp: SirpService
  readonly mentos: MentosService
  readonly almanac: AlmanacService
  readonly gonogo: GonogoService
  readonly krull: KrullService
  readonly screenshot: ScreenshotService
  readonly jobs: JobsService
  readonly workers: WorkersService
}

export interface AssemblyOptions {
  /** Take up the queries that were not finished when the last process ended. */
  readonly takesUp: boolean
  /** The time that schedules go by, where it is not the system's. */
  readonly clock?: AlmanacClock
}

/** Takes the data folder and puts the services together, none of them started; `parts` undoes it. */
export async function assemble(
  parts: AsyncDisposableStack,
  settings: Settings,
  log: Logger,
  { takesUp, clock }: AssemblyOptions,
): Promise<Assembly> {
  const startedAt = new Date()
  const folder = parts.adopt(ownDataFolder(settings.data), owned => owned.release())
  const catalog = parts.adopt(openSqliteCatalog({ path: folder.catalogFile }), opened => opened.close())
  const masterKey = await loadMasterKey({ given: settings.masterKey, file: folder.masterKeyFile, catalog })
  const vault = await Vault.open(catalog, masterKey)
  const blobs = openFolderBlobs(folder.blobsFolder)
  await blobs.sweep(startedAt)
  const idempotency = new Idempotency(catalog)
  await idempotency.open()

  const licorice = new LicoriceService(catalog, settings.licenseKey)
  const gonogo = new GonogoService(catalog)
  const network = new NetworkPolicy({ exposed: isExposed(settings), network: settings.network })
  const dialer = new Dialer(network)
  const client = parts.adopt(new HttpClient(dialer), opened => opened.close())
  const secrets = new SecretsService({
    catalog,
    vault,
    tokenEndpoint: new TokenEndpoint(client, gonogo.limiter),
    sessionMinutes: settings.sessionMinutes,
  })
  const screenshot = new ScreenshotService(new Screenshots(catalog, blobs, settings.screenshotTtl * 1000))
  const krull = new KrullService({
    settings,
    network: { dialer, client },
    limiter: gonogo.limiter,
    screenshots: screenshot.screenshots,
    profiles: profilesFolder(folder.path),
  })
  const jobs = new JobsService()
  const workers = new WorkersService({
    queue: jobs.queue,
    client,
    limiter: gonogo.limiter,
    access: secrets.forQueries,
    browser: new QueryBrowser({
      krull,
      screenshots: screenshot.screenshots,
      status: () => supervisor.status('krull').status,
      start: () => supervisor.start(['krull']),
    }),
    places: settings.workers,
  })
  const mentos = new MentosService({
    catalog,
    vault,
    commands,
    context: { dialer, client, files: settings.files, dataFolder: folder.path },
    reports: new ManifestReports(new Manifests(catalog, screenshot.screenshots)),
    tables: () => sirp.processor,
    log,
  })
  const sirp: SirpService = new SirpService({
    catalog,
    commands,
    deliveries: mentos,
    expander: {
      queue: jobs.queue,
      executor: workers.executor,
      concurrency: settings.concurrency,
      mostConcurrency: settings.workers,
    },
    names: secrets.forQueries,
    checkpoints: secrets.checkpoints,
    screenshots: screenshot.screenshots,
    policies: {
      limitsOf: host => gonogo.check(host, []).policy?.policy ?? null,
      waiting: queryId => gonogo.limiter.waiting(queryId),
    },
    tablesFolder: folder.tablesFolder,
    temporaryFolder: folder.temporaryFolder,
    takesUp,
    settings,
    log,
  })
  const almanac = new AlmanacService({
    catalog,
    processor: () => sirp.processor,
    log,
    ...(clock && { clock }),
  })
  const supervisor = new Supervisor([
    secrets,
    licorice,
    gonogo,
    krull,
    screenshot,
    jobs,
    workers,
    mentos,
    sirp,
    almanac,
  ])
  return {
    folder,
    network,
    secrets,
    supervisor,
    licorice,
    idempotency,
    sirp,
    mentos,
    almanac,
    gonogo,
    krull,
    screenshot,
    jobs,
    workers,
  }
}

import type { Kind } from './setting-kinds.ts'

export interface Declaration {
  readonly env: `FORAGE_${string}`
  readonly kind: Kind
  readonly default: string | number | boolean | readonly string[] | undefined
  readonly meaning: string
  readonly secret?: true
  /** Read from the environment only: it has to be known before the configuration file is. */
  readonly environmentOnly?: true
}

const MiB = 1024 * 1024

/** Every setting, declared once. The checks, `forage config` and docs/configuration.md come from here. */
export const declarations = {
  host: {
    env: 'FORAGE_HOST',
    kind: 'text',
    default: '127.0.0.1',
    meaning: 'The address to listen on. Any other than a loopback address counts as exposed.',
  },
  port: {
    env: 'FORAGE_PORT',
    kind: 'port',
    default: 1968,
    meaning: 'The port of the API and the web application. 0 takes any free one.',
  },
  data: {
    env: 'FORAGE_DATA',
    kind: 'path',
    default: './data',
    meaning: 'The data folder: catalog, results, master key. One process works on it at a time.',
  },
  exposed: {
    env: 'FORAGE_EXPOSED',
    kind: 'boolean',
    default: false,
    meaning:
      'Others can reach Forage, for instance through a reverse proxy: queries may then not reach private addresses, and the demo site stays off.',
  },
  hosts: {
    env: 'FORAGE_HOSTS',
    kind: 'list',
    default: [],
    meaning:
      'Further names by which clients may address Forage (the Host header), separated by commas. Its own address and localhost are always known.',
  },
  network: {
    env: 'FORAGE_NETWORK',
    kind: 'cidrs',
    default: [],
    meaning:
      'Private address ranges that queries may reach although Forage is exposed, as CIDR blocks separated by commas.',
  },
  demo: {
    env: 'FORAGE_DEMO',
    kind: 'boolean',
    default: true,
    meaning: 'Serve the demo site on loopback. Never when exposed.',
  },
  demoPort: {
    env: 'FORAGE_DEMO_PORT',
    kind: 'port',
    default: 1969,
    meaning: 'The port of the demo site. 0 takes any free one.',
  },
  apiKey: {
    env: 'FORAGE_API_KEY',
    kind: 'apiKey',
    default: undefined,
    secret: true,
    meaning:
      'An API key given from outside, for containers and scripts; another value later replaces it. Without it the first start makes a key and prints it once.',
  },
  url: {
    env: 'FORAGE_URL',
    kind: 'url',
    default: undefined,
    meaning:
      'The server that `forage query`, `parse` and `explain` ask. Without it: the one that works on the data folder, or none.',
  },
  masterKey: {
    env: 'FORAGE_MASTER_KEY',
    kind: 'key256',
    default: undefined,
    secret: true,
    meaning:
      'The key that seals secrets: 32 bytes in hexadecimal or base64. Without it the first start makes one in the data folder, in a file only its owner can read.',
  },
  sessionMinutes: {
    env: 'FORAGE_SESSION_MINUTES',
    kind: 'positive',
    default: 720,
    meaning:
      'Minutes without a request after which somebody who signed in to the web application has to sign in again.',
  },
  licenseKey: {
    env: 'FORAGE_LICENSE_KEY',
    kind: 'text',
    default: undefined,
    meaning:
      'The public key (Ed25519, PEM or base64) that licenses must be signed for. Without it only the community license holds.',
  },
  browser: {
    env: 'FORAGE_BROWSER',
    kind: 'path',
    default: undefined,
    meaning:
      'The browser to run: the path of chromium-headless-shell, Chromium or Chrome. Without it they are looked for in this order.',
  },
  browserSandbox: {
    env: 'FORAGE_BROWSER_SANDBOX',
    kind: 'boolean',
    default: true,
    meaning:
      "Keep the browser's own sandbox on. Where the host forbids it the browser runs without, and GET /v1/krull/system says so.",
  },
  browserJobs: {
    env: 'FORAGE_BROWSER_JOBS',
    kind: 'positive',
    default: 1000,
    meaning: 'Page jobs after which a browser is replaced by a new one.',
  },
  pages: {
    env: 'FORAGE_PAGES',
    kind: 'count',
    default: 0,
    meaning: 'Pages that are open at once. 0: twice as many as the machine has cores.',
  },
  pagesQueue: {
    env: 'FORAGE_PAGES_QUEUE',
    kind: 'count',
    default: 100,
    meaning: 'Page jobs that may wait for their turn; more are answered with 429.',
  },
  pageTimeout: {
    env: 'FORAGE_PAGE_TIMEOUT',
    kind: 'positive',
    default: 60,
    meaning: 'Seconds that a page job may take, tries included; the time in the queue does not count.',
  },
  pageLimit: {
    env: 'FORAGE_PAGE_LIMIT',
    kind: 'positive',
    default: 256 * MiB,
    meaning: 'The most that one page may load, in bytes.',
  },
  pageResultLimit: {
    env: 'FORAGE_PAGE_RESULT_LIMIT',
    kind: 'positive',
    default: 32 * MiB,
    meaning: 'The largest result of an expression or a selector in a page, in characters of JSON.',
  },
  screenshotTtl: {
    env: 'FORAGE_SCREENSHOT_TTL',
    kind: 'count',
    default: 86_400,
    meaning: 'Seconds that a screenshot lives that no query and no manifest refers to.',
  },
  logLevel: {
    env: 'FORAGE_LOG_LEVEL',
    kind: 'logLevel',
    default: 'info',
    meaning: 'How much is logged: fatal, error, warn, info, debug, trace or silent.',
  },
  memoryMb: {
    env: 'FORAGE_MEMORY_MB',
    kind: 'positive',
    default: 2048,
    meaning: 'Memory for tables, in megabytes; past it they spill to disk.',
  },
  threads: {
    env: 'FORAGE_THREADS',
    kind: 'count',
    default: 0,
    meaning: 'Threads that work on tables. 0: as many as the machine has cores.',
  },
  queries: {
    env: 'FORAGE_QUERIES',
    kind: 'positive',
    default: 4,
    meaning: 'Queries that run at once; further ones wait in a queue.',
  },
  minutes: {
    env: 'FORAGE_MINUTES',
    kind: 'positive',
    default: 1440,
    meaning: 'Minutes that a query may run when it does not say.',
  },
  workers: {
    env: 'FORAGE_WORKERS',
    kind: 'positive',
    default: 128,
    meaning:
      'Rows that are worked on at once, by all queries together. Those that wait for a domain do not count.',
  },
  concurrency: {
    env: 'FORAGE_CONCURRENCY',
    kind: 'positive',
    default: 16,
    meaning: 'Rows of one stage that are worked on at once when the stage does not say (`--concurrency`).',
  },
  sqlSeconds: {
    env: 'FORAGE_SQL_SECONDS',
    kind: 'positive',
    default: 60,
    meaning: 'Seconds that the SELECT of a `sql` stage may run.',
  },
  ttl: {
    env: 'FORAGE_TTL',
    kind: 'positive',
    default: 86_400,
    meaning: 'Seconds that results are kept when a query does not say.',
  },
  cacheTtl: {
    env: 'FORAGE_CACHE_TTL',
    kind: 'count',
    default: 600,
    meaning: 'Seconds that a stage may be answered from the cache. 0: never.',
  },
  columns: {
    env: 'FORAGE_COLUMNS',
    kind: 'positive',
    default: 2000,
    meaning: 'The most columns that a table may have.',
  },
  bodyLimit: {
    env: 'FORAGE_BODY_LIMIT',
    kind: 'positive',
    default: 8 * MiB,
    meaning:
      'The largest JSON body in bytes. Routes whose documented inputs can be larger have their own, higher limit.',
  },
  uploadLimit: {
    env: 'FORAGE_UPLOAD_LIMIT',
    kind: 'positive',
    default: 1024 * MiB,
    meaning: 'The largest uploaded file in bytes.',
  },
  files: {
    env: 'FORAGE_FILES',
    kind: 'path',
    default: undefined,
    meaning:
      'The only folder that stores of type localFile and SQLite files may be written below. Without it those are off.',
  },
  grace: {
    env: 'FORAGE_GRACE',
    kind: 'count',
    default: 10,
    meaning: 'Seconds that a stop (SIGTERM, SIGINT) waits for running work before it ends the process.',
  },
  config: {
    env: 'FORAGE_CONFIG',
    kind: 'path',
    default: './forage.config.json',
    environmentOnly: true,
    meaning: 'The configuration file. The default one may be missing; one that is named here must be there.',
  },
  setupSkip: {
    env: 'FORAGE_SETUP_SKIP',
    kind: 'setupSteps',
    default: [],
    environmentOnly: true,
    meaning:
      'Steps that the set-up before `npm start` and `npm test` leaves out, separated by commas: dependencies, browser, commands, bundle, web, or all. For machines without a network and for images that are set up already.',
  },
} as const satisfies Record<string, Declaration>

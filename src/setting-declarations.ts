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
  masterKey: {
    env: 'FORAGE_MASTER_KEY',
    kind: 'key256',
    default: undefined,
    secret: true,
    meaning:
      'The key that seals secrets: 32 bytes in hexadecimal or base64. Without it the first start makes one in the data folder, in a file only its owner can read.',
  },
  browser: {
    env: 'FORAGE_BROWSER',
    kind: 'path',
    default: undefined,
    meaning:
      'The browser to run: the path of chromium-headless-shell, Chromium or Chrome. Without it they are looked for in this order.',
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
      'Steps that the set-up before `npm start` and `npm test` leaves out, separated by commas: dependencies, browser, commands, bundle, or all. For machines without a network and for images that are set up already.',
  },
} as const satisfies Record<string, Declaration>

import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger } from 'pino'

/**
 * Fields that must not reach the log under any name that we use. What is logged is chosen field by field at each place;
 * this is the net below.
 */
const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'oldpassword',
  'secret',
  'key',
  'token',
  'apiKey',
  'licenseKey',
]

export interface LogOptions {
  readonly level: string
  readonly destination?: DestinationStream
}

/** JSON lines on standard output, or where `destination` says. */
export function createLog({ level, destination }: LogOptions): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap(name => [name, `*.${name}`]), censor: '[hidden]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

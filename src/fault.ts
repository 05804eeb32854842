/**
 * Something that keeps Forage from starting, or a command of `forage` from doing its work: what is wrong, what to do,
 * and the exit code by which a script knows it. Problems of a request are `ForageError`s.
 */
export const exitCodes = {
  failure: { exit: 1, meaning: 'it failed; the message says why' },
  usage: { exit: 2, meaning: 'the command line was wrong: an unknown command, option or value' },
  settings: { exit: 3, meaning: 'a setting is wrong or unknown' },
  port_taken: { exit: 4, meaning: 'the port is taken, or the address cannot be bound' },
  folder_unusable: { exit: 5, meaning: 'the data folder cannot be made, read or written' },
  folder_owned: { exit: 6, meaning: 'another process works on the data folder' },
  newer_version: { exit: 7, meaning: 'the data folder was written by a newer version of Forage' },
  catalog_damaged: { exit: 8, meaning: 'the catalog is damaged' },
  disk_full: { exit: 9, meaning: 'the disk is full' },
  master_key: {
    exit: 10,
    meaning: 'the master key is missing, unreadable or not the one of this data folder',
  },
  query_invalid: { exit: 11, meaning: 'the query has mistakes; each is shown with its place' },
  query_failed: { exit: 12, meaning: 'the query ran and failed' },
  server_failed: {
    exit: 13,
    meaning: 'the server cannot be reached, refuses the key, or answers with an error',
  },
  cancelled: { exit: 130, meaning: 'cancelled with Ctrl-C' },
} as const

export type FaultCode = keyof typeof exitCodes

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly remedy: string

  constructor(code: FaultCode, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.remedy = remedy
  }

  get exitCode(): number {
    return exitCodes[this.code].exit
  }
}

/** The code of a Node.js system error (`ENOSPC`), if it is one. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

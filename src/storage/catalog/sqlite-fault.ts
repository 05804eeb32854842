import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '../../fault.ts'
import { diskFull } from '../disk-full.ts'

/** SQLite's own result codes (the low byte of an extended one). */
const result = { readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26, busy: 5 }

/** SQLite's errors that a person can do something about, as a fault that says what; any other as it is. */
export function sqliteFault(error: unknown, path: string): unknown {
  const code = resultCode(error)
  if (code === undefined) return error
  const cause = { cause: error }
  const reason = (error as Error).message
  switch (code & 0xff) {
    case result.full:
      return diskFull(path, cause)
    case result.corrupt:
    case result.notADatabase:
      return damaged(path, reason, cause)
    case result.readOnly:
    case result.cannotOpen:
      return new Fault(
        'folder_unusable',
        `the catalog ${path} cannot be opened for writing (${reason})`,
        'Give the user that runs Forage the right to write there, or set FORAGE_DATA to another folder.',
        cause,
      )
    case result.ioError:
      // What SQLite calls an I/O error may be its shared-memory file that found no space.
      if (freeBytes(path) < 1024 * 1024) return diskFull(path, cause)
      return new Fault(
        'failure',
        `reading or writing the catalog ${path} failed (${reason})`,
        'Look at the state of the disk; nothing that was acknowledged before is lost.',
        cause,
      )
    case result.busy:
      return new Fault(
        'failure',
        `another program keeps the catalog ${path} locked`,
        'Close whatever else has the file open (a database browser, a copy in progress), then try again.',
        cause,
      )
    default:
      return error
  }
}

export const damaged = (path: string, reason: string, options?: ErrorOptions) =>
  new Fault(
    'catalog_damaged',
    `the catalog ${path} is damaged: ${reason}`,
    `Put back a copy of it (copies from before a change of version are in the folder "backups" beside it), or move the file away with its -wal and -shm to start with an empty catalog. Nothing was changed.`,
    options,
  )

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize
}

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined
}

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Fault, systemCode } from '../fault.ts'
import { diskFull } from './disk-full.ts'

/** The layout of the data folder. A change that an older Forage could not read raises it. */
const format = 1

/** Who works on the folder, for the message to a second process. */
export interface Owner {
  readonly pid: number
  readonly startedAt: string
  /** Of a server, once it listens. */
  readonly server?: OwnServer
}

/** How whoever may read the folder reaches the server that works on it. The key is good for as long as that runs. */
export interface OwnServer {
  readonly address: string
  readonly key: string
}

/** The folder with everything that Forage keeps. Whoever holds one of these owns it. */
export interface DataFolder {
  readonly path: string
  readonly catalogFile: string
  readonly blobsFolder: string
  /** The rows of queries. */
  readonly tablesFolder: string
  readonly masterKeyFile: string
  /** Free for temporary files; emptied by nobody but their makers. */
  readonly temporaryFolder: string
  /** Tells those who look at the folder where the server is. */
  announce(server: OwnServer): void
  release(): void
}

const at = (path: string) => ({
  path,
  catalogFile: join(path, 'catalog.sqlite'),
  blobsFolder: join(path, 'blobs'),
  tablesFolder: join(path, 'tables'),
  masterKeyFile: join(path, 'master.key'),
  temporaryFolder: join(path, 'temporary'),
})

/** Where things are, without owning them. */
export const dataFolderPaths = at

/** A lock that nobody refers to would be let go of when memory is tidied up. */
const held = new Set<DatabaseSync>()

/** Makes the folder if need be and takes it; a folder that is taken, unusable or of a newer version is a fault. */
export function ownDataFolder(path: string): DataFolder {
  const folder = at(path)
  return usable(path, () => {
    mkdirSync(folder.path, { recursive: true, mode: 0o700 })
    requireOurs(path)
    chmodSync(path, 0o700)
    const lock = takeLock(path)
    held.add(lock)
    try {
      requireFormat(path)
      mkdirSync(folder.temporaryFolder, { recursive: true, mode: 0o700 })
      writeDurably(join(path, 'version'), `${format}\n`)
      const owner: Owner = { pid: process.pid, startedAt: new Date().toISOString() }
      writeOwner(path, owner)
      return {
        ...folder,
        announce: server => writeOwner(path, { ...owner, server }),
        release: () => {
          held.delete(lock)
          lock.close()
        },
      }
    } catch (error) {
      held.delete(lock)
      lock.close()
      throw error
    }
  })
}

/**
 * An exclusive SQLite lock on a file of its own: the operating system drops it when the process ends, however it ends, so
 * kill -9 leaves nothing to clean up. A file with a process id in it would, and process ids come again.
 */
function takeLock(path: string): DatabaseSync {
  const lock = new DatabaseSync(join(path, 'owner.lock'))
  try {
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    const owner = readOwner(path)
    const who = owner === undefined ? 'another process' : `process ${owner.pid} (since ${owner.startedAt})`
    throw new Fault(
      'folder_owned',
      `the data folder ${path} is in use by ${who}`,
      'Stop that one first, or set FORAGE_DATA to a folder of its own for this one.',
      { cause: error },
    )
  }
}

/** Who works on the folder at this moment, if anybody does. Changes nothing; a folder of a newer version is a fault. */
export function inspectDataFolder(path: string): { readonly owner: Owner | undefined } {
  return usable(path, () => {
    requireOurs(path)
    requireFormat(path)
    if (!existsSync(join(path, 'owner.lock'))) return { owner: undefined }
    try {
      takeLock(path).close()
      return { owner: undefined }
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'folder_owned')) throw error
      return { owner: readOwner(path) ?? { pid: 0, startedAt: '' } }
    }
  })
}

/** A folder with other people's files in it is not taken over: somebody set FORAGE_DATA to their home by mistake. */
function requireOurs(path: string): void {
  const names = readdirSync(path).filter(name => name !== 'lost+found')
  if (names.length === 0 || names.some(name => ourFiles.includes(name))) return
  throw new Fault(
    'folder_unusable',
    `${path} holds other files (${names.slice(0, 3).join(', ')}) and is not a data folder of Forage`,
    'Set FORAGE_DATA to an empty folder or to one that does not exist yet.',
  )
}

const ourFiles = ['version', 'owner.lock', 'catalog.sqlite', 'master.key', 'blobs']

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5

/** Whole or not at all: others read it at any time. */
function writeOwner(path: string, owner: Owner): void {
  const next = join(path, 'owner.json.new')
  writeDurably(next, `${JSON.stringify(owner)}\n`)
  renameDurably(next, join(path, 'owner.json'))
}

function readOwner(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function requireFormat(path: string): void {
  const text = readIfThere(join(path, 'version'))
  if (text === undefined) return
  const found = Number(text.trim())
  if (Number.isInteger(found) && found <= format) return
  throw new Fault(
    'newer_version',
    `the data folder ${path} was written by a newer Forage (format ${text.trim().slice(0, 20)}; this one knows ${format})`,
    'Start that newer version, or set FORAGE_DATA to another folder. Nothing was changed.',
  )
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Writes a small file, readable by its owner alone, and waits until it is on the disk. */
export function writeDurably(path: string, text: string, flag: 'w' | 'wx' = 'w'): void {
  const handle = openSync(path, flag, 0o600)
  try {
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Puts a file in the place of another, whole, and waits until that is on the disk. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  const folder = openSync(dirname(to), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function usable<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault) throw error
    const code = systemCode(error)
    if (code === 'ENOSPC' || code === 'EDQUOT') throw diskFull(path, { cause: error })
    throw new Fault(
      'folder_unusable',
      `the data folder ${path} cannot be used: ${(error as Error).message}`,
      'Make it a folder that the user who runs Forage may write to, or set FORAGE_DATA to another one.',
      { cause: error },
    )
  }
}

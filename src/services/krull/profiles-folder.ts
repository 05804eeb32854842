import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ours = /^forage-browser-[0-9a-f]{16}$/

/**
 * Where the browsers of one data folder have their profiles. Not below the data folder: as root the browser runs as
 * another user, who must not get in there.
 */
export const profilesFolder = (dataFolder: string): string =>
  join(tmpdir(), `forage-browser-${createHash('sha256').update(dataFolder).digest('hex').slice(0, 16)}`)

/** Removes what browsers of this data folder left behind, of which none runs. */
export async function sweepProfiles(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

/** A folder that somebody made just now may not have its browser yet. */
const SETTLED_MS = 60_000

/**
 * Removes what other runs left beside ours when they were ended by force: a data folder that is never used again has
 * nobody else to do it. Only folders of this user, and only such as no process was started with.
 */
export async function sweepAbandoned(own: string): Promise<void> {
  const parent = dirname(own)
  const candidates = (await settledFolders(parent)).filter(folder => folder !== own)
  if (candidates.length === 0) return
  const lines = await commandLines()
  // Where processes cannot be looked at, nobody knows which are in use.
  if (lines.length === 0) return
  const abandoned = candidates.filter(folder => !lines.some(line => line.includes(folder)))
  await Promise.all(abandoned.map(sweepProfiles))
}

async function settledFolders(parent: string): Promise<string[]> {
  const settled: string[] = []
  for (const entry of await entriesOf(parent)) {
    if (!entry.isDirectory() || !ours.test(entry.name)) continue
    const folder = join(parent, entry.name)
    const found = await lstat(folder).catch(() => undefined)
    if (found === undefined || found.uid !== process.getuid?.()) continue
    if (Date.now() - found.mtimeMs > SETTLED_MS) settled.push(folder)
  }
  return settled
}

/** How every process that can be seen was started: a browser has its profile among its arguments. */
async function commandLines(): Promise<string[]> {
  const processes = (await entriesOf('/proc')).filter(({ name }) => /^\d+$/.test(name))
  const lines = await Promise.all(
    // One that has ended meanwhile has none.
    processes.map(({ name }) => readFile(`/proc/${name}/cmdline`, 'latin1').catch(() => '')),
  )
  return lines.filter(line => line !== '')
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch(() => [])

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const own = new Set<string>()

/**
 * A folder of this process for what must not outlive it. DuckDB's spill files stay after a `kill -9`, so the folders
 * of processes that are gone are swept whenever a new one is made.
 */
export function temporaryFolder(root: string): string {
  mkdirSync(root, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(root)) if (isStale(join(root, entry), entry)) remove(join(root, entry))
  const folder = join(root, `${process.pid}-${own.size}`)
  mkdirSync(folder, { mode: 0o700 })
  own.add(folder)
  return folder
}

export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

function isStale(path: string, entry: string): boolean {
  const pid = Number(/^(\d+)-\d+$/.exec(entry)?.[1])
  if (!pid || own.has(path)) return false
  return pid === process.pid || !isAlive(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

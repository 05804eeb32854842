import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A disk of a few megabytes in memory; undefined where this machine does not allow one. */
export function mountSmallDisk(megabytes: number): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'forage-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path])
  after(() => {
    if (status === 0) spawnSync('umount', ['-l', path])
    rmSync(path, { recursive: true, force: true })
  })
  if (status === 0) return path
  console.log('not tested here: a full disk (only root may mount one in memory)')
  return undefined
}

import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './report.mjs'

/** Where what is built from the sources lies: each version in a folder of its own, so a server that runs keeps its files. */
export const dist = join(root, 'dist')

/** Keeps the two builds of this kind before the current one: servers started from them may still run. */
export function removeOldBuilds(prefix, current) {
  const old = readdirSync(dist, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name.startsWith(prefix))
    .map(entry => join(dist, entry.name))
    .filter(path => path !== current)
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of old.slice(2)) rmSync(path, { recursive: true, force: true })
}

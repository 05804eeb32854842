import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, say } from './report.mjs'

const folder = join(tmpdir(), `forage-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
const holder = join(folder, 'pid')

/** One set-up of this checkout at a time: `npm start` and `npm test` at once must not install over each other. */
export async function withLock(work) {
  for (let told = false; !take(); told = true) {
    if (!told) say('waiting for another set-up of this checkout to end')
    await sleep(200)
  }
  try {
    return await work()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function take() {
  try {
    mkdirSync(folder)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned()) rmSync(folder, { recursive: true, force: true })
    return false
  }
  writeFileSync(holder, String(process.pid))
  return true
}

/** Its holder is gone; one without a holder yet gets ten seconds to write it. */
function isAbandoned() {
  try {
    process.kill(Number(readFileSync(holder, 'utf8')), 0)
    return false
  } catch (error) {
    if (error.code === 'ESRCH') return true
    if (error.code !== 'ENOENT') return false
    return (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) < Date.now() - 10_000
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Figure, median } from './figure.ts'

const root = join(import.meta.dirname, '..')
const rounds = 7

/** From `npm start` in a checkout that is set up until /healthz answers, against npm that only lists its scripts. */
export async function start(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'forage-bench-'))
  const ours: number[] = []
  const bare: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const ms = await startOnce(join(folder, 'data'))
    const empty = await npmAlone()
    // The first one may bundle and makes the data folder.
    if (round > 0) ours.push(ms)
    if (round > 0) bare.push(empty)
  }
  rmSync(folder, { recursive: true })
  const figure = { name: 'npm start until /healthz answers (peer: npm alone)', unit: 'ms' } as const
  return [{ ...figure, ours: median(ours), peer: median(bare) }]
}

async function startOnce(data: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn('npm', ['start'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, FORAGE_DATA: data, FORAGE_PORT: `${port}`, FORAGE_DEMO_PORT: '0' },
  })
  const ended = once(child, 'exit')
  while (!(await answers(port))) await sleep(5)
  const ms = Math.round(performance.now() - began)
  // npm, its shell and Forage are one group.
  process.kill(-child.pid!, 'SIGTERM')
  await ended
  return ms
}

async function npmAlone(): Promise<number> {
  const began = performance.now()
  await once(spawn('npm', ['run'], { cwd: root, stdio: 'ignore' }), 'exit')
  return Math.round(performance.now() - began)
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    answer => answer.ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '../src/settings.ts'
import { Child } from './child.ts'
import { type Figure, sideBySide } from './figure.ts'
import { TASKS } from './million.ts'

const ROUNDS = 6

/** A million rows through our table engine and through DuckDB alone, each in a process of its own. */
export async function tables(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'forage-bench-'))
  const { settings } = loadSettings({ FORAGE_DATA: folder })
  const ours = new Child('engine.ts', [folder])
  const peer = new Child('bare-duckdb.ts', [folder, String(settings.memoryMb)])
  try {
    await peer.call('open', await ours.call('generate'))
    const figures: Figure[] = []
    for (const task of TASKS) {
      const took = await sideBySide(
        ROUNDS,
        () => ours.call('time', task),
        () => peer.call('time', task),
      )
      figures.push({ name: task.name, unit: 'ms', ...took, target: { atMost: 1.5 } })
    }
    figures.push({
      name: 'memory, the most of all of these',
      unit: 'MB',
      ours: await ours.call('mostMemory'),
      target: { atMost: 1536 },
    })
    const summary = await sideBySide(
      1,
      () => ours.call('summary'),
      () => peer.call('summary'),
    )
    return [...figures, { name: 'summary (peer: SUMMARIZE)', unit: 'ms', ...summary }]
  } finally {
    await Promise.all([ours.stop(), peer.stop()])
    await rm(folder, { recursive: true, force: true })
  }
}

// The browser service by itself: its pool of contexts, driven in a loop without query, journal or table.
import { assemble } from '../../src/assembly.ts'
import { createLog } from '../../src/log.ts'
import { loadSettings } from '../../src/settings.ts'
import { serve } from '../child.ts'

const { settings } = loadSettings({ FORAGE_DATA: process.argv[2] })
const parts = new AsyncDisposableStack()
const { krull, supervisor } = await assemble(parts, settings, createLog({ level: 'warn' }), {
  takesUp: false,
})
parts.defer(() => supervisor.stop(5000))
await supervisor.start(['krull'])

/** The same pages and the same of their elements as `open` asks for; as many at once as there are places. */
async function openAll(url: string, selector: string, count: number): Promise<number> {
  const began = performance.now()
  const { operations, runner } = krull
  let next = 1
  const work = async () => {
    while (next <= count) {
      const body = { url: `${url}?${next++}`, selector, html: false, dimension: false }
      await operations.elements(body, [], async () => {}, { booked: true })
    }
  }
  await Promise.all(Array.from({ length: runner.figures.limit }, work))
  return performance.now() - began
}

serve({ openAll }, () => parts.disposeAsync())

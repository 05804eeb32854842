// All of Forage, as the launcher starts it, on free ports.
import { setTimeout as sleep } from 'node:timers/promises'
import { startForage } from '../../src/app.ts'
import { createLog } from '../../src/log.ts'
import { loadSettings } from '../../src/settings.ts'
import { serve } from '../child.ts'

const [, , folder, key, more = '{}'] = process.argv
const { settings } = loadSettings({
  FORAGE_PORT: '0',
  FORAGE_DEMO: 'false',
  FORAGE_DATA: folder,
  FORAGE_API_KEY: key,
  ...(JSON.parse(more) as Record<string, string>),
})
const running = await startForage(settings, createLog({ level: 'warn' }))

const SETTLING_MS = 2000

let mostBytes = 0
setInterval(() => {
  mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
}, 20).unref()

serve(
  {
    address: () => running.address,
    /** In MB, with nothing left to collect, and when the table engine has given back what it does not need. */
    memory: async () => {
      globalThis.gc?.()
      await sleep(SETTLING_MS)
      return process.memoryUsage.rss() / 1024 / 1024
    },
    /** In MB, the most since it was asked last. */
    mostMemory: () => {
      const most = mostBytes / 1024 / 1024
      globalThis.gc?.()
      mostBytes = 0
      return most
    },
  },
  () => running.stop(),
)

// All of Forage, as the launcher starts it, on free ports.
import { startForage } from '../../src/app.ts'
import { createLog } from '../../src/log.ts'
import { loadSettings } from '../../src/settings.ts'
import { serve } from '../child.ts'

const [, , folder, key] = process.argv
const { settings } = loadSettings({
  FORAGE_PORT: '0',
  FORAGE_DEMO: 'false',
  FORAGE_DATA: folder,
  FORAGE_API_KEY: key,
})
const running = await startForage(settings, createLog({ level: 'warn' }))

serve(
  {
    address: () => running.address,
    /** In MB, with nothing left to collect. */
    memory: () => {
      globalThis.gc?.()
      return process.memoryUsage().rss / 1024 / 1024
    },
  },
  () => running.stop(),
)

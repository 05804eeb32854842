import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { startForage } from '../../src/app.ts'
import { createLog } from '../../src/log.ts'
import { loadSettings, type Settings } from '../../src/settings.ts'
import { type Answer, type CallOptions, checkAnswers, request } from '../http/support.ts'

export interface RunningForage {
  readonly url: string
  readonly key: string
  readonly demo: string
  readonly data: string
  readonly logged: readonly string[]
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Dispatches a query and waits for it. */
  query(text: string, more?: object): Promise<Answer>
  stop(): Promise<void>
}

const KEY = 'test-key-0123456789-0123456789-0123456789'

export interface ForageOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** Settings as they are, also such as nobody could write: a minute is long for a test. */
  readonly overrides?: Partial<Settings>
  /** A data folder that stays; without it a new one is made and removed. */
  readonly data?: string
}

/** All of Forage in this process, on free ports, with its demo site; stopped when the tests of the file have run. */
export async function forage(options: ForageOptions = {}): Promise<RunningForage> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'forage-')))
  const { settings } = loadSettings({
    FORAGE_PORT: '0',
    FORAGE_DEMO_PORT: '0',
    FORAGE_DATA: data,
    FORAGE_API_KEY: KEY,
    FORAGE_GRACE: '5',
    ...options.settings,
  })
  const logged: string[] = []
  const violations: string[] = []
  const log = createLog({ level: 'info', destination: { write: line => void logged.push(line) } })
  const running = await startForage({ ...settings, ...options.overrides }, log, [checkAnswers(violations)])
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= running.stop()
    return stopped
  }
  after(async () => {
    await stop()
    if (options.data === undefined) await rm(data, { recursive: true, force: true })
    if (violations.length > 0) throw new Error(`answers do not fit their schemas:\n${violations.join('\n')}`)
  })
  const call = (method: string, path: string, more: CallOptions = {}) =>
    request(running.address, KEY, method, path, more)
  return {
    url: running.address,
    key: KEY,
    demo: running.demoAddress ?? '',
    data,
    logged,
    call,
    query: (text, more = {}) =>
      call('POST', '/v1/sirp/query/runner/dispatch/wait', { body: { query: text, ...more } }),
    stop,
  }
}

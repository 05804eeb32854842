import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../fault.ts'
import { type LoadedSettings, loadSettings, type Settings } from '../../settings.ts'
import { inspectDataFolder, type Owner } from '../../storage/data-folder.ts'
import type { CliCall, CliOption } from '../command.ts'
import type { Session } from './session.ts'

export const sessionOptions: readonly CliOption[] = [
  {
    name: 'server',
    value: 'url',
    meaning: 'the server to ask; else FORAGE_URL, else the one that works on the data folder, else none',
  },
  { name: 'key', value: 'key', meaning: 'the API key for it; else FORAGE_API_KEY' },
]

export const sessionHelp =
  'The query runs on the server that --server or FORAGE_URL names. Without them it runs on the server that works on the data folder (FORAGE_DATA), which needs no key: the server leaves one there that is good while it runs, in a file that only its owner can read. When none runs, the query runs in this process, on the same data folder and its cache; where the default folder ./data is not there or is not of Forage, in a temporary one.'

const LOOK_AGAIN_MS = 100

/** Whoever is there to run queries. */
export async function openSession({ options, env }: Pick<CliCall, 'options' | 'env'>): Promise<Session> {
  const loaded = loadSettings(env)
  const { settings } = loaded
  const key = typeof options.key === 'string' ? options.key : settings.apiKey
  const address = typeof options.server === 'string' ? options.server : settings.url
  if (address !== undefined) return atServer(address, key)
  for (let waited = false; ; waited = true) {
    const owner = ownerOf(loaded)
    if (owner?.server) return atServer(owner.server.address, options.key ? key : owner.server.key)
    const session = owner === undefined ? await embeddedIfFree(loaded) : undefined
    if (session !== undefined) return session
    // Another `forage query`, or a server that is about to listen: both are over soon.
    if (!waited) process.stderr.write(`waiting for the data folder ${settings.data}, which is in use\n`)
    await sleep(LOOK_AGAIN_MS)
  }
}

async function atServer(address: string, key: string | undefined): Promise<Session> {
  if (key === undefined)
    throw new Fault(
      'usage',
      `there is no API key for ${address}`,
      'Give it with --key or FORAGE_API_KEY; `forage key create` makes one where its data folder is.',
    )
  const { ServerSession } = await import('./client.ts')
  return new ServerSession(address, key)
}

function ownerOf({ settings, sources }: LoadedSettings): Owner | undefined {
  if (!existsSync(settings.data)) return undefined
  try {
    return inspectDataFolder(settings.data).owner
  } catch (error) {
    if (sources.data === 'default' && isFault(error, 'folder_unusable')) return undefined
    throw error
  }
}

/** Undefined when somebody else was quicker to take the folder. */
async function embeddedIfFree({ settings, sources }: LoadedSettings): Promise<Session | undefined> {
  const { openEmbedded } = await import('./embedded.ts')
  const isDefault = sources.data === 'default'
  if (isDefault && !existsSync(settings.data)) return inTemporaryFolder(settings)
  try {
    return await openEmbedded(settings)
  } catch (error) {
    if (isFault(error, 'folder_owned')) return undefined
    if (isDefault && isFault(error, 'folder_unusable')) return inTemporaryFolder(settings)
    throw error
  }
}

/** A query must not leave a folder wherever somebody happens to stand. */
async function inTemporaryFolder(settings: Settings): Promise<Session> {
  const { openEmbedded } = await import('./embedded.ts')
  const data = await mkdtemp(join(tmpdir(), 'forage-query-'))
  const remove = () => rm(data, { recursive: true, force: true })
  try {
    const session = await openEmbedded({ ...settings, data })
    const close = session[Symbol.asyncDispose].bind(session)
    return Object.assign(session, {
      [Symbol.asyncDispose]: async () => {
        await close()
        await remove()
      },
    })
  } catch (error) {
    await remove()
    throw error
  }
}

const isFault = (error: unknown, code: Fault['code']): boolean =>
  error instanceof Fault && error.code === code

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('../../bin/forage.mjs', import.meta.url))

/** Nothing of the settings of whoever runs the tests, nor a configuration file of theirs. */
export function start(words: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('FORAGE_'))
  return spawn(process.execPath, [launcher, ...words], {
    cwd: tmpdir(),
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

/** Runs `forage` to its end, with a text as its standard input. */
export async function forage(words: readonly string[], env: NodeJS.ProcessEnv = {}, input = '') {
  const child = start(words, env)
  // It may end without reading it.
  child.stdin!.on('error', () => {}).end(input)
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { status, stdout, stderr }
}

export interface Served {
  readonly pid: number
  readonly address: string
  /** All that was printed when it was ready. */
  readonly greeting: string
  /** The key of the very first start. */
  readonly key: string | undefined
  /** Sends the signal and gives the exit code, null after SIGKILL. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts `forage serve` on free ports and waits until it has printed its greeting. */
export async function serve(data: string, env: NodeJS.ProcessEnv = {}): Promise<Served> {
  const child = start(['serve'], {
    FORAGE_DATA: data,
    FORAGE_PORT: '0',
    FORAGE_DEMO_PORT: '0',
    FORAGE_LOG_LEVEL: 'error',
    ...env,
  })
  const exited = once(child, 'exit') as Promise<[number | null]>
  let errors = ''
  child.stderr!.on('data', chunk => {
    errors += chunk
  })
  const greeting = await Promise.race([
    firstChunk(child),
    exited.then(([status]) => {
      throw new Error(`forage serve ended with ${status}: ${errors}`)
    }),
  ])
  return {
    pid: child.pid!,
    address: /listens on (\S+)/.exec(greeting)![1]!,
    greeting,
    key: /API key: +(\S+)/.exec(greeting)?.[1],
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return (await exited)[0]
    },
  }
}

/** The greeting is written at once. */
async function firstChunk(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout!, 'data')
  return String(chunk)
}

export const statusOf = (served: Served, key: string | undefined): Promise<Response> =>
  fetch(`${served.address}/v1/sirp/services/status`, { headers: { authorization: `svc ${key}` } })

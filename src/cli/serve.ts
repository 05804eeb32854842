import type { Forage } from '../app.ts'
import { loadSettings } from '../settings.ts'
import { version } from '../version.ts'
import type { CliCommand } from './command.ts'

export const serve: CliCommand = {
  name: 'serve',
  summary: 'Starts Forage: the API, the web application and, on loopback, the demo site',
  description:
    'Prints the address, a one-time sign-in link (while there is no user, or on a terminal) and, on the very first start, an API key.\nThe log goes to standard error. SIGTERM and SIGINT stop it: running work gets FORAGE_GRACE seconds to finish.',
  examples: [
    { line: 'forage serve', meaning: 'on http://127.0.0.1:1968, data in ./data' },
    { line: 'FORAGE_PORT=8080 FORAGE_DATA=/var/lib/forage forage serve', meaning: 'another port and folder' },
    {
      line: 'FORAGE_API_KEY=$KEY FORAGE_HOST=0.0.0.0 forage serve',
      meaning: 'in a container, with a key from outside',
    },
  ],
  async run({ env, print }) {
    const { settings } = loadSettings(env)
    process.umask(0o077)
    const { createLog } = await import('../log.ts')
    const log = createLog({ level: settings.logLevel, destination: process.stderr })
    const stopRequested = nextSignal()
    const { startForage } = await import('../app.ts')
    const forage = await startForage(settings, log)
    print(await greeting(forage, settings.apiKey))
    const signal = await stopRequested
    log.info(`${signal}: stopping`)
    return stopWithin(settings.grace, forage, reason => log.error(reason))
  },
}

async function greeting(forage: Forage, givenKey: string | undefined): Promise<string> {
  const { address, firstKey, demoAddress } = forage
  const lines = [`Forage ${version} listens on ${address}`]
  if (!forage.hasUsers || process.stdout.isTTY)
    lines.push(`Sign in:    ${await forage.createSignInLink()}  (once, within 15 minutes)`)
  if (firstKey !== undefined)
    lines.push(
      `API key:    ${firstKey}  (shown this once; only its hash is kept)`,
      `Try:        curl -H "Authorization: svc ${firstKey}" ${address}/v1/sirp/services/status`,
    )
  if (demoAddress !== undefined) lines.push(`Demo site:  ${demoAddress}`)
  if (givenKey !== undefined && givenKey.length < 32)
    lines.push('Warning:    FORAGE_API_KEY is short enough to be guessed; 32 random characters are not')
  return lines.join('\n')
}

function nextSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, resolve)
  return promise
}

/** Work that hangs must not keep the process: past the grace time (and a second to close the files) it ends anyway. */
async function stopWithin(grace: number, forage: Forage, report: (reason: string) => void): Promise<number> {
  setTimeout(
    () => {
      report(`work was still running after ${grace} s (FORAGE_GRACE); it is taken up at the next start`)
      process.exit(1)
    },
    (grace + 1) * 1000,
  ).unref()
  await forage.stop()
  return 0
}

// Makes a fresh clone ready: dependencies, the browser, generated files, the bundle, the web application. Runs before `npm start`, `npm test`
// and the others, under whatever Node the machine has (20 or later) and without node_modules; where nothing has changed
// it is done in a few milliseconds. FORAGE_SETUP_SKIP leaves steps out.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installDependencies } from './setup/dependencies.mjs'
import { withLock } from './setup/lock.mjs'
import { root, SetupProblem, say, skips } from './setup/report.mjs'

try {
  await setUp()
} catch (error) {
  if (!(error instanceof SetupProblem)) throw error
  say(`${error.message}\n\nWhat to do: ${error.remedy}`)
  process.exit(1)
}

async function setUp() {
  if (!skips('dependencies')) await withLock(() => installDependencies())
  const major = Number(process.versions.node.split('.')[0])
  if (major < 24) return continueInOurNode()
  if (!skips('browser')) await (await import('./setup/browser.mjs')).findOrInstallBrowser()
  if (!skips('commands')) (await import('./setup/commands.mjs')).listCommands()
  if (!skips('bundle')) {
    const { bundleIsCurrent, bundle } = await import('./setup/bundle.mjs')
    if (!bundleIsCurrent()) await withLock(() => bundle())
  }
  if (!skips('web')) {
    const { webIsCurrent, buildWeb } = await import('./setup/web.mjs')
    if (!webIsCurrent()) await withLock(() => buildWeb())
  }
}

/** The rest reads our TypeScript, which Node 24 can: the one that the dependencies brought, in the very first set-up. */
function continueInOurNode() {
  const node = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(node))
    throw new SetupProblem(
      `Forage runs on Node 24; this is ${process.version}, and no ready-made Node 24 exists for ${process.platform} ${process.arch} among the dependencies.`,
      'install Node 24 or later (https://nodejs.org), then run the same command again.',
    )
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' })
  process.exit(status ?? 1)
}

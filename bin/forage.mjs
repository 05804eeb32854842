#!/usr/bin/env node
// The launcher: plain JavaScript, so that any Node can read it and say what is wrong.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import module from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// DuckDB's statements block threads of this pool; with the usual 4 they would hold up file and DNS work. It is read once,
// at the first use, hence here, before anything else is loaded.
process.env.UV_THREADPOOL_SIZE ??= '16'

if (Number(process.versions.node.split('.')[0]) >= 24) await run()
else runInOurNode()

async function run() {
  const bundle = await bundledMain()
  // The compiled code is kept in the bundle's own folder, and goes with it.
  if (bundle !== undefined) module.enableCompileCache(join(dirname(bundle), 'compiled'))
  await import(pathToFileURL(bundle ?? join(root, 'src', 'cli', 'main.ts')).href)
}

/** The bundle if it is of these sources; a checkout whose sources changed since runs from them. */
async function bundledMain() {
  const folders = existsSync(join(root, 'dist'))
    ? readdirSync(join(root, 'dist')).filter(name => /^bundle-\w+$/.test(name))
    : []
  if (folders.length === 0) return undefined
  const main = name => join(root, 'dist', name, 'cli-main.js')
  if (!existsSync(join(root, 'src'))) return main(folders[0])
  const { fingerprint } = await import('../scripts/setup/fingerprint.mjs')
  const current = `bundle-${fingerprint(root)}`
  return folders.includes(current) ? main(current) : undefined
}

function runInOurNode() {
  const node = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(node)) {
    process.stderr.write(
      `forage: this is Node ${process.version}; Forage runs on Node 24 or later.\nWhat to do: run \`npm ci\` in ${root}, which brings it, or install Node 24 from https://nodejs.org.\n`,
    )
    process.exit(1)
  }
  // As `npm start` has it, which is the only other place where a flag can be given: half of the time goes to Node's own
  // code, and large pages make that a twentieth faster.
  const child = spawn(node, ['--use-largepages=silent', ...process.argv.slice(1)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status, signal) => process.exit(signal ? 1 : status))
}

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, SetupProblem, say } from './report.mjs'

const lockFile = join(root, 'package-lock.json')
const stampFile = join(root, 'node_modules', '.forage-installed')

/** Installs exactly what the lock file says, when what is installed is something else. */
export function installDependencies() {
  const lock = readFileSync(lockFile)
  const stamp = createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex')
  if (read(stampFile) === stamp) return
  if (!isInstalled(JSON.parse(lock.toString()))) install()
  writeFileSync(stampFile, stamp)
}

/** npm keeps its own list of what it put into node_modules; `npm install` by hand is as good as ours. */
function isInstalled(lock) {
  const text = read(join(root, 'node_modules', '.package-lock.json'))
  if (text === undefined) return false
  const installed = JSON.parse(text).packages
  return Object.entries(lock.packages).every(
    ([path, wanted]) =>
      path === '' || installed[path]?.version === wanted.version || (wanted.optional && !installed[path]),
  )
}

function install() {
  say('installing the dependencies (about a minute the first time)')
  // Development tools too, whatever NODE_ENV says: the bundler is one of them.
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', process.stderr.fd, process.stderr.fd],
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0)
    throw new SetupProblem(
      `the dependencies could not be installed${error ? ` (${error.message})` : ''}; npm's words are above.`,
      'see that the package registry can be reached (`npm ping`) and that the disk has 1 GB to spare, then run the same command again.',
    )
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

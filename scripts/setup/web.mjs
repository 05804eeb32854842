import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist, removeOldBuilds } from './builds.mjs'
import { fingerprint } from './fingerprint.mjs'
import { root, SetupProblem, say } from './report.mjs'

/** What the web application is made of; of the server's records it takes the types only. */
const sources = ['web', 'src/language', 'package-lock.json']
/** Names the folder of the current build; the server reads it when it starts. */
const currentFile = join(dist, 'web')

const nameNow = () => `web-${fingerprint(root, sources)}`

export function webIsCurrent() {
  const name = nameNow()
  return existsSync(join(dist, name)) && existsSync(currentFile) && readFileSync(currentFile, 'utf8') === name
}

export async function buildWeb() {
  if (webIsCurrent()) return
  const name = nameNow()
  const target = join(dist, name)
  if (!existsSync(target)) await build(target)
  const part = `${currentFile}.part-${process.pid}`
  writeFileSync(part, name)
  renameSync(part, currentFile)
  removeOldBuilds('web-', target)
}

async function build(target) {
  say('building the web application')
  mkdirSync(dist, { recursive: true })
  const part = `${target}.part-${process.pid}`
  try {
    const vite = await import('vite')
    await vite.build({
      configFile: join(root, 'web', 'vite.config.ts'),
      logLevel: 'silent',
      build: { outDir: part },
    })
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw new SetupProblem(
      `the web application does not build: ${error.message}`,
      '`npm run check` names the mistake. FORAGE_SETUP_SKIP=web starts without it.',
    )
  }
  renameSync(part, target)
}

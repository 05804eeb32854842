import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './report.mjs'

/** Remembers where the browser was, so that the next start need not look for it. */
const stampFile = join(root, 'dist', 'browser')
const debianPackages = ['chromium-headless-shell', 'fonts-noto-color-emoji', 'fonts-noto-cjk']

/** A machine without a browser still gets Forage: only the browser service is out then. */
export async function findOrInstallBrowser() {
  if (process.env.FORAGE_BROWSER || isRemembered()) return
  const { findBrowser } = await import('../../src/services/krull/find-browser.ts')
  const found = (await findBrowser()) ?? (await install(findBrowser))
  if (found === undefined) return explain()
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stampFile, found)
}

function isRemembered() {
  return existsSync(stampFile) && existsSync(readFileSync(stampFile, 'utf8'))
}

async function install(findBrowser) {
  if (process.platform === 'linux' && process.getuid() === 0 && existsSync('/usr/bin/apt-get')) installByApt()
  return (await findBrowser()) ?? (await download())
}

function installByApt() {
  say(`installing the browser (${debianPackages.join(', ')}) with apt-get`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const options = { env: environment, stdio: ['ignore', 'ignore', process.stderr.fd] }
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages], options)
}

async function download() {
  say('downloading chrome-headless-shell')
  try {
    const { downloadBrowser } = await import('../../src/services/krull/download-browser.ts')
    return await downloadBrowser()
  } catch (error) {
    say(`the download failed: ${error.message}`)
  }
}

function explain() {
  const command =
    process.platform === 'linux'
      ? `sudo apt-get install -y ${debianPackages.join(' ')}`
      : 'npx @puppeteer/browsers install chrome-headless-shell@stable'
  say(`no browser was found or could be installed. Forage works without, except for web pages. To add one:

    ${command}

or set FORAGE_BROWSER to the path of a Chrome or Chromium.`)
}

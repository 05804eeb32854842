import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { findBrowser } from '../../src/services/krull/find-browser.ts'
import { temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = join(temporaryFolder(), 'checkout')

const { FORAGE_SETUP_SKIP: _, ...environment } = process.env
const run = (script: string, words: readonly string[] = [], skip = 'browser') =>
  spawnSync(process.execPath, [join(copy, script), ...words], {
    env: { ...environment, FORAGE_SETUP_SKIP: skip },
    encoding: 'utf8',
  })
const bundles = () => readdirSync(join(copy, 'dist')).filter(name => name.startsWith('bundle-'))

describe('set-up', () => {
  before(() => {
    for (const part of [
      'bin',
      'demo',
      'scripts',
      'src',
      'web',
      'package.json',
      'package-lock.json',
      'tsconfig.json',
    ])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    rmSync(join(copy, 'src', 'commands', 'index.ts'), { force: true })
  })

  it('lists the commands, bundles, builds the web application, and does nothing the second time', () => {
    const first = run('scripts/setup.mjs')
    assert.equal(first.status, 0, first.stderr)
    assert.match(first.stderr, /listed the commands/)
    assert.match(first.stderr, /bundling the server/)
    assert.match(first.stderr, /building the web application/)
    assert.equal(bundles().length, 1)
    const web = readFileSync(join(copy, 'dist', 'web'), 'utf8')
    assert.ok(readdirSync(join(copy, 'dist', web)).includes('index.html'))
    const second = run('scripts/setup.mjs')
    assert.deepEqual([second.status, second.stdout, second.stderr], [0, '', ''])
  })

  it('makes a bundle that runs without the sources', () => {
    const sources = join(copy, 'src')
    cpSync(sources, `${sources}-away`, { recursive: true })
    rmSync(sources, { recursive: true })
    const { status, stdout } = run('bin/forage.mjs', ['--version'])
    cpSync(`${sources}-away`, sources, { recursive: true })
    assert.equal(status, 0)
    assert.match(stdout, /^forage \d/)
  })

  it('leaves a bundle alone that no longer is of the sources, until it makes a new one', () => {
    appendFileSync(join(copy, 'src', 'cli', 'version.ts'), "\nprocess.stdout.write('edited ')\n")
    assert.match(run('bin/forage.mjs', ['--version']).stdout, /^edited forage/)
    assert.match(run('scripts/setup.mjs').stderr, /bundling the server/)
    assert.equal(bundles().length, 2, 'the one before stays for a server that still runs')
    assert.match(run('bin/forage.mjs', ['--version']).stdout, /^edited forage/)
  })

  it('says what to do when the sources do not bundle, and leaves no half of a bundle', () => {
    const file = join(copy, 'src', 'cli', 'version.ts')
    const before = readFileSync(file)
    appendFileSync(file, 'export const = ;')
    const { status, stderr } = run('scripts/setup.mjs')
    writeFileSync(file, before)
    assert.equal(status, 1)
    assert.match(stderr, /do not bundle[\s\S]*What to do: /)
    assert.ok(!readdirSync(join(copy, 'dist')).some(name => name.includes('.part')))
  })

  it('says what to do when the web application does not build, and serves the one before', () => {
    const before = readFileSync(join(copy, 'dist', 'web'), 'utf8')
    const file = join(copy, 'web', 'main.tsx')
    appendFileSync(file, 'export const = ;')
    const { status, stderr } = run('scripts/setup.mjs')
    rmSync(file)
    cpSync(join(root, 'web', 'main.tsx'), file)
    assert.equal(status, 1)
    assert.match(stderr, /does not build[\s\S]*What to do: /)
    assert.equal(readFileSync(join(copy, 'dist', 'web'), 'utf8'), before)
    assert.ok(!readdirSync(join(copy, 'dist')).some(name => name.includes('.part')))
  })

  it('leaves steps out', () => {
    appendFileSync(join(copy, 'src', 'cli', 'version.ts'), '\n')
    const { status, stderr } = run('scripts/setup.mjs', [], 'browser, bundle')
    assert.deepEqual([status, stderr], [0, ''])
  })
})

describe('the lock file', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

  it('is complete, so that npm ci takes it (node scripts/complete-lock.mjs)', async () => {
    const { missingFromLock } = await import(join(root, 'scripts', 'setup', 'lock-file.mjs'))
    assert.deepEqual(missingFromLock(lock), [])
    const broken = { packages: { 'node_modules/a': { optionalDependencies: { b: '1.0.0' } } } }
    assert.deepEqual(missingFromLock(broken), [{ name: 'b', version: '1.0.0', dev: undefined }])
  })

  it('names no registry, and package.json exact versions only', () => {
    const addresses = Object.values(lock.packages as Record<string, { resolved?: string }>).filter(
      ({ resolved }) => resolved !== undefined,
    )
    assert.deepEqual(addresses, [])
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    )
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
    }))
      assert.match(version as string, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name)
  })
})

describe('the browser', () => {
  const machine = (...programs: string[]) => ({
    path: '/usr/bin:/opt/bin',
    platform: 'linux' as const,
    isProgram: (file: string) => programs.includes(file),
  })

  it('is looked for in order: headless shell, Chromium, Chrome', async () => {
    const chrome = '/opt/bin/google-chrome'
    const chromium = '/opt/bin/chromium'
    const shell = '/usr/bin/chromium-headless-shell'
    assert.equal(await findBrowser(machine(chrome)), chrome)
    assert.equal(await findBrowser(machine(chrome, chromium)), chromium)
    assert.equal(await findBrowser(machine(chrome, chromium, shell)), shell)
  })

  it("is Debian's program itself, not the script around it", async () => {
    const real = '/usr/lib/chromium/chromium-headless-shell'
    assert.equal(await findBrowser(machine('/usr/bin/chromium-headless-shell', real)), real)
  })

  it('is undefined where there is none', async () => {
    assert.equal(await findBrowser(machine()), undefined)
  })
})

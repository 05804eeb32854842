import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dist, removeOldBuilds } from './builds.mjs'
import { fingerprint } from './fingerprint.mjs'
import { root, SetupProblem, say } from './report.mjs'

const bundleFolder = print => join(dist, `bundle-${print}`)

/**
 * Native add-ons, and packages that find files of their own beside themselves, stay in node_modules. The rest goes into
 * the bundle: one file is read and compiled in place of hundreds.
 */
const external = [/^@duckdb\/node-bindings/, /^@scalar\//, /^@puppeteer\//, /^quickjs-wasi/]

/**
 * `import` of node:http reads all its exports, among them the getters behind which Node keeps its own undici: 40 ms for
 * nothing. In the bundle the module is asked for in the way that does not.
 */
const lightHttp = {
  name: 'light-http',
  resolveId: (id, _importer, { kind }) =>
    /^(node:)?http$/.test(id) && kind === 'import-statement' ? '\0light-http' : undefined,
  load(id) {
    if (id !== '\0light-http') return undefined
    const http = process.getBuiltinModule('node:http')
    const plain = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(
      ([, { get }]) => get === undefined,
    )
    const names = plain.map(([name]) => name).filter(name => name !== 'default')
    return `const http = process.getBuiltinModule('node:http')
export default http
export const { ${names.join(', ')} } = http`
  },
}

export const bundleIsCurrent = () => existsSync(bundleFolder(fingerprint(root)))

export async function bundle() {
  const print = fingerprint(root)
  const target = bundleFolder(print)
  if (existsSync(target)) return
  say('bundling the server')
  const part = `${target}.part-${process.pid}`
  const { entries, bundledName } = await import('../../src/entry.ts')
  const input = Object.fromEntries(
    entries
      .map(entry => [bundledName(entry), join(root, 'src', `${entry}.ts`)])
      .filter(([, path]) => existsSync(path)),
  )
  try {
    const { build } = await import('rolldown')
    await build({
      input,
      cwd: root,
      platform: 'node',
      external,
      plugins: [lightHttp],
      logLevel: 'silent',
      output: {
        dir: part,
        format: 'esm',
        sourcemap: true,
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
      },
    })
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    throw new SetupProblem(
      `the sources do not bundle: ${error.message}`,
      '`npm run check` names the mistake. FORAGE_SETUP_SKIP=bundle starts from the sources instead.',
    )
  }
  mkdirSync(dist, { recursive: true })
  writeFileSync(join(part, 'package.json'), '{ "type": "module" }\n')
  renameSync(part, target)
  removeOldBuilds('bundle-', target)
}

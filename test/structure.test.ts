import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = globSync('src/**/*.ts', { cwd: root }).sort()

/** What each part may import besides itself and the files that lie in src/ itself. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  language: [],
  sql: ['language'],
  // The network is at the side: what a command fetches, it fetches through it.
  commands: ['sql', 'language', 'network'],
  network: ['language'],
  storage: ['language'],
  // What each kind of credential is made of and how it signs: declarations, like commands and stores.
  credentials: ['commands', 'language', 'network'],
  stores: ['network', 'storage', 'sql', 'language'],
  engine: ['credentials', 'commands', 'sql', 'language', 'network', 'storage'],
  services: ['credentials', 'engine', 'commands', 'sql', 'language', 'network', 'storage', 'stores'],
  http: ['credentials', 'services', 'engine', 'commands', 'sql', 'language', 'network', 'storage', 'stores'],
  cli: ['credentials', 'services', 'engine', 'commands', 'sql', 'language', 'network', 'storage', 'stores'],
}
/** They run in the browser too. */
const pure = ['language', 'sql']
/** Put everything together, hence see everything. */
const roots = [
  'src/app.ts',
  'src/assembly.ts',
  'src/cli/main.ts',
  'src/cli/serve.ts',
  'src/cli/query/embedded.ts',
]

const partOf = (file: string): string => (file.split('/').length > 2 ? file.split('/')[1]! : '')

/** The specifiers of a file's imports, dynamic ones and those of types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const statements = text.matchAll(
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'/gm,
  )
  const dynamic = text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)
  return [...statements, ...dynamic].map(match => match[1] ?? match[2]!)
}

const targetOf = (file: string, specifier: string): string =>
  relative(root, join(root, dirname(file), specifier))

describe('the folders of src/', () => {
  it('are those that design.md names', () => {
    const parts = new Set(files.map(partOf).filter(part => part !== ''))
    assert.deepEqual(
      [...parts].filter(part => allowed[part] === undefined),
      [],
    )
  })

  it('import one way', () => {
    const wrong = files.flatMap(file => {
      const part = partOf(file)
      if (part === '' || roots.includes(file)) return []
      return importsOf(file)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => targetOf(file, specifier))
        .filter(target => target.startsWith('src/'))
        .filter(target => {
          const other = partOf(target)
          if (other === '') return pure.includes(part) || roots.includes(target)
          return other !== part && !allowed[part]!.includes(other)
        })
        .map(target => `${file} imports ${target}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('stay inside src/, but for the demo site that the application starts', () => {
    const outside = files.flatMap(file =>
      importsOf(file)
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => targetOf(file, specifier))
        .filter(target => !target.startsWith('src/'))
        .map(target => `${file} imports ${target}`),
    )
    assert.deepEqual(outside, ['src/app.ts imports demo/server.ts', 'src/version.ts imports package.json'])
  })

  it('are pure where the browser uses them', () => {
    const impure = files
      .filter(file => pure.includes(partOf(file)))
      .flatMap(file =>
        importsOf(file)
          .filter(specifier => specifier.startsWith('node:'))
          .map(specifier => `${file} imports ${specifier}`),
      )
    assert.deepEqual(impure, [])
  })

  it('are read by this test at all', () => {
    assert.ok(importsOf('src/app.ts').includes('./http/server.ts'))
    assert.ok(importsOf('src/cli/serve.ts').includes('../app.ts'), 'dynamic imports too')
    assert.ok(files.length > 50)
  })

  it('hold files that can be read at once: what is longer is two nouns', () => {
    const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length
    assert.deepEqual(
      files.filter(file => linesOf(file) > 300),
      [],
    )
  })
})

describe('web/', () => {
  it('runs on the language alone: of the rest of src/ it takes types', () => {
    const web = globSync('web/**/*.{ts,tsx}', { cwd: root })
    const wrong = web.flatMap(file =>
      valueImportsOf(file)
        .map(specifier => targetOf(file, specifier))
        .filter(target => target.startsWith('src/') && partOf(target) !== 'language')
        .map(target => `${file} imports ${target}`),
    )
    assert.ok(web.length > 0)
    assert.deepEqual(wrong, [])
  })
})

/** Imports that are still there when the types are gone. */
function valueImportsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^import type [^'"]*from '[^']+'/gm, '')
  return [...text.matchAll(/\bfrom\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/g)].map(
    match => match[1] ?? match[2]!,
  )
}

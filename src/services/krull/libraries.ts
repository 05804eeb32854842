import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type LibraryName = '$' | '_' | 'mathjs'

const resolve = createRequire(import.meta.url).resolve

/** The files for browsers; packages that do not name theirs are found from the file that they do name. */
const files: Readonly<Record<LibraryName, () => string>> = {
  $: () => join(dirname(resolve('jquery')), 'jquery.min.js'),
  _: () => join(dirname(resolve('lodash')), 'lodash.min.js'),
  mathjs: () => join(dirname(resolve('mathjs')), '../browser/math.js'),
}

const loaded = new Map<LibraryName, Promise<string>>()

/**
 * An expression whose value is an object with the libraries asked for. Each is run inside a function as a module, so it
 * leaves nothing with the page; `define` is hidden, or lodash would report to the page's own loader.
 */
export async function librariesExpression(names: readonly LibraryName[]): Promise<string> {
  const parts = await Promise.all(names.map(async name => `${JSON.stringify(name)}:${await source(name)}`))
  return `({${parts.join(',')}})`
}

function source(name: LibraryName): Promise<string> {
  const known = loaded.get(name)
  if (known) return known
  const reading = readFile(files[name](), 'utf8').then(
    text =>
      `(function(){var module={exports:{}},exports=module.exports,define=undefined;\n${text}\n;return module.exports}).call(globalThis)`,
  )
  loaded.set(name, reading)
  return reading
}

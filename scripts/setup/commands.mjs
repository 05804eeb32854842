import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from './report.mjs'

const folder = join(root, 'src', 'commands')
const indexFile = join(folder, 'index.ts')

/** Adding a command is adding its file: the list of them is written here. */
export function listCommands() {
  const text = indexOf(commandNames(folder))
  if (read(indexFile) === text) return
  writeFileSync(indexFile, text)
  say('listed the commands in src/commands/index.ts')
}

/** The files of the folder that hold a command, which is what they export by default. */
function commandNames(folder) {
  return readdirSync(folder)
    .filter(file => file.endsWith('.ts') && file !== 'index.ts')
    .filter(file => readFileSync(join(folder, file), 'utf8').includes('\nexport default '))
    .map(file => file.slice(0, -'.ts'.length))
    .sort()
}

/** The text of `index.ts` for commands of these names, as the formatter would write it. */
export function indexOf(names) {
  const imports = names.map(name => `import ${identifier(name)} from './${name}.ts'\n`)
  const items = names.map(name => `  ${identifier(name)},\n`)
  return `// Written by set-up from the files of this folder: do not edit.
${imports.join('')}
export const commands = [
${items.join('')}]
`
}

/** A word that JavaScript does not keep for itself: `delete.ts` is imported as `deleteCommand`. */
const identifier = name => `${name.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())}Command`

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

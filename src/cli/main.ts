import { parseArgs } from 'node:util'
import { Fault } from '../fault.ts'
import { nearest } from '../language/nearest.ts'
import type { CliCommand } from './command.ts'
import { cliCommands } from './commands.ts'
import { helpOf, overview, usageOf } from './help.ts'

/** Runs `forage` with these words and gives the exit code. */
async function forage(words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    print(overview(cliCommands))
    return first === undefined ? 2 : 0
  }
  if (first === '--version' || first === '-v') {
    const { versionText } = await import('./version.ts')
    print(versionText())
    return 0
  }
  const command = find(words)
  const rest = words.slice(command.name.split(' ').length)
  if (rest.includes('--help') || rest.includes('-h')) {
    print(helpOf(command))
    return 0
  }
  const { values, positionals } = parse(command, rest)
  return command.run({ arguments: positionals, options: values, env: process.env, print })
}

function find(words: readonly string[]): CliCommand {
  const found = cliCommands.find(command => command.name.split(' ').every((word, i) => words[i] === word))
  if (found !== undefined) return found
  const typed = words.filter(word => !word.startsWith('-')).slice(0, 2)
  const family = cliCommands.filter(command => command.name.startsWith(`${typed[0]} `))
  if (family.length > 0)
    throw usage(
      `forage ${typed[0]} needs one of: ${family.map(command => command.name.split(' ')[1]).join(', ')}`,
    )
  const names = cliCommands.map(command => command.name)
  const near = nearest(typed.join(' '), names) ?? nearest(typed[0] ?? '', names)
  throw usage(
    `there is no command "${words[0]}"${near === undefined ? '' : `; did you mean "forage ${near}"?`}`,
  )
}

function parse(command: CliCommand, words: readonly string[]) {
  const options = Object.fromEntries(
    (command.options ?? []).map(option => [
      option.name,
      { type: option.value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw usage((error as Error).message, command)
  }
  const names = (command.arguments ?? []).map(argument => argument.name)
  const required = (command.arguments ?? []).filter(argument => !argument.optional).length
  if (parsed.positionals.length > names.length || parsed.positionals.length < required)
    throw usage(
      parsed.positionals.length > names.length
        ? `"${parsed.positionals[names.length]}" is one word too many`
        : `<${names[parsed.positionals.length]}> is missing`,
      command,
    )
  const positionals = Object.fromEntries(names.map((name, i) => [name, parsed.positionals[i]]))
  return { values: parsed.values as Record<string, string | boolean | undefined>, positionals }
}

const usage = (message: string, command?: CliCommand): Fault =>
  new Fault(
    'usage',
    message,
    command === undefined
      ? '`forage --help` lists the commands.'
      : `Usage: ${usageOf(command)}. \`forage ${command.name} --help\` says more.`,
  )

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}

try {
  process.exitCode = await forage(process.argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof Fault ? error.exitCode : 1
  process.stderr.write(
    error instanceof Fault
      ? `forage: ${error.message}\nWhat to do: ${error.remedy}\n`
      : `forage: ${error instanceof Error ? error.stack : error}\n`,
  )
}

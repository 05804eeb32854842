import type { CliCommand } from '../../src/cli/command.ts'
import { cliCommands } from '../../src/cli/commands.ts'
import { exits, optionUsage, usageOf } from '../../src/cli/help.ts'

/** docs/command-line.md. */
export const commandLinePage = (): string => `# The command line

In a checkout: \`npx forage …\` (or \`node bin/forage.mjs …\`). \`--help\` after any command shows what is written here,
\`forage --version\` the versions of Forage, Node and the catalog.

${cliCommands.map(section).join('\n')}
## Exit codes

| code | meaning |
|---|---|
| 0 | done |
${exits()
  .map(([code, meaning]) => `| ${code} | ${meaning} |`)
  .join('\n')}

Errors go to standard error: what is wrong, then what to do.
`

function section(command: CliCommand): string {
  const options = (command.options ?? []).map(option => [`\`${optionUsage(option)}\``, option.meaning])
  const words = (command.arguments ?? []).map(argument => [`\`<${argument.name}>\``, argument.meaning])
  const table = [...words, ...options].map(([left, right]) => `| ${left} | ${right} |`)
  return `## ${usageOf(command)}

${command.summary}.${command.description === undefined ? '' : ` ${command.description.replaceAll('\n', ' ')}`}
${table.length === 0 ? '' : `\n| | |\n|---|---|\n${table.join('\n')}\n`}
\`\`\`sh
${command.examples.map(({ line, meaning }) => `${line}   # ${meaning}`).join('\n')}
\`\`\`
`
}

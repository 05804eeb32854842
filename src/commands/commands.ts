import type { CommandDeclaration, Parameter } from '../language/declaration.ts'
import type { Row } from '../language/json.ts'
import { usage } from '../language/wording.ts'
import { command } from './command.ts'

export default command({
  name: 'commands',
  kind: 'source',
  group: 'get',
  summary: 'Lists the commands there are',
  help: 'A row for each: its name, other names, kind, group, what it does, how it is written, its arguments and its own flags.',
  arguments: [],
  examples: [
    {
      title: 'Two of them',
      query: `commands || filter "name in ('head', 'tail')" || table name kind summary`,
      output: [
        { name: 'head', kind: 'reduce', summary: 'Keeps the first rows' },
        { name: 'tail', kind: 'reduce', summary: 'Keeps the last rows' },
      ],
    },
    {
      title: 'The flags of one',
      query: `commands || filter "name == 'dedup'" || table name aliases flags.0.name`,
      output: [{ name: 'dedup', aliases: ['distinct'], flags: [{ name: 'last' }] }],
    },
  ],
  source: async ({ ingest }) => {
    const commands = await allCommands()
    return ingest(commands.map(describe))
  },
})

/** Imported when asked for: the list holds this very command. */
async function allCommands(): Promise<readonly CommandDeclaration[]> {
  const { commands } = await import('./index.ts')
  return commands
}

function describe(declaration: CommandDeclaration): Row {
  return {
    name: declaration.name,
    kind: declaration.kind,
    group: declaration.group,
    summary: declaration.summary,
    usage: usage(declaration),
    aliases: declaration.aliases ?? [],
    arguments: declaration.arguments.map(describeParameter),
    flags: (declaration.flags ?? []).map(describeParameter),
  }
}

const describeParameter = (parameter: Parameter): Row => ({
  name: parameter.name,
  type: parameter.type,
  help: parameter.help,
  ...(parameter.optional && { optional: true }),
  ...(parameter.repeated && { repeated: true }),
  ...(parameter.default !== undefined && { default: parameter.default }),
  ...(parameter.choices && { choices: parameter.choices }),
})

import { commands } from '../../src/commands/index.ts'
import type { CommandDeclaration, Example, Parameter } from '../../src/language/declaration.ts'
import { type Json, type Row, stringifyJson } from '../../src/language/json.ts'
import { usage } from '../../src/language/wording.ts'

const GROUPS: readonly (readonly [CommandDeclaration['group'], string])[] = [
  ['get', 'Getting data'],
  ['rows', 'Rows'],
  ['columns', 'Columns'],
  ['groups', 'Groups, several tables, change'],
  ['send', 'Sending'],
]

const KINDS: Record<CommandDeclaration['kind'], string> = {
  source: 'makes rows, whatever came before',
  expand: 'runs once for every row',
  reduce: 'works on the whole table',
}

/** docs/commands.md: every command as it declares itself. */
export function commandsPage(): string {
  const groups = GROUPS.map(([group, title]) => ({
    title,
    members: commands
      .filter((command): boolean => command.group === group)
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  })).filter(({ members }) => members.length > 0)
  return [
    '# Commands',
    'Written from the declarations in `src/commands/` by `npm run generate`; every example is run by the tests.',
    ...groups.map(contents),
    ...groups.flatMap(({ title, members }) => [`## ${title}`, ...members.flatMap(section)]),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n')
}

const contents = ({ title, members }: { title: string; members: readonly CommandDeclaration[] }): string =>
  `**${title}**: ${members.map(({ name }) => `[${name}](#${name.toLowerCase()})`).join(' · ')}`

function section(command: CommandDeclaration): string[] {
  return [
    `### ${command.name}`,
    `${command.summary}.`,
    fenced(usage(command)),
    `Kind: ${command.kind} (${KINDS[command.kind]}).${aliases(command)}${cautions(command)}`,
    ...(command.help ? [command.help] : []),
    ...parameters('argument', command.arguments, parameter => parameter.name),
    ...parameters('flag', command.flags ?? [], parameter => `--${parameter.name}`),
    ...command.examples.flatMap(example),
  ]
}

const aliases = ({ aliases }: CommandDeclaration): string =>
  aliases?.length ? ` Also written ${aliases.map(alias => `\`${alias}\``).join(', ')}.` : ''

const cautions = (command: CommandDeclaration): string =>
  [
    command.volatile === true ? ' Its result is never cached.' : '',
    command.startsFromEmptyRow ? ' As the first stage it starts from one empty row.' : '',
  ].join('')

function parameters(
  title: string,
  list: readonly Parameter[],
  shown: (parameter: Parameter) => string,
): string[] {
  if (list.length === 0) return []
  const lines = list.map(
    parameter => `| \`${shown(parameter)}\` | ${typeOf(parameter)} | ${cell(meaning(parameter))} |`,
  )
  return [[`| ${title} | type | meaning |`, '|---|---|---|', ...lines].join('\n')]
}

const typeOf = (parameter: Parameter): string =>
  [
    parameter.choices ? parameter.choices.join(', ') : parameter.type,
    ...(parameter.repeated ? ['several'] : []),
    ...(parameter.optional ? ['optional'] : []),
  ].join('; ')

const meaning = ({ help, default: value }: Parameter): string =>
  value === undefined ? help : `${help} Default: \`${stringifyJson(value)}\`.`

function example({ title, input, query, output, columns }: Example): string[] {
  return [
    `*${title ?? 'Example'}*`,
    ...(input ? [table(input)] : []),
    fenced(query),
    output
      ? table(output)
      : `Columns: ${(columns ?? []).map(name => `\`${name}\``).join(', ')}; the values differ each time.`,
  ]
}

const fenced = (text: string): string => `\`\`\`\n${text}\n\`\`\``

function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  if (columns.length === 0) return rows.length === 0 ? '(no rows)' : `(${rows.length} rows without columns)`
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(cell)),
    `|${'---|'.repeat(columns.length)}`,
    ...rows.map(row => line(columns.map(column => shown(row[column])))),
  ].join('\n')
}

/** Text in quotes only where it could be taken for a number: the examples are about such differences. */
function shown(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string')
    return /^-?[\d.]|^(true|false|null)?$/.test(value) ? code(`"${value}"`) : cell(value)
  return typeof value === 'object' ? code(stringifyJson(value)) : stringifyJson(value)
}

const code = (text: string): string => (text.includes('`') ? cell(text) : `\`${cell(text)}\``)

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

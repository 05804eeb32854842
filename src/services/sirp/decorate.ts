import type { CommandDeclaration, Parameter } from '../../language/declaration.ts'
import { parsePath, quoteSegment } from '../../language/paths.ts'
import { plan } from '../../language/planner.ts'

export interface Decoration {
  readonly command: string
  readonly description: string
  readonly query: string
}

/** Enough to choose from; a table of a thousand columns would answer with fifty thousand. */
const MOST_COLUMNS = 50

/** Each command that fits one column of a query's result, or several, with the query that it would make. */
export function decorate(
  query: string,
  type: 'attribute' | 'multiattribute',
  paths: readonly string[],
  commands: readonly CommandDeclaration[],
): Decoration[] {
  // What takes several columns takes one as well.
  const fitting = commands.filter(
    ({ decorates }) => decorates === 'multiattribute' || (decorates && decorates === type),
  )
  const names = paths.slice(0, MOST_COLUMNS)
  const choices = type === 'attribute' ? names.map(name => [name]) : names.length > 0 ? [names] : []
  const made = choices.flatMap(chosen => fitting.map(command => decoration(query, command, chosen)))
  return made.filter(item => plan(item.query, { commands }).plan !== null)
}

/** A name as a path that means that column, whatever is in it. */
export function quoteName(name: string): string {
  const path = parsePath(name)
  return 'problem' in path || path.segments.length > 1 || /\s/.test(name) ? quoteSegment(name) : name
}

function decoration(query: string, command: CommandDeclaration, columns: readonly string[]): Decoration {
  const [first, ...rest] = command.arguments
  const takesColumns = first?.type === 'path'
  const given = takesColumns ? (first.repeated ? columns : columns.slice(0, 1)) : []
  const others = (takesColumns ? rest : command.arguments).filter(parameter => !parameter.optional)
  const words = [...given, ...others.map(parameter => sampleOf(parameter, columns[0]!))]
  return {
    command: command.name,
    description: `${command.summary}: ${columns.join(', ')}`,
    query: `${query} || ${[command.name, ...words].join(' ')}`,
  }
}

/** Something to begin with, for the person to change. */
function sampleOf(parameter: Parameter, column: string): string {
  switch (parameter.type) {
    case 'path':
      return column
    case 'expression':
      return `"${column} != null"`
    case 'aggregates':
      return '"count() as n"'
    case 'regex':
      return '"(?<value>.+)"'
    case 'integer':
    case 'number':
      return String(parameter.default ?? Math.max(1, parameter.min ?? 1))
    case 'choice':
      return parameter.choices![0]!
    case 'column':
      return 'result'
    default:
      return '","'
  }
}

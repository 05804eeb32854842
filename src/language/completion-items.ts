import type { CommandDeclaration, NameKind, Parameter } from './declaration.ts'
import { quoteSegment } from './paths.ts'
import { TOKEN_NAMES } from './tokens.ts'
import { flagsOf } from './universal.ts'
import { typeName, usage } from './wording.ts'

export interface Completion {
  /** The stretch of text that an item replaces. */
  readonly from: number
  readonly to: number
  readonly items: readonly CompletionItem[]
}

export interface CompletionItem {
  readonly label: string
  readonly kind: 'command' | 'flag' | 'value' | 'function' | 'column'
  readonly detail: string
  /** The text to put in. */
  readonly apply: string
  readonly help: string
}

/** What the editor knows besides the text. */
export interface CompletionSources {
  readonly commands: readonly CommandDeclaration[]
  readonly functions: readonly CompletableFunction[]
  /** Aggregates, for `stats` and its like. */
  readonly aggregates?: readonly CompletableFunction[]
  readonly columns?: readonly string[]
  readonly labels?: readonly string[]
  readonly values?: { readonly [K in NameKind]?: readonly string[] }
}

/** The part of a function's declaration that completion shows. */
export interface CompletableFunction {
  readonly name: string
  readonly summary: string
  readonly parameters?: readonly {
    readonly name: string
    readonly optional?: boolean
    readonly repeated?: boolean
  }[]
}

export function commandItems(typed: string, { commands }: CompletionSources): CompletionItem[] {
  return matching(
    typed,
    commands.map(command => ({
      label: command.name,
      kind: 'command',
      detail: usage(command),
      apply: command.arguments.length > 0 ? `${command.name} ` : command.name,
      help: command.help ? `${command.summary}.\n\n${command.help}` : `${command.summary}.`,
    })),
  )
}

export function flagItems(
  typed: string,
  declaration: CommandDeclaration,
  given: ReadonlySet<string>,
): CompletionItem[] {
  const open = flagsOf(declaration).filter(flag => flag.repeated || !given.has(flag.name.toLowerCase()))
  return matching(
    typed,
    open.map(flag => {
      const name = `--${flag.name.replace(/\*$/, '')}`
      const takesWord = flag.type !== 'boolean' && !flag.name.endsWith('.*')
      return {
        label: name,
        kind: 'flag',
        detail: typeName(flag),
        apply: takesWord ? `${name} ` : name,
        help: flag.help,
      }
    }),
  )
}

export function valueItems(
  piece: string,
  parameter: Parameter,
  sources: CompletionSources,
  asToken: boolean,
): CompletionItem[] {
  if (asToken) return matching(piece, tokenItems(sources))
  switch (parameter.type) {
    case 'boolean':
      return matching(piece, values(['true', 'false'], parameter))
    case 'choice':
      return matching(piece, values(parameter.choices ?? [], parameter))
    case 'stage':
      return matching(piece, values([...(sources.labels ?? []), ...(parameter.choices ?? [])], parameter))
    case 'path':
    case 'column':
      return matching(piece, columns(sources))
    case 'expression':
      return matching(piece, [...columns(sources), ...functions(sources.functions)])
    case 'aggregates':
      return matching(piece, [
        ...functions(sources.aggregates ?? []),
        ...columns(sources),
        ...functions(sources.functions),
      ])
    default:
      return parameter.names
        ? matching(piece, values(sources.values?.[parameter.names] ?? [], parameter))
        : []
  }
}

const values = (texts: readonly string[], parameter: Parameter): CompletionItem[] =>
  texts.map(text => ({
    label: text,
    kind: 'value',
    detail: parameter.name,
    apply: text,
    help: parameter.help,
  }))

const columns = (sources: CompletionSources): CompletionItem[] =>
  (sources.columns ?? []).map(name => ({
    label: name,
    kind: 'column',
    detail: 'column',
    apply: asPath(name),
    help: '',
  }))

/** Dotted columns are how nested values are shown; a name that is odd in itself needs back-ticks. */
const asPath = (name: string): string => name.split('.').map(quoteSegment).join('.')

function tokenItems(sources: CompletionSources): CompletionItem[] {
  const fromRow = (sources.columns ?? []).map(name => `$${asPath(name)}$`)
  const named = TOKEN_NAMES.filter(name => !name.endsWith('.name')).map(name => `$${name}$`)
  return [
    ...fromRow.map(
      (text): CompletionItem => ({
        label: text,
        kind: 'column',
        detail: 'value of the row',
        apply: text,
        help: '',
      }),
    ),
    ...named.map(
      (text): CompletionItem => ({ label: text, kind: 'value', detail: 'token', apply: text, help: '' }),
    ),
  ]
}

const functions = (list: readonly CompletableFunction[]): CompletionItem[] =>
  list.map(({ name, summary, parameters = [] }) => {
    const shown = parameters.map(it => (it.optional ? `[${it.name}]` : it.name) + (it.repeated ? '…' : ''))
    return {
      label: name,
      kind: 'function',
      detail: `${name}(${shown.join(', ')})`,
      apply: `${name}(`,
      help: `${summary}.`,
    }
  })

/** Those that begin with what was typed, then those that hold it. */
function matching(typed: string, items: readonly CompletionItem[]): CompletionItem[] {
  const wanted = typed.toLowerCase().replace(/^`/, '')
  const begins = items.filter(item => item.label.toLowerCase().startsWith(wanted))
  const holds = items.filter(item => !begins.includes(item) && item.label.toLowerCase().includes(wanted))
  return [...begins, ...holds]
}

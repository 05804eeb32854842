import { argumentAt, bind, findFlag, splitsWords } from './binding.ts'
import { indexOf } from './command-index.ts'
import {
  type Completion,
  type CompletionItem,
  type CompletionSources,
  commandItems,
  flagItems,
  valueItems,
} from './completion-items.ts'
import type { CommandDeclaration, Parameter } from './declaration.ts'
import { type Item, parse, type StageSyntax } from './parser.ts'
import { closingBacktick } from './paths.ts'
import { positionsOf } from './positions.ts'
import { Problems } from './problems.ts'

export type { Completion, CompletionSources } from './completion-items.ts'

/** What may stand at the cursor. `columns` are those of the stage before the one the cursor is in. */
export function complete(text: string, cursor: number, sources: CompletionSources): Completion {
  const at = Math.max(0, Math.min(cursor, text.length))
  const place = findPlace(text.slice(0, at))
  const { from, items } = itemsAt(place, at, sources)
  // Choosing an item while standing inside a name replaces all of it.
  const rest = /^[\w.]*/.exec(text.slice(at))?.[0].length ?? 0
  return { from, to: from < at ? at + rest : at, items }
}

interface Place {
  readonly stage: StageSyntax
  /** Everything of the stage before what is being typed. */
  readonly before: readonly Item[]
  /** What is being typed, without its opening quote. */
  readonly typed: string
  readonly quoted: boolean
}

function findPlace(text: string): Place {
  const problems = new Problems(positionsOf(text))
  const stages = parse(text, problems)
  const open = problems.list.find(it => it.code === 'unclosed_quote')
  if (open) {
    const head = parse(text.slice(0, open.offset), new Problems(positionsOf(text)))
    const stage = head.at(-1)!
    return { stage, before: stage.items, typed: text.slice(open.offset + open.length), quoted: true }
  }
  const stage = stages.at(-1)!
  const last = stage.items.at(-1)
  const touches = last !== undefined && last.span.offset + last.span.length === text.length
  const typing = touches && (last.kind === 'flag' || (last.kind === 'word' && last.style === 'bare'))
  if (!typing || (last.kind === 'flag' && last.equals))
    return { stage, before: stage.items, typed: '', quoted: false }
  const typed = text.slice(last.span.offset)
  return { stage, before: stage.items.slice(0, -1), typed, quoted: false }
}

function itemsAt(
  place: Place,
  cursor: number,
  sources: CompletionSources,
): { from: number; items: CompletionItem[] } {
  const { before, typed, quoted } = place
  const whole = cursor - typed.length
  const command = before.find(item => item.kind !== 'comment')
  if (!command) return { from: whole, items: quoted ? [] : commandItems(typed, sources) }
  const declaration =
    command.kind === 'word' ? indexOf(sources.commands).get(command.raw.toLowerCase()) : undefined
  if (!declaration) return { from: cursor, items: [] }
  if (!quoted && typed.startsWith('--'))
    return { from: whole, items: flagItems(typed, declaration, givenFlags(before)) }
  const parameter = parameterAt(before, declaration, typed, quoted)
  const values = parameter
    ? valuesAt(parameter, declaration, typed, cursor, sources)
    : { from: cursor, items: [] }
  if (typed !== '' || quoted || awaitsValue(before, declaration)) return values
  return { from: cursor, items: [...values.items, ...flagItems('', declaration, givenFlags(before))] }
}

const givenFlags = (items: readonly Item[]): ReadonlySet<string> =>
  new Set(items.flatMap(item => (item.kind === 'flag' ? item.name.toLowerCase() : [])))

/** The last flag, where it still has to get its value. */
function awaitsValue(before: readonly Item[], declaration: CommandDeclaration): Parameter | undefined {
  const last = before.findLast(item => item.kind !== 'comment')
  if (last?.kind !== 'flag') return undefined
  const parameter = findFlag(declaration, last.name)
  return parameter?.type === 'boolean' && !last.equals ? undefined : parameter
}

function parameterAt(
  before: readonly Item[],
  declaration: CommandDeclaration,
  typed: string,
  quoted: boolean,
): Parameter | undefined {
  const awaiting = awaitsValue(before, declaration)
  if (awaiting) return awaiting
  const last = before.at(-1)
  const flag = last?.kind === 'flag' ? findFlag(declaration, last.name) : undefined
  // A boolean flag may be followed by true or false, or by something else altogether.
  if (flag?.type === 'boolean' && !quoted && typed !== '' && /^(?:t|f)/i.test(typed)) return flag
  return argumentAt(declaration, bind(before, declaration).words.length)
}

/** Where the piece being typed begins inside a value, by what the value is. */
function valuesAt(
  parameter: Parameter,
  declaration: CommandDeclaration,
  typed: string,
  cursor: number,
  sources: CompletionSources,
): { from: number; items: CompletionItem[] } {
  const takesRow = declaration.kind === 'expand' || parameter.type === 'template'
  const token = takesRow ? /\$[\p{L}\p{N}_:@.-]*$/u.exec(typed)?.[0] : undefined
  const piece = token ?? currentPiece(parameter, typed)
  const items = valueItems(piece, parameter, sources, token !== undefined)
  return { from: cursor - piece.length, items }
}

function currentPiece(parameter: Parameter, typed: string): string {
  if (parameter.type === 'expression' || parameter.type === 'aggregates') return lastName(typed)
  if (splitsWords(parameter)) return /[^\s,]*$/.exec(typed)?.[0] ?? ''
  return typed
}

/** The name at the end of an expression, an open back-tick included. */
function lastName(text: string): string {
  for (let open = text.indexOf('`'); open >= 0; ) {
    const close = closingBacktick(text, open)
    if (close < 0) return text.slice(open)
    open = text.indexOf('`', close + 1)
  }
  return /[\p{L}\p{N}_@:.]*$/u.exec(text)?.[0] ?? ''
}

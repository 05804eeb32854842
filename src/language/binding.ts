import type { CommandDeclaration, Parameter } from './declaration.ts'
import type { FlagName, Word } from './lexer.ts'
import type { Item } from './parser.ts'
import { flagsOf } from './universal.ts'

/** The words of a stage, told apart: which are arguments, and which belong to a flag. */
export interface Binding {
  readonly words: readonly Word[]
  readonly flags: readonly BoundFlag[]
  /** A flag is unknown or lacks its value, so a word may have been taken for an argument that was meant for it. */
  readonly uncertain: boolean
}

export interface BoundFlag {
  readonly flag: FlagName
  readonly parameter?: Parameter
  readonly word?: Word
}

const INDEX = new WeakMap<CommandDeclaration, ReadonlyMap<string, Parameter>>()

/** The flag of a command by its name in any letter case; `template.*` stands for all that begin so. */
export function findFlag(declaration: CommandDeclaration, name: string): Parameter | undefined {
  let index = INDEX.get(declaration)
  if (!index) {
    index = new Map(flagsOf(declaration).map(flag => [flag.name.toLowerCase(), flag]))
    INDEX.set(declaration, index)
  }
  const key = name.toLowerCase()
  const dot = key.indexOf('.')
  return index.get(key) ?? (dot > 0 ? index.get(`${key.slice(0, dot)}.*`) : undefined)
}

/** Without a declaration (a command that is not known) a flag is taken to own the word after it. */
export function bind(items: readonly Item[], declaration: CommandDeclaration | undefined): Binding {
  const words: Word[] = []
  const flags: BoundFlag[] = []
  let uncertain = false
  const written = items.filter(item => item.kind !== 'comment')
  for (let i = written[0]?.kind === 'word' ? 1 : 0; i < written.length; i++) {
    const item = written[i]!
    if (item.kind === 'word') {
      words.push(item)
      continue
    }
    const parameter = declaration && findFlag(declaration, item.name)
    if (declaration && !parameter) uncertain = true
    const word = flagValue(item, written[i + 1], parameter, declaration !== undefined)
    if (word) i++
    else if (item.equals) uncertain = true
    flags.push({ flag: item, ...(parameter && { parameter }), ...(word && { word }) })
  }
  return { words, flags, uncertain }
}

function flagValue(
  flag: FlagName,
  next: Item | undefined,
  parameter: Parameter | undefined,
  declared: boolean,
): Word | undefined {
  if (next?.kind !== 'word') return undefined
  if (flag.equals) return next.span.offset === flag.span.offset + flag.span.length + 1 ? next : undefined
  if (declared && !parameter) return undefined
  if (parameter?.type === 'boolean')
    return next.style === 'bare' && /^(?:true|false)$/i.test(next.raw) ? next : undefined
  return next
}

/** The parameter that the word at this place is for; a repeated one takes all that follow. */
export function argumentAt({ arguments: all }: CommandDeclaration, index: number): Parameter | undefined {
  const last = all.at(-1)
  return all[index] ?? (last?.repeated ? last : undefined)
}

const SPLIT_TYPES = new Set(['path', 'column', 'choice', 'integer', 'number'])

/**
 * Whether one word may hold several values of a list flag. Only where a value has no spaces or commas of its own:
 * a selector, a header or an expression has.
 */
export const splitsWords = (parameter: Parameter): boolean =>
  parameter.repeated === true && SPLIT_TYPES.has(parameter.type)

const LIST_ITEM = /(?:`[^`]*(?:``[^`]*)*`|[^\s,`])+|`/g

/** The places of the items in `a b,c`; back-ticks hold an item together. */
export function splitList(text: string): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(LIST_ITEM)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

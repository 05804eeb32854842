import { type BoundFlag, bind } from './binding.ts'
import { indexOf } from './command-index.ts'
import type { CommandDeclaration } from './declaration.ts'
import type { Span } from './diagnostics.ts'
import type { FlagName, Word } from './lexer.ts'
import { type Item, parse, type StageSyntax } from './parser.ts'
import { positionsOf } from './positions.ts'
import { Problems } from './problems.ts'

/**
 * The query as it is best read: a stage a line, names as declared, comments where they were. Values stay as they
 * were written, so it means the same. Text that does not parse is given back untouched.
 */
export function format(text: string, commands: readonly CommandDeclaration[]): string {
  const problems = new Problems(positionsOf(text))
  const stages = parse(text, problems)
  if (problems.any) return text
  const index = indexOf(commands)
  const printer = new Printer(text)
  for (const stage of stages) {
    const declaration =
      stage.command?.style === 'bare' ? index.get(stage.command.raw.toLowerCase()) : undefined
    printer.stage(stage, declaration)
  }
  return printer.out
}

const CONTINUED = '\n   '

class Printer {
  out = ''
  readonly #text: string
  /** End of what was printed last, in the source. */
  #end = 0

  constructor(text: string) {
    this.#text = text
  }

  stage(stage: StageSyntax, declaration: CommandDeclaration | undefined): void {
    const { items, pipe } = stage
    if (pipe) {
      this.out += `${this.out === '' ? '' : '\n'}||`
      this.#end = pipe.span.offset + pipe.span.length
    }
    const flags = new Map(bind(items, declaration).flags.map(it => [it.flag, it]))
    const first = items.findIndex(item => item.kind !== 'comment')
    const last = items.findLastIndex(item => item.kind !== 'comment')
    for (const [i, item] of items.entries()) {
      const leading = i <= first
      if (!isJoined(items[i - 1], item, flags))
        this.out += this.#separator(items[i - 1], item, leading, i > last, pipe !== undefined)
      this.out += this.#written(item, stage, declaration, flags)
      this.#end = item.span.offset + item.span.length
    }
  }

  /** Line breaks are kept only around comments, and not between a `||` and its command. */
  #separator(
    previous: Item | undefined,
    item: Item,
    leading: boolean,
    trailing: boolean,
    piped: boolean,
  ): string {
    if (this.out === '') return ''
    const beside = item.kind === 'comment' || previous?.kind === 'comment'
    if (!beside || !/[\r\n]/.test(this.#text.slice(this.#end, item.span.offset))) return ' '
    if (leading) return piped ? ' ' : '\n'
    return trailing ? '\n' : CONTINUED
  }

  #written(
    item: Item,
    stage: StageSyntax,
    declaration: CommandDeclaration | undefined,
    flags: ReadonlyMap<FlagName, BoundFlag>,
  ): string {
    if (item === stage.command && declaration) return declaration.name
    if (item.kind === 'flag') return flagText(item, flags.get(item))
    return source(this.#text, item.span)
  }
}

/** A value that directly follows the `=` of its flag. */
function isJoined(previous: Item | undefined, item: Item, flags: ReadonlyMap<FlagName, BoundFlag>): boolean {
  if (previous?.kind !== 'flag') return false
  const bound = flags.get(previous)
  return bound !== undefined && bound.word === item && keepsEquals(bound)
}

const source = (text: string, { offset, length }: Span): string => text.slice(offset, offset + length)

function flagText(flag: FlagName, bound: BoundFlag | undefined): string {
  const declared = bound?.parameter?.name
  const name = declared && !declared.endsWith('.*') ? declared : flag.name
  const equals = flag.equals && (!bound?.word || keepsEquals(bound))
  return `--${name}${equals ? '=' : ''}`
}

/** Where a space instead of `=` would change the meaning: unknown flags, `--x=--y`, `--x=/*…`, a boolean's odd value. */
function keepsEquals({ flag, parameter, word }: BoundFlag): boolean {
  if (!flag.equals || !word) return false
  if (!parameter) return true
  if (parameter.type === 'boolean') return !isBareBoolean(word)
  return word.style === 'bare' && /^(?:--|\/\*)/.test(word.raw)
}

const isBareBoolean = (word: Word): boolean => word.style === 'bare' && /^(?:true|false)$/i.test(word.raw)

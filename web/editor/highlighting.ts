import { type Extension, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { argumentAt, bind } from '../../src/language/binding.ts'
import { indexOf } from '../../src/language/command-index.ts'
import type { CommandDeclaration, Parameter } from '../../src/language/declaration.ts'
import { lexExpression } from '../../src/language/expression/lexer.ts'
import type { Word } from '../../src/language/lexer.ts'
import { parse, type StageSyntax } from '../../src/language/parser.ts'
import { positionsOf } from '../../src/language/positions.ts'
import { Problems } from '../../src/language/problems.ts'
import { tokenEnd } from '../../src/language/tokens.ts'

const COLOURS = [
  'command',
  'unknown',
  'flag',
  'string',
  'number',
  'token',
  'comment',
  'pipe',
  'path',
  'operator',
  'call',
] as const
type Colour = (typeof COLOURS)[number]

interface Mark {
  readonly from: number
  readonly to: number
  readonly colour: Colour
}

/** A text longer than this is shown without colours: nobody reads it, and every key would cost. */
const LONGEST = 100_000
const NUMBER = /^-?\d+(?:\.\d+)?$/
const WORD_OPERATOR =
  /^(?:and|or|not|in|between|like|contains|startswith|endswith|is|null|true|false|as|by)$/i

/** What each stretch of a query is, by the language's own parser. */
function marksOf(text: string, commands: readonly CommandDeclaration[]): Mark[] {
  if (text.length > LONGEST) return []
  const stages = parse(text, new Problems(positionsOf(text)))
  return stages.flatMap(stage => stageMarks(text, stage, commands)).sort((a, b) => a.from - b.from)
}

function stageMarks(text: string, stage: StageSyntax, commands: readonly CommandDeclaration[]): Mark[] {
  const marks: Mark[] = []
  const add = (from: number, to: number, colour: Colour) => {
    if (to > from) marks.push({ from, to, colour })
  }
  const declaration = stage.command && indexOf(commands).get(stage.command.raw.toLowerCase())
  const parameters = parametersOf(stage, declaration)
  if (stage.pipe) add(stage.pipe.span.offset, stage.pipe.span.offset + 2, 'pipe')
  for (const item of stage.items) {
    const { offset, length } = item.span
    if (item.kind === 'comment') add(offset, offset + length, 'comment')
    else if (item.kind === 'flag') add(offset, offset + length, 'flag')
    else if (item === stage.command) add(offset, offset + length, declaration ? 'command' : 'unknown')
    else wordMarks(text, item, parameters.get(item), add)
  }
  return marks
}

type Add = (from: number, to: number, colour: Colour) => void

/** Which parameter each word is the value of. */
function parametersOf(
  stage: StageSyntax,
  declaration: CommandDeclaration | undefined,
): ReadonlyMap<Word, Parameter> {
  const found = new Map<Word, Parameter>()
  if (!declaration) return found
  const { words, flags } = bind(stage.items, declaration)
  for (const [index, word] of words.entries()) {
    const parameter = argumentAt(declaration, index)
    if (parameter) found.set(word, parameter)
  }
  for (const { word, parameter } of flags) if (word && parameter) found.set(word, parameter)
  return found
}

function wordMarks(text: string, word: Word, parameter: Parameter | undefined, add: Add): void {
  const start = word.span.offset
  const end = start + word.span.length
  if (word.style !== 'bare' && (parameter?.type === 'expression' || parameter?.type === 'aggregates')) {
    add(start, word.inner, 'string')
    expressionMarks(word, add)
    add(word.inner + word.raw.length, end, 'string')
    return
  }
  const rest =
    word.style !== 'bare'
      ? 'string'
      : NUMBER.test(word.raw)
        ? 'number'
        : parameter?.type === 'path' || parameter?.type === 'column'
          ? 'path'
          : undefined
  let from = start
  if (word.style !== 'fence')
    for (const [open, close] of tokensIn(text, start, end)) {
      if (rest) add(from, open, rest)
      add(open, close, 'token')
      from = close
    }
  if (rest) add(from, end, rest)
}

function* tokensIn(text: string, start: number, end: number): Generator<[number, number]> {
  for (let at = start; at < end; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '$') {
      const close = tokenEnd(text, at)
      if (close <= at || close > end) continue
      yield [at, close]
      at = close - 1
    }
  }
}

function expressionMarks(word: Word, add: Add): void {
  const { lexemes } = lexExpression(word.raw, offset => offset)
  for (const [index, lexeme] of lexemes.entries()) {
    const from = word.inner + lexeme.start
    const to = word.inner + lexeme.end
    if (lexeme.kind === 'string' || lexeme.kind === 'number' || lexeme.kind === 'token')
      add(from, to, lexeme.kind)
    else if (lexeme.kind === 'operator') add(from, to, 'operator')
    else if (lexeme.kind === 'path') {
      const next = lexemes[index + 1]
      const called = next?.kind === 'operator' && next.text === '('
      add(from, to, called ? 'call' : WORD_OPERATOR.test(lexeme.text) ? 'operator' : 'path')
    }
  }
}

const decorations = Object.fromEntries(
  COLOURS.map(colour => [colour, Decoration.mark({ class: `fq-${colour}` })]),
) as Record<Colour, Decoration>

function decorate(text: string, commands: readonly CommandDeclaration[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  for (const { from, to, colour } of marksOf(text, commands)) builder.add(from, to, decorations[colour])
  return builder.finish()
}

/** The declarations of the commands arrived: the colours and everything else that depends on them are made anew. */
export const setCommands = StateEffect.define<readonly CommandDeclaration[]>()

export const commandsField = StateField.define<readonly CommandDeclaration[]>({
  create: () => [],
  update: (value, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setCommands)) return effect.value
    return value
  },
})

const colours = StateField.define<DecorationSet>({
  create: state => decorate(state.doc.toString(), state.field(commandsField)),
  update: (value, transaction) =>
    transaction.docChanged || transaction.effects.some(effect => effect.is(setCommands))
      ? decorate(transaction.state.doc.toString(), transaction.state.field(commandsField))
      : value,
  provide: field => EditorView.decorations.from(field),
})

export const highlighting: Extension = [commandsField, colours]

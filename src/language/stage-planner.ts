import { checkCount } from './argument-count.ts'
import { argumentAt, type Binding, type BoundFlag, splitList, splitsWords } from './binding.ts'
import type { CommandDeclaration, Parameter, ValueType } from './declaration.ts'
import type { GivenArgument, GivenFlag, StageDraft } from './draft.ts'
import { readWord, type Source, sliceSource } from './escapes.ts'
import type { Word } from './lexer.ts'
import * as messages from './messages.ts'
import { nearest } from './nearest.ts'
import type { StageSyntax } from './parser.ts'
import type { Stage } from './plan.ts'
import type { Positions } from './positions.ts'
import type { Problems } from './problems.ts'
import { type Knowledge, readValue, type ValueContext } from './read-value.ts'
import type { StageNames } from './stage-names.ts'
import { literalText } from './tokens.ts'
import { EXPAND_FLAGS, flagsOf, parseCheckpoint } from './universal.ts'
import type { Value } from './values.ts'
import { parameterName } from './wording.ts'

export interface StageContext {
  readonly declaration: CommandDeclaration
  readonly problems: Problems
  readonly stages: StageNames
  readonly knows?: Knowledge | undefined
  readonly first: boolean
}

/** A stage checked against its command's declaration. */
export function draftStage(
  syntax: StageSyntax,
  binding: Binding,
  context: StageContext,
  positions: Positions,
): StageDraft {
  const { declaration, problems } = context
  const before = problems.list.length
  const sure = checkCount(binding, syntax.command!, declaration, problems)
  const args = binding.words
    .slice(0, sure)
    .map((word, index) => readArgument(word, argumentAt(declaration, index), context))
  const flags = readFlags(binding.flags, context)
  const place = { ...positions.at(syntax.span.offset), index: syntax.index, span: syntax.span }
  const sound = problems.list.length === before
  return finishDraft({ ...place, name: declaration.name, declaration, args, flags }, sound)
}

/** Puts the values of a draft together as the stage that runs. */
export function finishDraft(
  draft: StageDraft & { readonly declaration: CommandDeclaration },
  sound: boolean,
): StageDraft {
  const label = labelOf(draft.flags)
  const labelled = label === undefined ? draft : { ...draft, label }
  if (!sound) return labelled
  const { index, line, column, span, declaration } = draft
  const stage: Stage = {
    index,
    ...(label !== undefined && { label }),
    declaration,
    args: collect(draft.args),
    flags: collect(draft.flags),
    line,
    column,
    span,
  }
  return { ...labelled, stage }
}

/** A stage of which only the words are known: nothing is checked, every value stays as it was written. */
export function draftLoosely(
  syntax: StageSyntax,
  binding: Binding,
  declaration: CommandDeclaration | undefined,
  positions: Positions,
): StageDraft {
  const flags = binding.flags.map(({ flag, parameter, word }) => ({
    name: nameOf(flag.name, parameter),
    ...(parameter && { parameter }),
    span: flag.span,
    ...(word && { source: readWord(word, parameter?.type ?? 'text') }),
  }))
  const label = labelOf(flags)
  return {
    index: syntax.index,
    name: declaration?.name ?? syntax.command?.raw ?? '',
    ...(declaration && { declaration }),
    ...(label !== undefined && { label }),
    args: binding.words.map((word, index) => {
      const parameter = declaration && argumentAt(declaration, index)
      return { ...(parameter && { parameter }), source: readWord(word, parameter?.type ?? 'text') }
    }),
    flags,
    ...positions.at(syntax.span.offset),
    span: syntax.span,
  }
}

function labelOf(flags: readonly GivenFlag[]): string | undefined {
  return flags.find(flag => flag.name.toLowerCase() === 'labelstage')?.source?.text
}

/** What a value is read by. */
export class ValueReading implements ValueContext {
  readonly command: CommandDeclaration
  readonly parameter: Parameter
  readonly first: boolean
  readonly problems: Problems
  readonly stages: StageNames
  readonly knows: Knowledge | undefined
  readonly #isFlag: boolean

  constructor(context: StageContext, parameter: Parameter, isFlag: boolean) {
    this.command = context.declaration
    this.parameter = parameter
    this.first = context.first
    this.problems = context.problems
    this.stages = context.stages
    this.knows = context.knows
    this.#isFlag = isFlag
  }

  owner(): string {
    const { parameter, command } = this
    return this.#isFlag ? `--${parameter.name}` : `${parameterName(parameter)} of ${command.name}`
  }
}

function readArgument(word: Word, parameter: Parameter | undefined, context: StageContext): GivenArgument {
  if (!parameter) return { source: readWord(word, 'text') }
  const source = readWord(word, parameter.type)
  if (word.style === 'bare' && hasComma(source, parameter.type)) {
    context.problems.report(word.span, messages.commaInPath(source.text, parameter.repeated === true))
    return { parameter, source }
  }
  return given(source, new ValueReading(context, parameter, false))
}

/** `table a, b` is how SQL lists columns; here it would look for a column called `a,`. */
const hasComma = (source: Source, type: ValueType): boolean =>
  (type === 'path' || type === 'column') && source.tokens.length === 0 && /^[^`]*,/.test(source.text)

function given(source: Source, context: ValueContext): GivenArgument & { readonly parameter: Parameter } {
  const value = readValue(source, context)
  return { parameter: context.parameter, source, ...(value && { value }) }
}

function readFlags(flags: readonly BoundFlag[], context: StageContext): GivenFlag[] {
  const seen = new Set<string>()
  return flags.flatMap(bound => {
    const { flag, parameter } = bound
    if (!parameter) {
      reportUnknownFlag(bound, context)
      return [{ name: flag.name, span: flag.span }]
    }
    const name = nameOf(flag.name, parameter)
    if (seen.has(name) && !parameter.repeated)
      context.problems.report(flag.span, messages.repeatedFlag(parameter))
    seen.add(name)
    return readFlag(bound, named(parameter, name), parameter, context)
  })
}

/** A parameter under the name that messages should call it by. */
export const named = (parameter: Parameter, name: string): Parameter =>
  parameter.name === name ? parameter : { ...parameter, name }

/** The name as declared, except that `template.*` stands for a name that only the query knows. */
const nameOf = (written: string, parameter: Parameter | undefined): string =>
  parameter && !parameter.name.endsWith('.*') ? parameter.name : written

function readFlag(
  { flag, word }: BoundFlag,
  parameter: Parameter,
  declared: Parameter,
  context: StageContext,
): GivenFlag[] {
  const { name } = parameter
  const { span } = flag
  const base = { name, parameter: declared, span }
  if (!word) {
    if (flag.equals) context.problems.report(span, messages.emptyFlagValue(`--${name}`))
    else if (parameter.type === 'boolean') return [{ ...base, value: { type: 'boolean', value: true, span } }]
    else context.problems.report(span, messages.missingFlagValue(parameter))
    return [base]
  }
  const source = readWord(word, parameter.type)
  const reading = new ValueReading(context, parameter, true)
  return readFlagValues(source, reading).map(it => ({ ...base, ...it, parameter: declared }))
}

/** The values in one word of a flag: several where a list may be written as one word. */
export function readFlagValues(source: Source, context: ValueContext): GivenArgument[] {
  const { parameter, problems } = context
  if (!splitsWords(parameter)) {
    const read = given(source, context)
    if (parameter.name === 'checkpoint') checkCheckpoint(read.value, problems)
    return [read]
  }
  const places = splitList(source.text)
  if (places.length === 0) problems.report(source.span, messages.missingFlagValue(parameter))
  return places.map(({ start, end }) => given(sliceSource(source, start, end), context))
}

function checkCheckpoint(value: Value | undefined, problems: Problems): void {
  const text = value?.type === 'text' ? literalText(value.template) : undefined
  if (value && text !== undefined && !parseCheckpoint(text))
    problems.report(value.span, messages.badCheckpoint(text))
}

function reportUnknownFlag({ flag }: BoundFlag, { declaration, problems }: StageContext): void {
  problems.report(flag.span, unknownFlag(flag.name, declaration))
}

export function unknownFlag(name: string, declaration: CommandDeclaration): messages.Message {
  const names = flagsOf(declaration).map(known => known.name)
  const expandOnly = EXPAND_FLAGS.some(flag => flag.name.toLowerCase() === name.toLowerCase())
  return messages.unknownFlag(declaration, `--${name}`, nearest(name, names), expandOnly)
}

interface NamedValue {
  readonly name?: string
  readonly parameter?: Parameter
  readonly value?: Value
}

function collect(values: readonly NamedValue[]): Record<string, Value | Value[]> {
  const byName: Record<string, Value | Value[]> = {}
  for (const { name, parameter, value } of values) {
    if (!parameter || !value) continue
    const key = name ?? parameter.name
    if (!parameter.repeated) byName[key] = value
    else {
      const list = byName[key]
      if (Array.isArray(list)) list.push(value)
      else byName[key] = [value]
    }
  }
  return byName
}

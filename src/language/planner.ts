import { type Binding, bind } from './binding.ts'
import { indexOf } from './command-index.ts'
import type { CommandDeclaration } from './declaration.ts'
import type { Diagnostic } from './diagnostics.ts'
import type { StageDraft } from './draft.ts'
import * as messages from './messages.ts'
import { nearest } from './nearest.ts'
import { parse, type StageSyntax } from './parser.ts'
import type { Plan, Stage } from './plan.ts'
import { type Positions, positionsOf } from './positions.ts'
import { Problems } from './problems.ts'
import type { Knowledge } from './read-value.ts'
import type { StageNames } from './stage-names.ts'
import { draftLoosely, draftStage, type StageContext } from './stage-planner.ts'
import { isLabel } from './universal.ts'

export interface PlanOptions {
  readonly commands: readonly CommandDeclaration[]
  /** Stop after the syntax: names and types are not checked, and there is no plan. */
  readonly syntaxOnly?: boolean
  readonly knows?: Knowledge
}

export interface Planned {
  readonly query: string
  /** Null when anything is wrong, or when only the syntax was asked for. */
  readonly plan: Plan | null
  readonly diagnostics: readonly Diagnostic[]
  /** All stages, also those with mistakes in them. */
  readonly stages: readonly StageDraft[]
}

/** Text to a checked plan, with everything that is wrong with it. Throws on no input. */
export function plan(text: string, options: PlanOptions): Planned {
  const positions = positionsOf(text)
  const problems = new Problems(positions)
  const syntax = parse(text, problems)
  const bound = bindStages(syntax, options.commands, problems)
  const stages = options.syntaxOnly
    ? bound.map(it => draftLoosely(it.syntax, it.binding, it.declaration, positions))
    : draftAll(bound, options, problems, positions)
  const whole = !options.syntaxOnly && !problems.any
  const complete = stages.map(draft => draft.stage).filter((stage): stage is Stage => stage !== undefined)
  return {
    query: text,
    plan: whole ? { query: text, stages: complete } : null,
    diagnostics: problems.sorted(),
    stages,
  }
}

interface BoundStage {
  readonly syntax: StageSyntax
  readonly declaration: CommandDeclaration | undefined
  readonly binding: Binding
  /** Its text itself is broken: what the words of such a stage mean is anybody's guess. */
  readonly broken: boolean
}

function bindStages(
  stages: readonly StageSyntax[],
  commands: readonly CommandDeclaration[],
  problems: Problems,
): BoundStage[] {
  const index = indexOf(commands)
  const places = problems.list.map(it => it.offset)
  return stages.map(syntax => {
    const { offset, length } = syntax.span
    const declaration =
      syntax.command?.style === 'bare' ? index.get(syntax.command.raw.toLowerCase()) : undefined
    return {
      syntax,
      declaration,
      binding: bind(syntax.items, declaration),
      broken: places.some(place => place >= offset && place <= offset + length),
    }
  })
}

function draftAll(
  bound: readonly BoundStage[],
  options: PlanOptions,
  problems: Problems,
  positions: Positions,
): StageDraft[] {
  const labels = collectLabels(bound, problems)
  return bound.map((it, index) => {
    const names: StageNames = { current: index, count: bound.length, labels }
    const { declaration } = it
    if (!declaration) reportUnknown(it.syntax, bound[index - 1], options.commands, problems)
    if (!declaration || it.broken) return draftLoosely(it.syntax, it.binding, declaration, positions)
    if (index === 0 && declaration.kind === 'reduce' && !declaration.startsFromEmptyRow)
      problems.report(it.syntax.command!.span, messages.reduceFirst(declaration))
    const context: StageContext = {
      declaration,
      problems,
      stages: names,
      knows: options.knows,
      first: index === 0,
    }
    return draftStage(it.syntax, it.binding, context, positions)
  })
}

function collectLabels(bound: readonly BoundStage[], problems: Problems): ReadonlyMap<string, number> {
  const labels = new Map<string, number>()
  for (const [index, { binding }] of bound.entries()) {
    const word = binding.flags.find(it => it.flag.name.toLowerCase() === 'labelstage')?.word
    if (!word) continue
    const other = labels.get(word.raw)
    if (!isLabel(word.raw)) problems.report(word.span, messages.badLabel(word.raw))
    else if (other !== undefined) problems.report(word.span, messages.duplicateLabel(word.raw, other))
    else labels.set(word.raw, index)
  }
  return labels
}

function reportUnknown(
  { command }: StageSyntax,
  previous: BoundStage | undefined,
  commands: readonly CommandDeclaration[],
  problems: Problems,
): void {
  if (!command) return
  const index = indexOf(commands)
  if (command.style !== 'bare') {
    const known = index.get(command.raw.toLowerCase())
    problems.report(command.span, messages.quotedCommand(known?.name ?? '', known !== undefined))
    return
  }
  const near = nearest(command.raw, index.keys())
  const name = near === undefined ? undefined : index.get(near)!.name
  const afterExpression =
    previous?.declaration?.arguments.at(-1)?.type === 'expression' &&
    previous.binding.words.at(-1)?.style === 'bare'
  problems.report(command.span, messages.unknownCommand(command.raw, name, afterExpression))
}

import type { Span } from './diagnostics.ts'
import { type Comment, type FlagName, type Lexeme, lex, type Pipe, type Word } from './lexer.ts'
import * as messages from './messages.ts'
import type { Problems } from './problems.ts'

/** A stage as written. Which words a flag takes is not known yet: that is for the command's declaration to say. */
export interface StageSyntax {
  readonly index: number
  /** Absent where the stage does not begin with a word. */
  readonly command?: Word
  /** Words, flags and comments in order, the command among them. */
  readonly items: readonly Item[]
  /** From the first to the last item; comments at either end are left out. */
  readonly span: Span
  /** The `||` before it. */
  readonly pipe?: Pipe
}

export type Item = Word | FlagName | Comment

/** Text to stages. Every stage is read, whatever is wrong with the others. */
export function parse(text: string, problems: Problems): StageSyntax[] {
  const groups = split(lex(text, problems))
  const stages = groups.map((group, index) => stageOf(group, index))
  reportEmpty(stages, groups, text, problems)
  for (const stage of stages) reportStart(stage, problems)
  return stages
}

interface Group {
  readonly pipe?: Pipe
  readonly items: Item[]
}

function split(lexemes: readonly Lexeme[]): Group[] {
  const groups: Group[] = [{ items: [] }]
  for (const lexeme of lexemes) {
    if (lexeme.kind === 'pipe') groups.push({ pipe: lexeme, items: [] })
    else groups.at(-1)!.items.push(lexeme)
  }
  return groups
}

function stageOf(group: Group, index: number): StageSyntax {
  const written = group.items.filter(item => item.kind !== 'comment')
  const [first] = written
  const last = written.at(-1)
  const offset = first?.span.offset ?? (group.pipe ? group.pipe.span.offset + 2 : 0)
  const end = last ? last.span.offset + last.span.length : offset
  return {
    index,
    ...(first?.kind === 'word' && { command: first }),
    items: group.items,
    span: { offset, length: end - offset },
    ...(group.pipe && { pipe: group.pipe }),
  }
}

const isEmpty = (stage: StageSyntax | undefined): boolean => stage?.span.length === 0

function reportEmpty(
  stages: readonly StageSyntax[],
  groups: readonly Group[],
  text: string,
  problems: Problems,
): void {
  if (stages.length === 1 && isEmpty(stages[0])) {
    const length = groups[0]!.items.length > 0 ? 0 : text.length
    problems.report({ offset: 0, length }, messages.emptyQuery())
    return
  }
  for (const stage of stages) {
    if (!isEmpty(stage)) continue
    // Between two pipes the second one is the odd one out; at the end there is only the one before.
    const next = stages[stage.index + 1]?.pipe
    if (next) problems.report(next.span, messages.emptyStage('before'))
    else if (stage.pipe) problems.report(stage.pipe.span, messages.emptyStage('after'))
  }
}

function reportStart(stage: StageSyntax, problems: Problems): void {
  const first = stage.items.find(item => item.kind !== 'comment')
  if (first?.kind === 'flag') problems.report(first.span, messages.flagBeforeCommand(`--${first.name}`))
}

import type { Binding } from './binding.ts'
import type { CommandDeclaration, Parameter } from './declaration.ts'
import type { Span } from './diagnostics.ts'
import type { Word } from './lexer.ts'
import * as messages from './messages.ts'
import type { Problems } from './problems.ts'
import { inQuotes } from './wording.ts'

/**
 * Too few, too many, or not in pairs; and what a person most likely meant by too many. Gives the number of words that
 * are surely the arguments they stand for: an expression that was not quoted is in pieces, none of which is one.
 */
export function checkCount(
  binding: Binding,
  command: Word,
  declaration: CommandDeclaration,
  problems: Problems,
): number {
  const { words, uncertain } = binding
  const all = declaration.arguments
  if (uncertain) return words.length
  const missing = all[words.length]
  if (missing && !missing.optional)
    problems.report(command.span, messages.missingArgument(declaration, missing))
  const last = all.at(-1)
  if (last?.repeated) checkMultiple(words.length - all.length + 1, last, command.span, declaration, problems)
  else if (words.length > all.length) return reportSurplus(binding, declaration, problems)
  return words.length
}

function checkMultiple(
  count: number,
  parameter: Parameter,
  span: Span,
  declaration: CommandDeclaration,
  problems: Problems,
): void {
  if (count > 0 && parameter.multipleOf !== undefined && count % parameter.multipleOf !== 0)
    problems.report(span, messages.notMultiple(declaration, parameter, count))
}

function reportSurplus(binding: Binding, declaration: CommandDeclaration, problems: Problems): number {
  const { words, flags } = binding
  const count = declaration.arguments.length
  const surplus = words[count]!
  const run = words.slice(Math.max(0, count - 1))
  const last = declaration.arguments.at(-1)
  if (last && isProse(last) && run[0]!.style === 'bare' && adjacent(run, flags)) {
    reportUnquoted(run, last, declaration, problems)
    return count - 1
  }
  problems.report(surplus.span, surplusMessage(surplus, binding, declaration))
  return count
}

function surplusMessage(
  surplus: Word,
  { words, flags }: Binding,
  declaration: CommandDeclaration,
): messages.Message {
  const before = flags.findLast(it => follows(surplus, it.word ?? it.flag, words))
  if (before?.parameter?.repeated && before.word) {
    const all = inQuotes(`${before.word.raw} ${surplus.raw}`)
    return messages.valueAfterList(declaration, surplus.raw, before.parameter.name, all)
  }
  if (before?.parameter?.type === 'boolean' && !before.word)
    return messages.valueAfterSwitch(declaration, surplus.raw, before.parameter.name)
  return messages.tooManyArguments(declaration, surplus.raw)
}

const PROSE = new Set([
  'text',
  'template',
  'regex',
  'expression',
  'aggregates',
  'javascript',
  'sql',
  'graphql',
  'css',
  'json',
])

/** What people forget to quote. */
const isProse = (parameter: Parameter): boolean => PROSE.has(parameter.type)

/** No flag stands between the words. */
function adjacent(words: readonly Word[], flags: Binding['flags']): boolean {
  const from = words[0]!.span.offset
  const to = words.at(-1)!.span.offset
  return !flags.some(({ flag }) => flag.span.offset > from && flag.span.offset < to)
}

function reportUnquoted(
  words: readonly Word[],
  parameter: Parameter,
  declaration: CommandDeclaration,
  problems: Problems,
): void {
  const offset = words[0]!.span.offset
  const last = words.at(-1)!.span
  const span = { offset, length: last.offset + last.length - offset }
  // `eval total = price * 2` is how most languages write it.
  const meant = words[0]!.raw === '=' ? words.slice(1) : words
  problems.report(span, messages.unquotedText(declaration, parameter, inQuotes(meant.map(written).join(' '))))
}

const QUOTES = { bare: '', single: "'", double: '"', fence: '```' } as const
const written = ({ raw, style }: Word): string => QUOTES[style] + raw + QUOTES[style]

/** Whether a word stands after a flag's value with no argument in between. */
function follows(word: Word, value: Pick<Word, 'span'>, words: readonly Word[]): boolean {
  const from = value.span.offset
  const to = word.span.offset
  return from < to && !words.some(it => it.span.offset > from && it.span.offset < to)
}

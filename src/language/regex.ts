import { RE2JS } from 're2js'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'
import { re2Pattern } from './re2.ts'
import { shorten } from './wording.ts'

export interface RegexProblem {
  readonly message: Message
  /** Where in the pattern, as far as it is known. */
  readonly offset: number
  readonly length: number
}

/** Compiling costs fifty microseconds, and an editor asks on every key: what was found out is kept. */
const checked = new Map<string, RegexProblem | null>()
const KEPT = 500

/** What is wrong with a regular expression, or null. RE2 decides, because RE2 will run it. */
export function checkRegex(pattern: string): RegexProblem | null {
  const known = checked.get(pattern)
  if (known !== undefined) return known
  const problem = examine(pattern)
  if (checked.size >= KEPT) checked.clear()
  checked.set(pattern, problem)
  return problem
}

/** A value as a regular expression that matches just it. */
export const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function examine(pattern: string): RegexProblem | null {
  const unsupported = findUnsupported(pattern)
  if (unsupported) return unsupported
  try {
    RE2JS.compile(re2Pattern(pattern))
    return null
  } catch (error) {
    const { description, part } = explain(error)
    const offset = part === '' ? -1 : pattern.lastIndexOf(part)
    const place = offset < 0 ? { offset: 0, length: pattern.length } : { offset, length: part.length }
    return { message: messages.badRegex(description), ...place }
  }
}

const UNSUPPORTED = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]?|\(\?(?:<?[=!]|>|\()/g

/** Look-around and back-references are what people bring from elsewhere, so they are told apart from plain mistakes. */
function findUnsupported(pattern: string): RegexProblem | null {
  for (const match of pattern.matchAll(UNSUPPORTED)) {
    const [found] = match
    const place = { offset: match.index, length: found.length }
    if (/^\\(?:[1-9]|k)/.test(found)) return { ...place, message: messages.backReference(found) }
    if (/^\(\?<?[=!]/.test(found)) return { ...place, message: messages.lookAround(found) }
    if (found === '(?>') return { ...place, message: messages.atomicGroup() }
  }
  return null
}

function explain(error: unknown): { description: string; part: string } {
  const text = error instanceof Error ? error.message : String(error)
  const match = /^error parsing regexp: (.*?)(?:: `([\s\S]*)`)?$/s.exec(text)
  const part = (match?.[2] ?? '').replaceAll('(?P<', '(?<')
  const said = match?.[1] ?? text
  return { description: PLAIN_WORDS[said]?.(shorten(part)) ?? said, part }
}

const PLAIN_WORDS: Readonly<Record<string, (part: string) => string>> = {
  'missing closing ]': () => 'this [ is never closed',
  'missing closing )': () => 'a ( is never closed',
  'unexpected )': () => 'a ) closes nothing',
  'missing argument to repetition operator': part => `there is nothing to repeat before ${part}`,
  'invalid nested repetition operator': part => `${part} repeats a repetition`,
  'invalid repeat count': part => `${part} is out of order, or more than 1000 in all`,
  'invalid character class range': part => `there is no range or class ${part}`,
  'invalid escape sequence': part => `there is no escape ${part}`,
  'invalid named capture': part => `a named group is written (?<name>…), not ${part}`,
  'duplicate capture group name': part => `two groups share the name ${part}`,
  'trailing backslash at end of expression': () => 'it ends in a single backslash',
  'invalid or unsupported Perl syntax': part => `RE2 has nothing like ${part}`,
}

import { checkCount } from './argument-count.ts'
import { argumentAt, findFlag, splitsWords } from './binding.ts'
import { indexOf } from './command-index.ts'
import type { CommandDeclaration, Parameter } from './declaration.ts'
import type { Diagnostic, Span } from './diagnostics.ts'
import type { GivenArgument, GivenFlag } from './draft.ts'
import { familyOf, type PlacedToken, type Source, templateOf } from './escapes.ts'
import { type Json, stringifyJson } from './json.ts'
import { arrayOf, objectOf } from './lenient-json.ts'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'
import { nearest } from './nearest.ts'
import type { CommandDocument, Stage } from './plan.ts'
import { Problems } from './problems.ts'
import { type Knowledge, readValue } from './read-value.ts'
import {
  finishDraft,
  named,
  readFlagValues,
  type StageContext,
  unknownFlag,
  ValueReading,
} from './stage-planner.ts'
import { scanToken } from './tokens.ts'
import type { JsonTemplate } from './values.ts'

export interface DocumentOptions {
  /** Rows of another query come before, so commands that need input may run. */
  readonly hasInput?: boolean
  readonly knows?: Knowledge
}

/** A command as it was posted, checked like a stage of a query. Its places are all the start of its line. */
export function fromDocument(
  document: CommandDocument,
  commands: readonly CommandDeclaration[],
  options: DocumentOptions = {},
): { readonly stage: Stage | null; readonly diagnostics: readonly Diagnostic[] } {
  const reports: Message[] = []
  const problems = new DocumentProblems(document.line, reports)
  const stage = build(document, commands, options, problems)
  const diagnostics = reports.map(message => ({
    ...message,
    line: document.line,
    column: 1,
    offset: 0,
    length: 0,
  }))
  return { stage: diagnostics.length === 0 ? (stage ?? null) : null, diagnostics }
}

/** Everything stands at the same place, so here two problems at one place are two problems. */
class DocumentProblems extends Problems {
  readonly #reports: Message[]

  constructor(line: number, reports: Message[]) {
    super({ at: () => ({ line, column: 1 }) })
    this.#reports = reports
  }

  override report(_span: Span, message: Message): void {
    this.#reports.push(message)
  }
}

const NOWHERE: Span = { offset: 0, length: 0 }

function build(
  document: CommandDocument,
  commands: readonly CommandDeclaration[],
  options: DocumentOptions,
  problems: Problems,
): Stage | undefined {
  const index = indexOf(commands)
  const declaration = index.get(document.command.toLowerCase())
  if (!declaration) {
    const near = nearest(document.command, index.keys())
    problems.report(NOWHERE, messages.unknownCommand(document.command, near, false))
    return undefined
  }
  const first = options.hasInput !== true
  if (first && declaration.kind === 'reduce' && !declaration.startsFromEmptyRow)
    problems.report(NOWHERE, messages.reduceFirst(declaration))
  const stages = { current: 0, count: 1, labels: new Map<string, number>() }
  const context: StageContext = { declaration, problems, stages, knows: options.knows, first }
  const args = readArguments(document.args, context)
  const flags = Object.entries(document.flags).flatMap(([name, value]) =>
    readFlag(name, value as Json, context),
  )
  const place = { index: 0, line: document.line, column: 1, span: NOWHERE }
  return finishDraft({ ...place, name: declaration.name, declaration, args, flags }, true).stage
}

function readArguments(args: CommandDocument['args'], context: StageContext): GivenArgument[] {
  const { declaration, problems } = context
  const words = args.map(parts => {
    const raw = parts.join('')
    return { kind: 'word', style: 'double', raw, inner: 0, span: NOWHERE } as const
  })
  const command = { kind: 'word', style: 'bare', raw: declaration.name, inner: 0, span: NOWHERE } as const
  checkCount({ words, flags: [], uncertain: false }, command, declaration, problems)
  return args.flatMap((parts, index) => {
    const parameter = argumentAt(declaration, index)
    if (!parameter) return []
    const source = fromParts(parts)
    const value = readValue(source, new ValueReading(context, parameter, false))
    return [{ parameter, source, ...(value && { value }) }]
  })
}

/** `["https://a.b/", "$page$", "\\$"]`: a part is a token, a dollar, or text. */
function fromParts(parts: readonly string[]): Source {
  let text = ''
  const tokens: PlacedToken[] = []
  for (const part of parts) {
    const found = part.startsWith('$') ? scanToken(part, 0, () => 0) : undefined
    const start = text.length
    text += part === '\\$' ? '$' : part
    if (found?.end === part.length) tokens.push({ start, end: text.length, token: found.token })
  }
  return sourceOf(text, tokens)
}

const sourceOf = (text: string, tokens: readonly PlacedToken[]): Source => ({
  text,
  tokens,
  span: NOWHERE,
  takesTokens: true,
  at: () => 0,
})

function readFlag(name: string, value: Json, context: StageContext): GivenFlag[] {
  const { declaration, problems } = context
  const declared = findFlag(declaration, name)
  if (!declared) {
    problems.report(NOWHERE, unknownFlag(name, declaration))
    return []
  }
  const canonical = declared.name.endsWith('.*') ? name : declared.name
  const parameter = named(declared, canonical)
  const values = declared.repeated && Array.isArray(value) ? (value as readonly Json[]) : [value]
  const reading = new ValueReading(context, parameter, true)
  return values.flatMap(item => {
    const source = fromFlag(item, parameter)
    // In a list each value is one already; a plain string is split as a word would be.
    const read =
      Array.isArray(value) && splitsWords(parameter)
        ? [readOne(source, parameter, context)]
        : readFlagValues(source, reading)
    return read.map(it => ({ ...it, name: canonical, parameter: declared, span: NOWHERE }))
  })
}

function readOne(source: Source, parameter: Parameter, context: StageContext): GivenArgument {
  const value = readValue(source, new ValueReading(context, parameter, true))
  return { parameter, source, ...(value && { value }) }
}

function fromFlag(value: Json, parameter: Parameter): Source {
  if (parameter.type === 'json' && !(parameter.orText && typeof value === 'string')) return fromJson(value)
  const text = typeof value === 'string' ? value : stringifyJson(value)
  return familyOf(parameter.type) === 'own' ? sourceOf(text, ownTokens(text)) : findTokens(text)
}

/** Each string is read by itself, so that nothing in one can reach into the next. */
function fromJson(value: Json): Source {
  const tokens: PlacedToken[] = []
  const json = templateFrom(value, tokens)
  return { ...sourceOf('', tokens), json }
}

function templateFrom(value: Json, tokens: PlacedToken[]): JsonTemplate {
  if (typeof value === 'string') {
    const source = findTokens(value)
    tokens.push(...source.tokens)
    return source.tokens.length === 0
      ? { kind: 'constant', value: source.text }
      : { kind: 'text', template: templateOf(source) }
  }
  if (value === null || typeof value !== 'object') return { kind: 'constant', value }
  if (Array.isArray(value)) return arrayOf(value.map(item => templateFrom(item, tokens)))
  return objectOf(Object.entries(value).map(([key, item]) => [key, templateFrom(item, tokens)]))
}

/** `\$` is a dollar, and any other that begins a token is that. Backslashes count only before a dollar. */
function findTokens(written: string): Source {
  const tokens: PlacedToken[] = []
  let text = ''
  let from = 0
  for (let dollar = written.indexOf('$'); dollar >= 0; dollar = written.indexOf('$', from)) {
    let run = 0
    while (dollar - run - 1 >= from && written[dollar - run - 1] === '\\') run++
    text += written.slice(from, dollar - run) + '\\'.repeat(run >> 1)
    const found = run % 2 === 0 ? scanToken(written, dollar, () => 0) : undefined
    const start = text.length
    from = found?.end ?? dollar + 1
    text += written.slice(dollar, from)
    if (found) tokens.push({ start, end: text.length, token: found.token })
  }
  return sourceOf(text + written.slice(from), tokens)
}

/** Regular expressions and expressions keep `\$` as it is. */
function ownTokens(text: string): PlacedToken[] {
  const tokens: PlacedToken[] = []
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '$') {
      const found = scanToken(text, i, () => 0)
      if (found) tokens.push({ start: i, end: found.end, token: found.token })
      i = found ? found.end - 1 : i
    }
  }
  return tokens
}

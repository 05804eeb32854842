import type { GivenArgument, GivenFlag, StageDraft } from './draft.ts'
import { type Source, templateOf } from './escapes.ts'
import type { Json } from './json.ts'
import { setKey } from './lenient-json.ts'
import type { CommandDocument, PlanDocument, StageDocument } from './plan.ts'
import type { Planned } from './planner.ts'
import { flagsOf } from './universal.ts'
import { literalHost } from './urls.ts'
import type { JsonTemplate, Template, Value } from './values.ts'

export interface DescribeOptions {
  /** Fill in `defaults`: what the flags that were not given stand at. */
  readonly addFlags?: boolean
}

/** The plan as plain JSON (language.md 9). What a stage will cost is for the engine to add. */
export function describe(planned: Planned, options: DescribeOptions = {}): PlanDocument {
  return {
    query: planned.query,
    valid: planned.diagnostics.length === 0,
    errors: planned.diagnostics,
    stages: planned.stages.map(draft => describeStage(draft, options.addFlags === true)),
  }
}

function describeStage(draft: StageDraft, addFlags: boolean): StageDocument {
  const { index, declaration, line, column } = draft
  return {
    index,
    label: draft.label ?? null,
    kind: declaration?.kind ?? 'unknown',
    line,
    column,
    tokens: tokenSources(draft),
    domains: domainsOf(draft),
    estimate: null,
    fromCache: false,
    defaults: addFlags ? defaultsOf(draft) : {},
    command: describeCommand(draft),
  }
}

function describeCommand(draft: StageDraft): CommandDocument {
  return {
    command: draft.name,
    args: draft.args.map(({ source }) => partsOf(source)),
    flags: describeFlags(draft.flags),
    line: draft.line,
  }
}

const DOLLAR = '\\$'

/** Text, tokens and dollars apart: a part is a token, `\$`, or text in which there is no dollar. */
function partsOf(source: Source): string[] {
  return templateOf(source).parts.flatMap(part =>
    typeof part === 'string'
      ? part.split(/(\$)/).flatMap(text => (text === '$' ? DOLLAR : text || []))
      : part.source,
  )
}

function describeFlags(flags: readonly GivenFlag[]): Record<string, unknown> {
  const described: Record<string, unknown> = {}
  for (const flag of flags) {
    const value = describeFlag(flag)
    if (!flag.parameter?.repeated) described[flag.name] = value
    else described[flag.name] = [...((described[flag.name] as unknown[] | undefined) ?? []), value]
  }
  return described
}

function describeFlag({ value, source }: GivenArgument | GivenFlag): unknown {
  if (value?.type === 'boolean') return value.value
  // Plain JSON holds no integer past 2^53, and the text of one is read back as well.
  if (value?.type === 'number') return typeof value.value === 'bigint' ? String(value.value) : value.value
  if (value?.type === 'json') return describeJson(value.value)
  if (!source) return true
  return protect(templateOf(source), value)
}

function describeJson(template: JsonTemplate): Json {
  switch (template.kind) {
    case 'constant':
      return protectConstant(template.value)
    case 'text':
      return protect(template.template, undefined)
    case 'array':
      return template.items.map(describeJson)
    case 'object': {
      const object: Record<string, Json> = {}
      for (const [key, item] of template.entries) setKey(object, key, describeJson(item))
      return object
    }
  }
}

function protectConstant(value: Json): Json {
  if (typeof value === 'string') return protect({ parts: [value] }, undefined)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(protectConstant)
  const object: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) setKey(object, key, protectConstant(item))
  return object
}

/**
 * Text and tokens as one string that can be read back: a dollar is `\$`, and the backslashes before any dollar are
 * doubled. Regular expressions and expressions keep their own `\$`, as they do in a query.
 */
function protect({ parts }: Template, value: Value | undefined): string {
  const own = value?.type === 'regex' || value?.type === 'expression' || value?.type === 'aggregates'
  return parts
    .map((part, i) => {
      if (typeof part !== 'string') return part.source
      if (own) return part
      const text = part.replace(/(\\*)\$/g, '$1$1\\$')
      return parts[i + 1] === undefined ? text : text.replace(/\\+$/, '$&$&')
    })
    .join('')
}

function tokenSources(draft: StageDraft): string[] {
  const sources = new Set<string>()
  for (const given of [...draft.args, ...draft.flags])
    for (const { token } of given.source?.tokens ?? []) sources.add(token.source)
  return [...sources]
}

/** The hosts that the text alone names. */
function domainsOf(draft: StageDraft): string[] {
  const hosts = new Set<string>()
  for (const { parameter, source } of [...draft.args, ...draft.flags]) {
    const host = parameter?.type === 'url' && source ? literalHost(templateOf(source)) : undefined
    if (host) hosts.add(host)
  }
  return [...hosts]
}

function defaultsOf(draft: StageDraft): Record<string, unknown> {
  if (!draft.declaration) return {}
  const given = new Set(draft.flags.map(flag => flag.name))
  const missing = flagsOf(draft.declaration).filter(
    flag => flag.default !== undefined && !given.has(flag.name),
  )
  return Object.fromEntries(missing.map(flag => [flag.name, flag.default]))
}

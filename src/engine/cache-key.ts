import { createHash } from 'node:crypto'
import type { Parameter } from '../language/declaration.ts'
import { type Json, stringifyJson } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { flagsOf } from '../language/universal.ts'
import type { JsonTemplate, Token, Value } from '../language/values.ts'
import { cellarNames } from './cellar.ts'
import { orderedFlags } from './stage-values.ts'

/** What a token that does not depend on the row stands for in this run; undefined where it has no value. */
export type Constant = (token: Token) => Json | undefined

/**
 * A key for each stage: the hash of all that decides its rows, up to it. null from the first stage on whose rows nobody
 * could foresee, since every later one stands on them. `cellar`: the versions of the cellar files by name.
 */
export function cacheKeys(
  stages: readonly Stage[],
  constant: Constant,
  cellar: ReadonlyMap<string, string> = new Map(),
): (string | null)[] {
  let previous: string | null = ''
  return stages.map(stage => {
    if (previous !== null) {
      const versions = cellarNames(stage, { constant }).map(name => cellar.get(name) ?? '')
      const text = describe(stage, constant, versions)
      previous = text === null ? null : createHash('sha256').update(previous).update(text).digest('hex')
    }
    return previous
  })
}

/** Its rows would come out differently a second time. */
export function isVolatile(stage: Stage): boolean {
  const { volatile } = stage.declaration
  const itself = typeof volatile === 'function' ? volatile(stage) : volatile === true
  return itself || stage.flags.guid !== undefined
}

/** Functions whose value depends on when they are asked, not on what. */
const VOLATILE_FUNCTIONS: ReadonlySet<string> = new Set(['now', 'ago', 'uuid'])
const CONSTANT_TOKENS: ReadonlySet<string> = new Set([
  'timestamp',
  // Their handles, which name the version and tell nothing of the secret.
  'credential',
  'secret',
  'prompt',
  'checkpoint',
  'template',
  'queryId',
])

function describe(stage: Stage, constant: Constant, cellarVersions: readonly string[]): string | null {
  const { declaration } = stage
  if (isVolatile(stage)) return null
  const parts = [
    declaration.name,
    given(stage.args, declaration.arguments),
    given(stage.flags, flagsOf(declaration)),
    orderedFlags(stage),
    ...credentialVersions(stage, constant),
    ...cellarVersions,
  ]
  return textOf(parts, constant)
}

/**
 * A line for every node, the outer before the inner; each says what follows it, so that no two trees have the same
 * text. null when something in it could not be foreseen. Not by recursion: `a and b and …` may be long.
 */
function textOf(tree: unknown, constant: Constant): string | null {
  const lines: string[] = []
  const rest = [tree]
  while (rest.length > 0) {
    const node = rest.pop()
    if (isUnforeseeable(node)) return null
    const leaf = leafText(node, constant)
    if (leaf !== undefined) {
      lines.push(leaf)
      continue
    }
    const members = Object.entries(node as object).filter(
      ([key, value]) => key !== 'span' && value !== undefined,
    )
    lines.push(Array.isArray(node) ? `[${members.length}` : `{${members.map(([key]) => key)}`)
    for (const [, value] of members.reverse()) rest.push(value)
  }
  return lines.join('\n')
}

/** undefined for a node that has others below it. */
function leafText(node: unknown, constant: Constant): string | undefined {
  if (typeof node === 'bigint') return `${node}n`
  if (!isObject(node)) return JSON.stringify(node)
  // What the user wrote as JSON, or gave a template, is compared as a whole: its keys are not ours.
  if (isConstant(node)) return `constant ${stringifyJson(node.value)}`
  if (!isToken(node)) return undefined
  const value = CONSTANT_TOKENS.has(node.kind) ? (constant(node) ?? null) : null
  return `token ${JSON.stringify(node.source)} ${stringifyJson(value)}`
}

type Given = Readonly<Record<string, Value | readonly Value[]>>

/** What was given, in the order of the declaration: the order in which flags were typed decides nothing. */
const given = (values: Given, parameters: readonly Parameter[]): unknown[] =>
  parameters
    .filter(parameter => parameter.affectsRows !== false && values[parameter.name] !== undefined)
    .map(parameter => [parameter.name, values[parameter.name]])

/** The credentials that flags name, each as the handle of its present version. */
const credentialVersions = (stage: Stage, constant: Constant): unknown[] =>
  flagsOf(stage.declaration)
    .filter(({ names }) => names === 'credential')
    .flatMap(({ name }) => {
      const value = stage.flags[name]
      const text = value && 'template' in value ? value.template.parts.join('') : undefined
      if (text === undefined) return []
      const span = { offset: 0, length: 0 }
      return [constant({ kind: 'credential', path: { text, segments: [text] }, source: text, span }) ?? null]
    })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isConstant = (value: unknown): value is Extract<JsonTemplate, { kind: 'constant' }> =>
  isObject(value) && value.kind === 'constant'

const isToken = (value: unknown): value is Token => isObject(value) && 'source' in value && 'span' in value

const isUnforeseeable = (value: unknown): boolean =>
  isVolatileCall(value) || (isToken(value) && value.kind === 'guid')

const isVolatileCall = (value: unknown): boolean =>
  isObject(value) && value.kind === 'call' && VOLATILE_FUNCTIONS.has(String(value.name))

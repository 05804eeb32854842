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
  let foreseeable = true
  const parts = [
    declaration.name,
    given(stage.args, declaration.arguments),
    given(stage.flags, flagsOf(declaration)),
    orderedFlags(stage),
    ...credentialVersions(stage, constant),
    ...cellarVersions,
  ]
  const text = JSON.stringify(parts, (key, value: unknown) => {
    if (key === 'span') return undefined
    if (typeof value === 'bigint') return `${value}n`
    // What the user wrote as JSON is compared as a whole: its keys are not ours.
    if (isConstant(value)) return ['constant', stringifyJson(value.value)]
    if (isToken(value)) {
      if (value.kind === 'guid') foreseeable = false
      return [value.source, CONSTANT_TOKENS.has(value.kind) ? (constant(value) ?? null) : null]
    }
    if (isVolatileCall(value)) foreseeable = false
    return value
  })
  return foreseeable ? text : null
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

const isVolatileCall = (value: unknown): boolean =>
  isObject(value) && value.kind === 'call' && VOLATILE_FUNCTIONS.has(String(value.name))

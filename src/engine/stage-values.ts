import type { Parameter } from '../language/declaration.ts'
import { resolveAggregates, resolveExpression, resolveTemplate } from '../language/expression/resolve.ts'
import type { Expression } from '../language/expression/tree.ts'
import type { Json } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { resolveValue, type Scope } from '../language/resolve.ts'
import { flagsOf } from '../language/universal.ts'
import type { Path, Value } from '../language/values.ts'

/** What a stage was given, filled in and typed as its command takes it. */
export interface StageValues {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, unknown>>
  readonly universal: UniversalValues
  readonly expand: ExpandValues
}

export interface UniversalValues {
  readonly cache?: boolean
  readonly ttl?: number
  readonly where?: Expression
  readonly table?: readonly Path[]
  readonly take?: number
  readonly guid?: boolean
  readonly appendStage?: string
}

/** The flags of every expanding command. */
export interface ExpandValues {
  readonly enrich?: boolean
  readonly timeout?: number
  readonly retry?: number
  readonly concurrency?: number
  readonly onError?: 'keep' | 'skip' | 'fail'
}

type Given = Readonly<Record<string, Value | readonly Value[]>>

/** Without a row, a command that runs once for each of them has only what is the same for all. */
export function stageValues(stage: Stage, scope: Scope): StageValues {
  const { declaration } = stage
  const isWhole = declaration.kind !== 'expand' || scope.row !== undefined
  const taken = (parameters: readonly Parameter[]) =>
    isWhole ? parameters : parameters.filter(({ tokens }) => tokens !== undefined)
  const flags = valuesOf(stage.flags, taken(flagsOf(declaration)), scope)
  return {
    args: valuesOf(stage.args, taken(declaration.arguments), scope),
    flags,
    universal: flags,
    expand: flags,
  }
}

function valuesOf(given: Given, parameters: readonly Parameter[], scope: Scope): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const parameter of parameters) {
    const { name } = parameter
    const value = given[name]
    // Most flags of most stages are neither given nor have a default, and this is done for every row.
    if (value === undefined && parameter.default === undefined) continue
    if (value === undefined) values[name] = parameter.default
    else if (isList(value)) values[name] = value.map(item => valueOf(item, parameter, scope))
    else {
      const one = valueOf(value, parameter, scope)
      values[name] = parameter.repeated ? [one] : one
    }
  }
  return values
}

const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value)

/** Tokens of the row stay in expressions and templates when there is no row: they are columns then. */
function valueOf(value: Value, parameter: Parameter, scope: Scope): unknown {
  if (value.type === 'expression') return resolveExpression(value.expression, scope)
  if (value.type === 'aggregates') return resolveAggregates(value.aggregates, scope)
  if (value.type === 'text' && parameter.type === 'template') return resolveTemplate(value.template, scope)
  const resolved = resolveValue(value, parameter, scope)
  // Counts and limits are plain numbers to a command; in the user's own JSON a long integer stays what it is.
  return typeof resolved === 'bigint' && parameter.type !== 'json' ? Number(resolved) : resolved
}

/** The arguments and flags that were given, as they were sent: what a command record shows. */
export function givenDocument(
  stage: Stage,
  values: StageValues,
): { readonly args: Json; readonly flags: Json } {
  const flags = Object.keys(stage.flags).map(name => [name, shown(values.flags[name])])
  return {
    args: stage.declaration.arguments.flatMap(({ name }) =>
      name in stage.args ? [shown(values.args[name])] : [],
    ),
    flags: Object.fromEntries(flags),
  }
}

/** Paths, expressions and aggregates are trees of ours: the record shows them as they were written. */
const shown = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(shown)
  if (isPath(value)) return value.text
  return (value ?? null) as Json
}

const isPath = (value: unknown): value is Path =>
  typeof value === 'object' && value !== null && 'segments' in value && 'text' in value

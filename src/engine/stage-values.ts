import type { Parameter } from '../language/declaration.ts'
import { resolveAggregates, resolveExpression, resolveTemplate } from '../language/expression/resolve.ts'
import type { Expression } from '../language/expression/tree.ts'
import type { Json } from '../language/json.ts'
import type { Stage } from '../language/plan.ts'
import { resolveValue, type Scope } from '../language/resolve.ts'
import { tokensWithin } from '../language/tokens-in.ts'
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
  const taken = declaration.kind !== 'expand' || scope.row !== undefined ? 'all' : 'constant'
  const { args, flags: flagPlan } = planOf(stage, taken)
  const given = valuesOf(flagPlan, scope)
  const flags = declaration.kind === 'source' ? { ...given, ...namedValues(stage, scope) } : given
  return { args: valuesOf(args, scope), flags, universal: flags, expand: flags }
}

/** What has the same value in every row and every run, and what has to be filled in. */
interface ValuesPlan {
  readonly fixed: Readonly<Record<string, unknown>>
  readonly open: readonly { readonly parameter: Parameter; readonly given: Value | readonly Value[] }[]
}

type Taken = 'all' | 'constant'
const PLANS: Record<Taken, WeakMap<Stage, { args: ValuesPlan; flags: ValuesPlan }>> = {
  all: new WeakMap(),
  constant: new WeakMap(),
}

/** Made once for a stage: filling in forty flags anew for each row cost as much as the row's request. */
function planOf(stage: Stage, taken: Taken): { readonly args: ValuesPlan; readonly flags: ValuesPlan } {
  const known = PLANS[taken].get(stage)
  if (known) return known
  const wanted = (parameters: readonly Parameter[]) =>
    taken === 'all' ? parameters : parameters.filter(({ tokens }) => tokens !== undefined)
  const made = {
    args: planValues(stage.args, wanted(stage.declaration.arguments)),
    flags: planValues(stage.flags, wanted(flagsOf(stage.declaration))),
  }
  PLANS[taken].set(stage, made)
  return made
}

const NO_TOKENS: Scope = { constant: () => undefined }

function planValues(values: Given, parameters: readonly Parameter[]): ValuesPlan {
  const fixed: Record<string, unknown> = {}
  const open: { parameter: Parameter; given: Value | readonly Value[] }[] = []
  for (const parameter of parameters) {
    const given = values[parameter.name]
    if (given === undefined) {
      if (parameter.default !== undefined) fixed[parameter.name] = parameter.default
    } else if (isFixed(given)) fixed[parameter.name] = filled(given, parameter, NO_TOKENS)
    else open.push({ parameter, given })
  }
  return { fixed, open }
}

/** Expressions may name the time, which is the query's. */
const isFixed = (given: Value | readonly Value[]): boolean =>
  [given]
    .flat()
    .every(value => value.type !== 'expression' && value.type !== 'aggregates' && !hasTokens(value))

const hasTokens = (value: Value): boolean => !tokensWithin(value).next().done

/** Where nothing has to be filled in, the same object for all rows: whoever works something out of it need do so only once. */
function valuesOf({ fixed, open }: ValuesPlan, scope: Scope): Readonly<Record<string, unknown>> {
  if (open.length === 0) return fixed
  const values = { ...fixed }
  for (const { parameter, given } of open) values[parameter.name] = filled(given, parameter, scope)
  return values
}

function filled(given: Value | readonly Value[], parameter: Parameter, scope: Scope): unknown {
  if (isList(given)) return given.map(item => filledValue(item, parameter, scope))
  const one = filledValue(given, parameter, scope)
  return parameter.repeated ? [one] : one
}

/** What was given for `template.*`, an object by what stands in the place of the star. */
function namedValues({ declaration, flags }: Stage, scope: Scope): Record<string, unknown> {
  const families = declaration.flags?.filter(({ name }) => name.endsWith('.*')) ?? []
  const members = families.map(parameter => {
    const start = parameter.name.slice(0, -1)
    const found = Object.entries(flags).filter(([name]) => name.toLowerCase().startsWith(start))
    const values = found.map(([name, value]) => [
      name.slice(start.length),
      filledValue([value].flat()[0]!, parameter, scope),
    ])
    return [parameter.name, Object.fromEntries(values)]
  })
  return Object.fromEntries(members)
}

const isList = (value: Value | readonly Value[]): value is readonly Value[] => Array.isArray(value)

/** Tokens of the row stay in expressions and templates when there is no row: they are columns then. */
function filledValue(value: Value, parameter: Parameter, scope: Scope): unknown {
  if (value.type === 'expression') return resolveExpression(value.expression, scope)
  if (value.type === 'aggregates') return resolveAggregates(value.aggregates, scope)
  if (value.type === 'text' && parameter.type === 'template') return resolveTemplate(value.template, scope)
  const resolved = resolveValue(value, parameter, scope)
  // Counts and limits are plain numbers to a command; in the user's own JSON a long integer stays what it is.
  return typeof resolved === 'bigint' && parameter.type !== 'json' ? Number(resolved) : resolved
}

/** The names of the flags whose order counts, once for each value, in the order in which they were written. */
export function orderedFlags({ declaration, flags }: Stage): string[] {
  const names = declaration.flags?.flatMap(({ name, ordered }) => (ordered ? [name] : [])) ?? []
  const places = names.flatMap(name =>
    [flags[name] ?? []].flat().map(({ span }) => ({ name, at: span.offset })),
  )
  return places.sort((a, b) => a.at - b.at).map(({ name }) => name)
}

/** The values of those flags, in that order. */
export function orderedValues(
  stage: Stage,
  flags: StageValues['flags'],
): { readonly flag: string; readonly value: Json }[] {
  const taken = new Map<string, number>()
  return orderedFlags(stage).map(flag => {
    const index = taken.get(flag) ?? 0
    taken.set(flag, index + 1)
    return { flag, value: ([flags[flag]].flat() as Json[])[index]! }
  })
}

/** The names of the arguments that were given, in the order of the declaration. */
export const givenArguments = ({ declaration, args }: Stage): string[] =>
  declaration.arguments.flatMap(({ name }) => (name in args ? [name] : []))

/** The flags that were given, as they were sent: what a command record shows. */
export const shownFlags = (stage: Stage, { flags }: StageValues): Json =>
  Object.fromEntries(Object.keys(stage.flags).map(name => [name, shown(flags[name])]))

/** Paths, expressions and aggregates are trees of ours: the record shows them as they were written. */
export const shown = (value: unknown): Json => {
  if (Array.isArray(value)) return value.map(shown)
  if (isPath(value)) return value.text
  return (value ?? null) as Json
}

const isPath = (value: unknown): value is Path =>
  typeof value === 'object' && value !== null && 'segments' in value && 'text' in value

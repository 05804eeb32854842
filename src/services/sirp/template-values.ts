import type { ErrorItem } from '../../errors.ts'
import type { Json } from '../../language/json.ts'
import { valueAt } from '../../language/paths.ts'
import type { Stage } from '../../language/plan.ts'
import { numberFrom } from '../../language/scalars.ts'
import { tokensIn } from '../../language/tokens-in.ts'
import type { Path } from '../../language/values.ts'
import { checkValue, type ValueSchema } from './template-schema.ts'

export type TemplateValues = Readonly<Record<string, Json>>

export interface TemplateParameter {
  readonly name: string
  readonly required: boolean
  readonly type: string | null
}

/** The values that a template's text asks for, in the order in which they first stand there. */
export function parametersIn(stages: readonly Stage[]): Path[] {
  const found = new Map<string, Path>()
  for (const token of tokensIn(stages))
    if (token.kind === 'template' && !found.has(token.path.text)) found.set(token.path.text, token.path)
  return [...found.values()]
}

/** What is told of them: one with a default need not be given. */
export function describeParameters(paths: readonly Path[], schema: ValueSchema | null): TemplateParameter[] {
  return paths.map(path => {
    const inner = schemaAt(path, schema)
    const type = inner?.type === undefined ? null : [inner.type].flat().join(' or ')
    return { name: path.text, required: valueAt(defaultsOf(schema), path) === undefined, type }
  })
}

function schemaAt(path: Path, schema: ValueSchema | null): ValueSchema | undefined {
  const own = schema?.properties?.[path.text]
  if (own) return own
  let at: ValueSchema | undefined = schema ?? undefined
  for (const segment of path.segments) at = at?.properties?.[segment]
  return at
}

function defaultsOf(schema: ValueSchema | null): TemplateValues {
  const defaults = Object.entries(schema?.properties ?? {}).flatMap(([name, inner]): [string, Json][] =>
    inner.default === undefined ? [] : [[name, inner.default]],
  )
  return Object.fromEntries(defaults)
}

export interface FilledValues {
  readonly values: TemplateValues
  readonly errors: readonly ErrorItem[]
}

/** The values with the defaults of those that were not given, and all that is wrong with them. `partly`: some may be missing. */
export function fillValues(
  given: TemplateValues,
  paths: readonly Path[],
  schema: ValueSchema | null,
  { partly = false } = {},
): FilledValues {
  const values = { ...defaultsOf(schema), ...given }
  const errors: ErrorItem[] = []
  const report = (path: string, message: string) => void errors.push({ path, message, in: 'body' })
  for (const path of partly ? [] : paths)
    if (valueAt(values, path) === undefined) report(`$.values.${path.text}`, 'is required')
  if (schema) checkValue(values, withoutRequired(schema, paths, partly), '$.values', report)
  const known = new Set([
    ...paths.flatMap(({ segments, text }) => [segments[0], text]),
    ...Object.keys(schema?.properties ?? {}),
  ])
  for (const name of Object.keys(given))
    if (!known.has(name))
      report(`$.values.${name}`, `is not known here: the template has no $template.${name}$`)
  return { values, errors: errors.slice(0, 100) }
}

/** What the text asks for was reported already. */
function withoutRequired(schema: ValueSchema, paths: readonly Path[], partly: boolean): ValueSchema {
  const asked = new Set(paths.map(path => path.text))
  return { ...schema, required: schema.required?.filter(name => !partly && !asked.has(name)) ?? [] }
}

/** Values that were written in a query are text: those that should be numbers or booleans are read as such. */
export function readTexts(given: TemplateValues, schema: ValueSchema | null): TemplateValues {
  const entries = Object.entries(given).map(([name, value]): [string, Json] => {
    const types = [schema?.properties?.[name]?.type ?? []].flat()
    return [name, typeof value === 'string' && !types.includes('string') ? readText(value, types) : value]
  })
  return Object.fromEntries(entries)
}

function readText(text: string, types: readonly string[]): Json {
  if (types.includes('integer') || types.includes('number'))
    return numberFrom(text, !types.includes('number')) ?? text
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  return types.includes('null') && text === 'null' ? null : text
}

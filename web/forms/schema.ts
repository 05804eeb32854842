import type { Json } from '../../src/language/json.ts'
import type { ProblemItem } from '../api/problem.ts'

/** The part of JSON Schema that forms are made from: what the server's own schemas and those of templates use. */
export interface FormSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly const?: Json
  readonly enum?: readonly Json[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly items?: FormSchema
  readonly properties?: Readonly<Record<string, FormSchema>>
  readonly patternProperties?: Readonly<Record<string, FormSchema>>
  readonly additionalProperties?: boolean | FormSchema
  readonly required?: readonly string[]
  readonly writeOnly?: boolean
}

export type FormObject = { readonly [name: string]: Json }

/** What every field of a form is given. `undefined` is "not given". */
export interface FieldProps {
  readonly name: string
  readonly schema: FormSchema
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly required: boolean
  /** Where the value stands in the body that is sent, such as `$.config.configuration.url`. */
  readonly path: string
  readonly errors: readonly ProblemItem[]
}

type FieldKind =
  | 'fixed'
  | 'choice'
  | 'text'
  | 'number'
  | 'switch'
  | 'fields'
  | 'pairs'
  | 'words'
  | 'choices'
  | 'groups'
  | 'json'

/** What a value is asked for with. Whatever there is no field for can be written as JSON. */
export function kindOf(schema: FormSchema): FieldKind {
  if (schema.const !== undefined) return 'fixed'
  if (schema.enum) return 'choice'
  switch (typeOf(schema)) {
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'switch'
    case 'object':
      if (schema.properties) return 'fields'
      return typeOf(valuesOf(schema)) === 'string' ? 'pairs' : 'json'
    case 'array':
      return listKind(schema.items ?? {})
    default:
      return 'json'
  }
}

function listKind(items: FormSchema): FieldKind {
  if (items.enum?.every(choice => typeof choice === 'string')) return 'choices'
  const inner = kindOf(items)
  return inner === 'text' ? 'words' : inner === 'fields' ? 'groups' : 'json'
}

/** The one type that is not null; undefined where there are several or none. */
export function typeOf(schema: FormSchema): string | undefined {
  const types = [schema.type ?? []].flat().filter(type => type !== 'null')
  return types.length === 1 ? types[0] : undefined
}

/** Of an object with names of the user's own: what each value is. */
function valuesOf(schema: FormSchema): FormSchema {
  const [first] = Object.values(schema.patternProperties ?? {})
  if (first) return first
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
}

const WHOLE_WORDS: Readonly<Record<string, string>> = {
  url: 'URL',
  uri: 'URI',
  id: 'id',
  tls: 'TLS',
  ca: 'CA',
}

/** `tokenUrl` and `token_url` as "Token URL". */
export function labelOf(name: string, schema: FormSchema): string {
  if (schema.title) return schema.title
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[_\s-]+/)
    .filter(word => word !== '')
    .map(word => WHOLE_WORDS[word.toLowerCase()] ?? word.toLowerCase())
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What is wrong with the value at this path, or with anything in it. */
export function errorAt(errors: readonly ProblemItem[], path: string, inside = false): string | undefined {
  const found = errors.filter(
    item =>
      item.path === path ||
      (inside && (item.path?.startsWith(`${path}.`) || item.path?.startsWith(`${path}[`))),
  )
  return found.length > 0 ? [...new Set(found.map(item => item.message))].join('; ') : undefined
}

/** What has to be there from the start: what cannot be otherwise, and a "no" where a yes or no is required. */
export function blankOf(schema: FormSchema): FormObject {
  const blank: Record<string, Json> = {}
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (!schema.required?.includes(name)) continue
    const kind = kindOf(field)
    if (kind === 'fixed') blank[name] = field.const!
    else if (kind === 'switch') blank[name] = field.default ?? false
    else if (kind === 'fields') blank[name] = blankOf(field)
  }
  return blank
}

/** Another value for one field; a field without one is left out, and so is a group of fields that were all left out. */
export function withField(
  schema: FormSchema,
  value: FormObject | undefined,
  name: string,
  changed: Json | undefined,
): FormObject {
  const next: Record<string, Json> = { ...blankOf(schema), ...value }
  const isNothing = changed === undefined || (isFields(changed) && Object.keys(changed).length === 0)
  if (!isNothing || (schema.required?.includes(name) && changed !== undefined)) next[name] = changed
  else delete next[name]
  return next
}

export const isFields = (value: Json | undefined): value is FormObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

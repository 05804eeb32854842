import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { System } from 'typebox/system'
import { type ErrorItem, ForageError } from '../errors.ts'
import { nearest } from '../language/nearest.ts'

/** Enough to mend a body in one go, too few to make the answer to a hostile one large. */
const MOST_ERRORS = 100
System.Settings.Set({ maxErrors: MOST_ERRORS * 4 })

type Part = 'body' | 'query' | 'path' | 'header'
const partOf: Readonly<Record<string, Part>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'header',
}
const nameOf = { body: 'body', query: 'query string', path: 'path', header: 'headers' } as const

/**
 * Checks a part of a request against its schema. Bodies are taken as they are; the rest arrives as text and is read as the
 * schema says. A schema is compiled when it is first needed: a hundred routes would cost half a second at the start.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const part = partOf[httpPart ?? 'body'] ?? 'body'
  let compiled: ReturnType<typeof Compile> | undefined
  return (given: unknown) => {
    compiled ??= Compile(schema)
    const value = part === 'body' ? given : readTexts(schema, given)
    return compiled.Check(value) ? { value } : { error: invalid(schema, part, compiled.Errors(value)) }
  }
}

interface Properties {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly default?: unknown }>>
}

/** Numbers and booleans out of their text, exactly or not at all; what is missing gets its default. */
function readTexts(schema: TSchema, given: unknown): unknown {
  const { properties = {} } = schema as Properties
  const values: Record<string, unknown> = { ...(given as object) }
  for (const [name, { type, default: fallback }] of Object.entries(properties)) {
    const value = values[name]
    if (value === undefined && fallback !== undefined) values[name] = fallback
    else if (typeof value === 'string') values[name] = readText(type, value)
  }
  return values
}

function readText(type: string | undefined, text: string): unknown {
  if (type === 'integer') return /^-?\d{1,15}$/.test(text) ? Number(text) : text
  if (type === 'number') return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function invalid(schema: TSchema, part: Part, found: readonly TLocalizedValidationError[]): ForageError {
  const errors = describe(schema, found)
    .slice(0, MOST_ERRORS)
    .map(item => ({ ...item, in: part }))
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const detail = `Not valid in the ${nameOf[part]}: ${first?.path} ${first?.message}${more}`
  return new ForageError('invalid_request', detail, { errors })
}

function describe(schema: TSchema, found: readonly TLocalizedValidationError[]): ErrorItem[] {
  const places = Map.groupBy(
    // `boolean` repeats what `additionalProperties` says with the names.
    found.filter(error => error.keyword !== 'boolean'),
    error => error.instancePath,
  )
  const items: ErrorItem[] = []
  for (const [pointer, errors] of places) {
    // Of the alternatives of a union the one whose type fits says more than those whose type does not.
    const telling = errors.filter(error => !['type', 'anyOf', 'oneOf'].includes(error.keyword))
    if (telling.length > 0) items.push(...telling.flatMap(error => explain(schema, error)))
    else if (!hasInner(pointer, places)) items.push({ path: jsonPath(pointer), message: typesOf(errors) })
  }
  return items
}

const hasInner = (pointer: string, places: ReadonlyMap<string, unknown>): boolean =>
  places.keys().some(other => other.startsWith(`${pointer}/`))

function typesOf(errors: readonly TLocalizedValidationError[]): string {
  const types = errors.flatMap(error => (error.keyword === 'type' ? [error.params.type].flat() : []))
  return types.length === 0 ? 'has the wrong form' : `must be ${types.map(article).join(' or ')}`
}

const article = (type: string): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

/** In words of ours, and never with the value: it may be a secret. */
function explain(schema: TSchema, error: TLocalizedValidationError): ErrorItem[] {
  const path = jsonPath(error.instancePath)
  switch (error.keyword) {
    case 'additionalProperties':
      return error.params.additionalProperties.map(name => ({
        path: `${path}${step(name)}`,
        message: `is not known here${suggestion(name, knownFields(schema, error.schemaPath))}`,
      }))
    case 'required':
      return error.params.requiredProperties.map(name => ({
        path: `${path}${step(name)}`,
        message: 'is required',
      }))
    case 'enum':
      return [{ path, message: `must be one of ${error.params.allowedValues.join(', ')}` }]
    case 'minLength':
      return [{ path, message: `must have at least ${characters(error.params.limit)}` }]
    case 'maxLength':
      return [{ path, message: `must have at most ${characters(error.params.limit)}` }]
    case 'minItems':
      return [{ path, message: `must have at least ${error.params.limit} items` }]
    case 'maxItems':
      return [{ path, message: `must have at most ${error.params.limit} items` }]
    case 'pattern':
      return [{ path, message: `must match ${error.params.pattern}` }]
    case 'format':
      return [{ path, message: `must be a valid ${error.params.format}` }]
    default:
      return [{ path, message: error.message }]
  }
}

const characters = (count: number | bigint): string => `${count} character${Number(count) === 1 ? '' : 's'}`

function suggestion(name: string, known: readonly string[]): string {
  const close = nearest(name, known)
  if (close !== undefined) return `; did you mean "${close}"?`
  return known.length === 0 ? '; none is' : `; known are ${known.join(', ')}`
}

function knownFields(schema: TSchema, schemaPath: string): string[] {
  let at: unknown = schema
  for (const key of keysOf(schemaPath.replace(/^#/, '')))
    at = (at as Record<string, unknown> | undefined)?.[key]
  return Object.keys((at as Properties | undefined)?.properties ?? {})
}

/** `/items/0/a b` becomes `$.items[0]["a b"]`. */
const jsonPath = (pointer: string): string => `$${keysOf(pointer).map(step).join('')}`

const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))

const step = (key: string): string =>
  /^\d+$/.test(key) ? `[${key}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`

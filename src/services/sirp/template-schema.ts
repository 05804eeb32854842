import { RE2JS } from 're2js'
import type { ErrorItem } from '../../errors.ts'
import type { Json } from '../../language/json.ts'
import { re2Pattern } from '../../language/re2.ts'
import { checkRegex } from '../../language/regex.ts'

/**
 * The part of JSON Schema that says what a template takes. No references, no formats and no combinations: what a value
 * must be can be read off, and checking it takes a time that its own length bounds.
 */
export interface ValueSchema {
  readonly type?: SchemaType | readonly SchemaType[]
  readonly title?: string
  readonly description?: string
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly enum?: readonly Json[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly items?: ValueSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
}

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const
type SchemaType = (typeof TYPES)[number]

const DEEPEST = 10
const MOST_ERRORS = 100

type Report = (path: string, message: string) => void

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isAnything = (): boolean => true

/** Every keyword that may be used, and what it takes. */
const KEYWORDS: Readonly<Record<string, readonly [is: (value: unknown) => boolean, takes: string]>> = {
  $schema: [isText, 'a text'],
  type: [isType, `one of ${TYPES.join(', ')}, or a list of them`],
  title: [isText, 'a text'],
  description: [isText, 'a text'],
  default: [isAnything, 'a value'],
  examples: [Array.isArray, 'a list'],
  enum: [value => Array.isArray(value) && value.length > 0, 'a list that is not empty'],
  minimum: [isNumber, 'a number'],
  maximum: [isNumber, 'a number'],
  exclusiveMinimum: [isNumber, 'a number'],
  exclusiveMaximum: [isNumber, 'a number'],
  multipleOf: [value => isNumber(value) && (value as number) > 0, 'a number above 0'],
  minLength: [isCount, 'a whole number from 0'],
  maxLength: [isCount, 'a whole number from 0'],
  pattern: [isText, 'a regular expression'],
  items: [isObject, 'a schema'],
  minItems: [isCount, 'a whole number from 0'],
  maxItems: [isCount, 'a whole number from 0'],
  properties: [isObject, 'schemas by name'],
  required: [value => Array.isArray(value) && value.every(isText), 'a list of names'],
  additionalProperties: [value => typeof value === 'boolean', 'true or false'],
}

function isType(value: unknown): boolean {
  const known = (type: unknown) => (TYPES as readonly unknown[]).includes(type)
  return Array.isArray(value) ? value.length > 0 && value.every(known) : known(value)
}

/** What is wrong with the schema of a template; nothing when it can be used. */
export function schemaErrors(schema: Readonly<Record<string, unknown>>): ErrorItem[] {
  const errors: ErrorItem[] = []
  const report: Report = (path, message) => {
    if (errors.length < MOST_ERRORS) errors.push({ path, message, in: 'body' })
  }
  const root = '$.templateSchema'
  if (schema.type !== undefined && schema.type !== 'object')
    report(`${root}.type`, 'must be object: it describes all values together')
  checkSchema(schema, root, 0, report)
  return errors
}

function checkSchema(schema: Record<string, unknown>, path: string, depth: number, report: Report): void {
  if (depth > DEEPEST) {
    report(path, `is nested more than ${DEEPEST} deep`)
    return
  }
  let sound = true
  for (const [keyword, value] of Object.entries(schema)) {
    const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined
    if (known?.[0](value)) continue
    sound = false
    if (known) report(`${path}.${keyword}`, `must be ${known[1]}`)
    else if (keyword.endsWith('ef') && keyword.startsWith('$'))
      report(`${path}.${keyword}`, 'is refused: a schema here refers to nothing outside or elsewhere')
    else report(`${path}.${keyword}`, `is not supported here; known are ${Object.keys(KEYWORDS).join(', ')}`)
  }
  if (!sound) return
  const { pattern, items, properties = {}, ...checked } = schema as ValueSchema
  const regexProblem = pattern === undefined ? null : checkRegex(pattern)
  if (regexProblem) report(`${path}.pattern`, regexProblem.message.message)
  if (items) checkSchema(items as Record<string, unknown>, `${path}.items`, depth + 1, report)
  for (const [name, inner] of Object.entries(properties)) {
    if (isObject(inner)) checkSchema(inner, `${path}.properties.${name}`, depth + 1, report)
    else report(`${path}.properties.${name}`, 'must be a schema')
  }
  if (!regexProblem) checkDefaults(schema as ValueSchema, checked, path, report)
}

/** A default that its own schema refuses would fail every dispatch. */
function checkDefaults(
  schema: ValueSchema,
  { default: value, enum: choices = [] }: ValueSchema,
  path: string,
  report: Report,
): void {
  if (value !== undefined) checkValue(value, schema, `${path}.default`, report)
  const { enum: _, ...others } = schema
  for (const [index, choice] of choices.entries())
    checkValue(choice, others, `${path}.enum[${index}]`, report)
}

/** Reports everything in which a value is not what its schema says. */
export function checkValue(value: Json, schema: ValueSchema, path: string, report: Report): void {
  const types = schema.type === undefined ? undefined : [schema.type].flat()
  if (types && !types.some(type => isOfType(value, type)))
    report(path, `must be ${types.map(withArticle).join(' or ')}`)
  else if (schema.enum && !schema.enum.some(choice => sameJson(choice, value)))
    report(path, `must be one of ${schema.enum.map(choice => JSON.stringify(choice)).join(', ')}`)
  else if (typeof value === 'number' || typeof value === 'bigint')
    checkNumber(Number(value), schema, path, report)
  else if (typeof value === 'string') checkText(value, schema, path, report)
  else if (Array.isArray(value)) checkList(value, schema, path, report)
  else if (isObject(value)) checkFields(value as Record<string, Json>, schema, path, report)
}

const withArticle = (type: SchemaType): string =>
  type === 'null' ? 'null' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`

function isOfType(value: Json, type: SchemaType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'number':
      return typeof value === 'bigint' || isNumber(value)
    default:
      return typeof value === type
  }
}

const sameJson = (one: Json, other: Json): boolean => sorted(one) === sorted(other)

const sorted = (value: Json): string =>
  JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`
    return isObject(item) ? Object.fromEntries(Object.entries(item).sort()) : item
  })

function checkNumber(value: number, schema: ValueSchema, path: string, report: Report): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (minimum !== undefined && value < minimum) report(path, `must be at least ${minimum}`)
  if (maximum !== undefined && value > maximum) report(path, `must be at most ${maximum}`)
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    report(path, `must be more than ${exclusiveMinimum}`)
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    report(path, `must be less than ${exclusiveMaximum}`)
  const parts = multipleOf === undefined ? 0 : value / multipleOf
  if (Math.abs(parts - Math.round(parts)) > 1e-9) report(path, `must be a multiple of ${multipleOf}`)
}

function checkText(
  value: string,
  { minLength, maxLength, pattern }: ValueSchema,
  path: string,
  report: Report,
) {
  const length = [...value].length
  if (minLength !== undefined && length < minLength)
    report(path, `must have at least ${minLength} characters`)
  if (maxLength !== undefined && length > maxLength) report(path, `must have at most ${maxLength} characters`)
  if (pattern !== undefined && !RE2JS.compile(re2Pattern(pattern)).matcher(value).find())
    report(path, `must match ${pattern}`)
}

function checkList(value: readonly Json[], schema: ValueSchema, path: string, report: Report): void {
  const { items, minItems, maxItems } = schema
  if (minItems !== undefined && value.length < minItems) report(path, `must have at least ${minItems} items`)
  if (maxItems !== undefined && value.length > maxItems) report(path, `must have at most ${maxItems} items`)
  if (items) for (const [index, item] of value.entries()) checkValue(item, items, `${path}[${index}]`, report)
}

function checkFields(value: Record<string, Json>, schema: ValueSchema, path: string, report: Report): void {
  const { properties = {}, required = [], additionalProperties } = schema
  for (const name of required) if (!Object.hasOwn(value, name)) report(`${path}.${name}`, 'is required')
  for (const [name, item] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner) checkValue(item, inner, `${path}.${name}`, report)
    else if (additionalProperties === false) report(`${path}.${name}`, 'is not known here')
  }
}

import type { Json, Row } from '../../../language/json.ts'
import { setKey } from '../../../language/lenient-json.ts'
import { numberFrom } from '../../../language/scalars.ts'
import { CommandFailure } from '../../failure.ts'
import { childNamed, readElement, type XmlElement } from '../xml-element.ts'
import { ENVELOPES } from './envelope.ts'
import type { Field, Schemas } from './schema.ts'
import type { Operation } from './wsdl.ts'

/** What an envelope holds: its body, whatever version it is of. Undefined if it is no envelope. */
export function bodyOf(text: string): XmlElement | undefined {
  const root = readElement(text)
  const isEnvelope = root.name === 'Envelope' && Object.values(ENVELOPES).includes(root.namespace)
  return isEnvelope ? childNamed(root, root.namespace, 'Body') : undefined
}

/** A fault as the row's error: its code and what it says. */
export function faultIn(body: XmlElement): CommandFailure | undefined {
  const fault = childNamed(body, body.namespace, 'Fault')
  if (!fault) return undefined
  const text = (...path: string[]): string =>
    path
      .reduce<XmlElement | undefined>((at, name) => at?.children.find(child => child.name === name), fault)
      ?.text.trim() ?? ''
  const code = text('faultcode') || text('Code', 'Subcode', 'Value') || text('Code', 'Value')
  const message = text('faultstring') || text('Reason', 'Text') || 'it does not say why'
  const detail = fault.children.find(child => /^detail$/i.test(child.name))
  const details = detail ? allText(detail).slice(0, 200) : ''
  const more = details !== '' && !message.includes(details) ? ` (${details})` : ''
  return new CommandFailure('soap_fault', `${code === '' ? 'Fault' : code}: ${message}${more}`)
}

const allText = (element: XmlElement): string =>
  [element.text, ...element.children.map(allText)]
    .map(text => text.trim())
    .filter(Boolean)
    .join(' ')

/** The answer of a method as a row: lists and numbers by the schema where it is known. */
export function resultOf(body: XmlElement, operation: Operation, schemas: Schemas): Row {
  const [element, ...others] = body.children
  if (!element) return {}
  const reader = new Reader(schemas)
  if (others.length > 0) return reader.children(body, undefined)
  const value = reader.value(element, fieldOf(element, operation, schemas))
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : { value }
}

/** The element of an rpc answer has no declaration of its own: its fields are the parts of the message. */
function fieldOf(element: XmlElement, operation: Operation, schemas: Schemas): Expected {
  if (operation.style !== 'rpc') return { type: schemas.element(element)?.type }
  return {
    type: undefined,
    fields: operation.output.map(({ name, type }) => ({ name, namespace: '', isList: false, type })),
  }
}

interface Expected {
  readonly type: Field['type']
  readonly fields?: readonly Field[]
}

const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

class Reader {
  readonly #schemas: Schemas

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  value(element: XmlElement, expected: Expected): Json {
    const attributes = [...element.attributes].filter(([name]) => !this.#isOfSchema(name, element))
    if (this.#isNil(element)) return null
    const fields = expected.fields ?? this.#schemas.fields(expected.type)
    if (element.children.length === 0 && attributes.length === 0) {
      // An element that could have had children, and has none, is an empty object and no empty text.
      return fields && fields.length > 0 && element.text.trim() === ''
        ? {}
        : this.#scalar(element, expected.type)
    }
    const row: Record<string, Json> = {}
    for (const [name, text] of attributes) setKey(row, name, text)
    for (const [name, value] of Object.entries(this.children(element, fields))) setKey(row, name, value)
    if (element.text.trim() !== '') setKey(row, 'textContent', this.#scalar(element, expected.type))
    return row
  }

  children(element: XmlElement, fields: readonly Field[] | undefined): Row {
    const known = new Map((fields ?? []).map(field => [field.name, field]))
    const row: Record<string, Json> = {}
    for (const [name, group] of Map.groupBy(element.children, child => child.name)) {
      const field = known.get(name)
      const values = group.map(child => this.value(child, { type: field?.type }))
      setKey(row, name, field?.isList || values.length > 1 ? values : values[0]!)
    }
    return row
  }

  #scalar({ text }: XmlElement, type: Field['type']): Json {
    const primitive = this.#schemas.primitive(type)
    const trimmed = text.trim()
    if (primitive === 'boolean' && /^(?:true|false|0|1)$/.test(trimmed))
      return trimmed === 'true' || trimmed === '1'
    const isNumber = primitive === 'number' || (primitive === 'integer' && /^[+-]?\d+$/.test(trimmed))
    return (isNumber ? numberFrom(trimmed, false) : undefined) ?? text
  }

  #isNil(element: XmlElement): boolean {
    return [...element.attributes].some(
      ([name, value]) => /:nil$/.test(name) && this.#isOfSchema(name, element) && /^(?:true|1)$/.test(value),
    )
  }

  /** `xsi:type` and its like speak of the XML, not of the data. */
  #isOfSchema(name: string, element: XmlElement): boolean {
    const [prefix, local] = name.split(':')
    return local !== undefined && element.prefixes.get(prefix!) === XSI
  }
}

import type { Json } from '../../../language/json.ts'
import { textOf } from '../../../language/resolve.ts'
import { CommandFailure } from '../../failure.ts'
import { isRow } from '../serializers/content.ts'
import { escapeXml } from '../xml-element.ts'
import type { Field, QualifiedName, Schemas } from './schema.ts'
import type { Operation, SoapVersion } from './wsdl.ts'

export const ENVELOPES: Readonly<Record<SoapVersion, string>> = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
}

/** The request: XML as it is, in an envelope unless it has one; JSON as the elements of the method. */
export function envelopeOf(body: Json, operation: Operation, schemas: Schemas): string {
  if (typeof body !== 'string') return wrapped(new Writer(schemas).call(body, operation), operation.version)
  const xml = body.replace(/^\s*<\?xml[^>]*\?>\s*/, '').trim()
  if (!xml.startsWith('<'))
    throw new CommandFailure('soap_body', 'The body must be an object, or XML.', {
      hint: `Write it as '{"name": "value"}', or as <${operation.name}>…</${operation.name}>.`,
    })
  return /^<(?:[\w.-]+:)?Envelope[\s>]/.test(xml) ? xml : wrapped(xml, operation.version)
}

const wrapped = (content: string, version: SoapVersion): string =>
  `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${ENVELOPES[version]}"><soap:Body>${content}</soap:Body></soap:Envelope>`

/** Writes JSON as elements: in the order of the schema where that is known, else as it comes. */
class Writer {
  readonly #schemas: Schemas

  constructor(schemas: Schemas) {
    this.#schemas = schemas
  }

  call(body: Json, operation: Operation): string {
    if (operation.style === 'rpc') return this.#rpc(body, operation)
    const [part] = operation.input
    if (!part) return ''
    const field = part.element && this.#schemas.element(part.element)
    const wrapper = field ?? { ...(part.element ?? { namespace: '', name: part.name }), type: part.type }
    return this.#element({ isList: false, ...wrapper }, unwrapped(body, wrapper, this.#schemas), undefined)
  }

  #rpc(body: Json, { name, namespace, input }: Operation): string {
    const parts = input.map((part): Field => {
      const field = part.element && this.#schemas.element(part.element)
      return field ?? { namespace: '', name: part.name, isList: false, type: part.type }
    })
    return tag(name, namespace, undefined, '', this.#children(body, parts, namespace))
  }

  #element(field: Field, value: Json, around: string | undefined): string {
    const fields = this.#schemas.fields(field.type)
    if (value === null) return tag(field.name, field.namespace, around, NIL, '')
    if (!isRow(value)) return tag(field.name, field.namespace, around, '', escapeXml(textOf(value)))
    const attributes = Object.entries(value)
      .filter(([name]) => name.startsWith('@'))
      .map(([name, text]) => ` ${checkedName(name.slice(1))}="${escapeXml(textOf(text))}"`)
    const content = this.#children(value, fields, field.namespace)
    return tag(field.name, field.namespace, around, attributes.join(''), content)
  }

  /** `around` is the default namespace that the children stand in. */
  #children(value: Json, fields: readonly Field[] | undefined, around: string): string {
    if (!isRow(value)) return escapeXml(textOf(value))
    const known = new Map((fields ?? []).map(field => [field.name, field]))
    const names = Object.keys(value).filter(name => !name.startsWith('@') && name !== 'textContent')
    const ordered = [...[...known.keys()].filter(name => Object.hasOwn(value, name)), ...names]
    const elements = [...new Set(ordered)].flatMap(name => {
      // What the schema does not tell of stands where its parent does.
      const field = known.get(name) ?? {
        name,
        namespace: fields ? around : '',
        isList: true,
        type: undefined,
      }
      const given = value[name]!
      return (Array.isArray(given) ? given : [given]).map(item => this.#element(field, item, around))
    })
    return escapeXml(textOf(value.textContent ?? '')) + elements.join('')
  }
}

const NIL = ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"'

/** Said again only where it changes; '' takes the namespace back, as unqualified children need it. */
function tag(
  name: string,
  namespace: string,
  around: string | undefined,
  attributes: string,
  content: string,
): string {
  checkedName(name)
  const declared = namespace === (around ?? '') ? '' : ` xmlns="${escapeXml(namespace)}"`
  return `<${name}${declared}${attributes}>${content}</${name}>`
}

function checkedName(name: string): string {
  if (/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(name)) return name
  throw new CommandFailure(
    'soap_body',
    `"${name.slice(0, 80)}" cannot be the name of an element or attribute.`,
  )
}

/** Some write the element of the method around its fields themselves. */
function unwrapped(body: Json, wrapper: QualifiedName & Pick<Field, 'type'>, schemas: Schemas): Json {
  if (!isRow(body)) return body
  const [name, ...others] = Object.keys(body)
  const isWrapper = name === wrapper.name && others.length === 0
  const isField = schemas.fields(wrapper.type)?.some(field => field.name === name)
  return isWrapper && !isField ? body[name]! : body
}

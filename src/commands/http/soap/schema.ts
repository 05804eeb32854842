import { childrenNamed, reference, type XmlElement } from '../xml-element.ts'

export const XSD = 'http://www.w3.org/2001/XMLSchema'

export interface QualifiedName {
  readonly namespace: string
  readonly name: string
}

/** A node of a schema, and what its schema says for all of its nodes. */
export interface Located {
  readonly node: XmlElement
  readonly namespace: string
  readonly qualified: boolean
}

/** A child that an element may have. */
export interface Field extends QualifiedName {
  readonly isList: boolean
  readonly type: Located | QualifiedName | undefined
}

export type Primitive = 'integer' | 'number' | 'boolean' | 'text'

const PRIMITIVES: Readonly<Record<string, Primitive>> = {
  decimal: 'number',
  double: 'number',
  float: 'number',
  boolean: 'boolean',
  integer: 'integer',
  int: 'integer',
  long: 'integer',
  short: 'integer',
  byte: 'integer',
  unsignedInt: 'integer',
  unsignedLong: 'integer',
  unsignedShort: 'integer',
  unsignedByte: 'integer',
  nonNegativeInteger: 'integer',
  positiveInteger: 'integer',
  nonPositiveInteger: 'integer',
  negativeInteger: 'integer',
}

/** A type that extends itself, or a group inside itself, would never end. */
const DEEPEST = 30

const key = ({ namespace, name }: QualifiedName): string => `${namespace} ${name}`

/** The schemas of a service: which children an element has, in which order, and what is in them. */
export class Schemas {
  readonly #globals = new Map<string, Located>()

  /** `around`: the namespace of a schema that includes this one, which then is this one's too. */
  add(schema: XmlElement, around = ''): void {
    const namespace = schema.attributes.get('targetNamespace') ?? around
    const qualified = schema.attributes.get('elementFormDefault') === 'qualified'
    for (const node of schema.children) {
      const name = node.attributes.get('name')
      if (node.namespace !== XSD || name === undefined) continue
      const kind = node.name === 'simpleType' ? 'complexType' : node.name
      this.#globals.set(`${kind} ${key({ namespace, name })}`, { node, namespace, qualified })
    }
  }

  element(name: QualifiedName): Field | undefined {
    const found = this.#globals.get(`element ${key(name)}`)
    return found && { ...name, isList: false, type: typeOf(found) }
  }

  /** The children in the order of the schema; undefined where the type is not known. */
  fields(type: Field['type']): readonly Field[] | undefined {
    const found = this.#resolve(type)
    return found?.node.name === 'complexType' ? this.#content(found, false, 0) : undefined
  }

  primitive(type: Field['type'], depth = 0): Primitive {
    if (type === undefined || depth > DEEPEST) return 'text'
    if (!('node' in type) && type.namespace === XSD) return PRIMITIVES[type.name] ?? 'text'
    const found = this.#resolve(type)
    const base = found && baseOf(found.node)
    return base ? this.primitive(base, depth + 1) : 'text'
  }

  #resolve(type: Field['type']): Located | undefined {
    if (type === undefined || 'node' in type) return type
    return this.#globals.get(`complexType ${key(type)}`)
  }

  #content(at: Located, isList: boolean, depth: number): Field[] {
    if (depth > DEEPEST) return []
    return at.node.children.flatMap(node => this.#part({ ...at, node }, isList, depth + 1))
  }

  #part(at: Located, inList: boolean, depth: number): Field[] {
    if (at.node.namespace !== XSD) return []
    const isList = inList || repeats(at.node)
    switch (at.node.name) {
      case 'element':
        return this.#field(at, isList)
      case 'sequence':
      case 'all':
      case 'choice':
      case 'complexContent':
      case 'restriction':
        return this.#content(at, isList, depth)
      case 'extension': {
        const base = this.#resolve(reference(at.node, 'base'))
        return [...(base ? this.#content(base, isList, depth) : []), ...this.#content(at, isList, depth)]
      }
      case 'group': {
        const named = reference(at.node, 'ref')
        const group = named && this.#globals.get(`group ${key(named)}`)
        return group ? this.#content(group, isList, depth) : []
      }
      default:
        return []
    }
  }

  #field(at: Located, isList: boolean): Field[] {
    const named = reference(at.node, 'ref')
    if (named) return [{ ...(this.element(named) ?? { ...named, type: undefined }), isList }]
    const name = at.node.attributes.get('name')
    if (name === undefined) return []
    const form = at.node.attributes.get('form')
    const qualified = form === undefined ? at.qualified : form === 'qualified'
    return [{ name, namespace: qualified ? at.namespace : '', isList, type: typeOf(at) }]
  }
}

/** Named by an attribute, or written inside. */
function typeOf(at: Located): Field['type'] {
  const inside = childrenNamed(at.node, XSD, 'complexType')[0] ?? childrenNamed(at.node, XSD, 'simpleType')[0]
  return inside ? { ...at, node: inside } : reference(at.node, 'type')
}

const repeats = (node: XmlElement): boolean => {
  const most = node.attributes.get('maxOccurs') ?? '1'
  return most === 'unbounded' || Number(most) > 1
}

/** What a simple type, or the text of a complex one, is made from. */
function baseOf(type: XmlElement): QualifiedName | undefined {
  for (const child of type.children) {
    if (child.namespace !== XSD) continue
    if (child.name === 'restriction' || child.name === 'extension') return reference(child, 'base')
    if (child.name === 'simpleContent') return baseOf(child)
  }
  return undefined
}

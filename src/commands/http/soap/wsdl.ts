import { CommandFailure } from '../../failure.ts'
import { childNamed, childrenNamed, reference, type XmlElement } from '../xml-element.ts'
import { type QualifiedName, Schemas, XSD } from './schema.ts'

const WSDL = 'http://schemas.xmlsoap.org/wsdl/'
const BINDINGS: Readonly<Record<string, SoapVersion>> = {
  'http://schemas.xmlsoap.org/wsdl/soap/': '1.1',
  'http://schemas.xmlsoap.org/wsdl/soap12/': '1.2',
}

export type SoapVersion = '1.1' | '1.2'

export interface MessagePart {
  readonly name: string
  readonly element: QualifiedName | undefined
  readonly type: QualifiedName | undefined
}

/** All that is needed to call a method and to read what it answers. */
export interface Operation {
  readonly name: string
  readonly version: SoapVersion
  readonly action: string
  readonly endpoint: string | undefined
  readonly style: 'document' | 'rpc'
  /** Of the element that an rpc call is wrapped in. */
  readonly namespace: string
  readonly input: readonly MessagePart[]
  readonly output: readonly MessagePart[]
}

export interface WsdlDocument {
  readonly root: XmlElement
  readonly url: URL
}

/** Another document that this one is continued in. */
export interface Import {
  readonly url: URL
  /** The namespace that an included schema takes over. */
  readonly around: string
}

/** A service description, put together from all of its documents. */
export class Wsdl {
  readonly schemas = new Schemas()
  readonly #definitions: XmlElement[] = []

  /** Takes a document in; gives those that it refers to. */
  add({ root, url }: WsdlDocument, around = ''): Import[] {
    if (root.namespace === XSD && root.name === 'schema') return this.#addSchema(root, url, around)
    if (root.namespace !== WSDL || root.name !== 'definitions')
      throw new CommandFailure(
        'bad_wsdl',
        `What is at ${url.host}${url.pathname} is no WSDL 1.1: its root element is ${root.name}.`,
      )
    this.#definitions.push(root)
    const schemas = childrenNamed(root, WSDL, 'types').flatMap(types => childrenNamed(types, XSD, 'schema'))
    return [
      ...imported(root, WSDL, 'import', 'location', url, ''),
      ...schemas.flatMap(schema => this.#addSchema(schema, url, '')),
    ]
  }

  #addSchema(schema: XmlElement, url: URL, around: string): Import[] {
    this.schemas.add(schema, around)
    const namespace = schema.attributes.get('targetNamespace') ?? around
    return [
      ...imported(schema, XSD, 'import', 'schemaLocation', url, ''),
      ...imported(schema, XSD, 'include', 'schemaLocation', url, namespace),
    ]
  }

  /** The method, in the first port that has it, or in the one that is named. */
  operation(method: string, portName?: string): Operation {
    const ports = this.#ports(portName)
    for (const { port, binding, soap } of ports) {
      const bound = childrenNamed(binding, WSDL, 'operation').find(it => nameOf(it) === method)
      if (bound) return this.#operation(method, port, binding, soap, bound)
    }
    const methods = ports.flatMap(({ binding }) => childrenNamed(binding, WSDL, 'operation').map(nameOf))
    throw new CommandFailure('soap_no_method', `The service has no method ${method}.`, {
      hint: `It has: ${[...new Set(methods)].join(', ')}.`,
    })
  }

  #operation(
    name: string,
    port: XmlElement,
    binding: XmlElement,
    soap: XmlElement,
    bound: XmlElement,
  ): Operation {
    const own = childNamed(bound, soap.namespace, 'operation')
    const body = bodyIn(childNamed(bound, WSDL, 'input'), soap.namespace)
    const abstract = this.#abstract(name, binding)
    const style = own?.attributes.get('style') ?? soap.attributes.get('style')
    return {
      name,
      version: BINDINGS[soap.namespace]!,
      action: own?.attributes.get('soapAction') ?? '',
      endpoint: childNamed(port, soap.namespace, 'address')?.attributes.get('location'),
      style: style === 'rpc' ? 'rpc' : 'document',
      namespace: body?.attributes.get('namespace') ?? '',
      input: this.#parts(abstract && childNamed(abstract, WSDL, 'input')),
      output: this.#parts(abstract && childNamed(abstract, WSDL, 'output')),
    }
  }

  /** The ports that speak SOAP, with their binding. */
  #ports(wanted: string | undefined) {
    const all = this.#definitions
      .flatMap(root => childrenNamed(root, WSDL, 'service'))
      .flatMap(service => childrenNamed(service, WSDL, 'port'))
    const ports = all.flatMap(port => {
      const binding = this.#named('binding', reference(port, 'binding'))
      const soap = binding?.children.find(child => child.name === 'binding' && child.namespace in BINDINGS)
      return binding && soap ? [{ port, binding, soap }] : []
    })
    const chosen = wanted === undefined ? ports : ports.filter(({ port }) => nameOf(port) === wanted)
    if (chosen.length > 0) return chosen
    throw new CommandFailure(
      'soap_no_port',
      wanted === undefined
        ? 'The service has no port that speaks SOAP.'
        : `The service has no port ${wanted}.`,
      { hint: `Its ports: ${ports.map(({ port }) => nameOf(port)).join(', ') || 'none'}.` },
    )
  }

  #abstract(method: string, binding: XmlElement): XmlElement | undefined {
    const portType = this.#named('portType', reference(binding, 'type'))
    return portType && childrenNamed(portType, WSDL, 'operation').find(it => nameOf(it) === method)
  }

  #parts(direction: XmlElement | undefined): MessagePart[] {
    const message = direction && this.#named('message', reference(direction, 'message'))
    return (message ? childrenNamed(message, WSDL, 'part') : []).map(part => ({
      name: nameOf(part),
      element: reference(part, 'element'),
      type: reference(part, 'type'),
    }))
  }

  #named(kind: string, wanted: QualifiedName | undefined): XmlElement | undefined {
    if (!wanted) return undefined
    return this.#definitions
      .filter(root => (root.attributes.get('targetNamespace') ?? '') === wanted.namespace)
      .flatMap(root => childrenNamed(root, WSDL, kind))
      .find(node => nameOf(node) === wanted.name)
  }
}

const nameOf = (node: XmlElement): string => node.attributes.get('name') ?? ''

const bodyIn = (input: XmlElement | undefined, soap: string): XmlElement | undefined =>
  input && childNamed(input, soap, 'body')

function imported(
  node: XmlElement,
  namespace: string,
  name: string,
  attribute: string,
  base: URL,
  around: string,
): Import[] {
  return childrenNamed(node, namespace, name).flatMap(child => {
    const location = child.attributes.get(attribute)
    return location !== undefined && URL.canParse(location, base.href)
      ? [{ url: new URL(location, base), around }]
      : []
  })
}

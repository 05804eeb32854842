import type { Json } from '../../language/json.ts'
import { readXml } from './serializers/xml.ts'

/** An element with its namespace known: what WSDL, schemas and envelopes are read by, whatever prefixes they use. */
export interface XmlElement {
  readonly namespace: string
  readonly name: string
  /** By the name as written, declarations of namespaces left out. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  readonly text: string
  /** The prefixes in force here; the default namespace is under ''. */
  readonly prefixes: ReadonlyMap<string, string>
}

export function readElement(text: string): XmlElement {
  const [[name, value]] = Object.entries(readXml(text)) as [[string, Json]]
  return element(name, value, new Map([['xml', 'http://www.w3.org/XML/1998/namespace']]))
}

function element(written: string, value: Json, around: ReadonlyMap<string, string>): XmlElement {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const declared = texts.flatMap(([name, uri]): [string, string][] =>
    name === 'xmlns' ? [['', uri]] : name.startsWith('xmlns:') ? [[name.slice(6), uri]] : [],
  )
  const prefixes = declared.length === 0 ? around : new Map([...around, ...declared])
  const attributes = texts.filter(([name]) => !isText(name) && !/^xmlns(?::|$)/.test(name))
  return {
    ...qualified(written, prefixes),
    attributes: new Map(attributes.map(([name, text]) => [name.replace(/^@/, ''), text])),
    children: entries.flatMap(([name, items]) =>
      Array.isArray(items) ? items.map(item => element(name, item, prefixes)) : [],
    ),
    text: typeof value === 'string' ? value : (texts.find(([name]) => isText(name))?.[1] ?? ''),
    prefixes,
  }
}

const isText = (name: string): boolean => name === 'textContent' || name === '#text'

/** A name with a prefix, as it stands in an element or in the value of an attribute. */
function qualified(
  written: string,
  prefixes: ReadonlyMap<string, string>,
): { readonly namespace: string; readonly name: string } {
  const colon = written.indexOf(':')
  const prefix = colon < 0 ? '' : written.slice(0, colon)
  return { namespace: prefixes.get(prefix) ?? '', name: written.slice(colon + 1) }
}

export const childrenNamed = (parent: XmlElement, namespace: string, name: string): XmlElement[] =>
  parent.children.filter(child => child.namespace === namespace && child.name === name)

export const childNamed = (parent: XmlElement, namespace: string, name: string): XmlElement | undefined =>
  childrenNamed(parent, namespace, name)[0]

/** What is in an attribute that names something: `element="tns:GetPrice"`. */
export function reference(
  from: XmlElement,
  attribute: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const written = from.attributes.get(attribute)
  return written === undefined ? undefined : qualified(written.trim(), from.prefixes)
}

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"\r]|[^\t\n\x20-\u{10ffff}]/gu, char => ENTITIES[char] ?? '')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

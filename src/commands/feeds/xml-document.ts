import type { Json } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'
import { MalformedXml, parseXml } from '../mappers/xml.ts'
import { attributeOf, type XmlElement } from './xml-elements.ts'

/** The root of a document. */
export interface XmlRoot {
  /** Without its prefix. */
  readonly name: string
  /** With its colon, or nothing. */
  readonly prefix: string
  readonly element: XmlElement
}

/** Reads XML that was fetched; `what` is what it should have been. */
export function readXmlDocument(text: string, what: string): XmlRoot {
  try {
    const document = parseXml(withoutDoctype(text.trimStart())) as { readonly [name: string]: Json }
    const [[name, element]] = Object.entries(document) as [[string, Json]]
    const local = name.indexOf(':') + 1
    return { name: name.slice(local), prefix: name.slice(0, local), element }
  } catch (error) {
    if (!(error instanceof MalformedXml)) throw error
    throw new CommandFailure('bad_xml', `This is no ${what}: the XML is not valid. ${error.message}`)
  }
}

/**
 * Old feeds name their DTD, which nobody needs. One with declarations of its own is left, and so refused. What is taken
 * out leaves its room, so that the place of a mistake is told right.
 */
function withoutDoctype(text: string): string {
  const start = text.indexOf('<!DOCTYPE')
  const end = text.indexOf('>', start) + 1
  const root = text.search(/<[A-Za-z_]/)
  if (start < 0 || start > root || end === 0) return text
  const doctype = text.slice(start, end)
  if (doctype.includes('[')) return text
  return text.slice(0, start) + doctype.replace(/[^\n]/g, ' ') + text.slice(end)
}

/** The names of children in a document, whatever prefixes it uses for the vocabularies that are known here. */
export class Names {
  readonly #prefixes = new Map<string, string>()

  constructor(root: XmlElement, vocabularies: Readonly<Record<string, RegExp>>) {
    const declared = Object.keys((root ?? {}) as object).filter(key => /^@?xmlns(:|$)/.test(key))
    for (const [usual, address] of Object.entries(vocabularies)) {
      const found = declared.find(key => address.test(attributeOf(root, key.replace(/^@/, '')) ?? ''))
      this.#prefixes.set(usual, found === undefined ? `${usual}:` : prefixOf(found))
    }
  }

  /** `dc`, `creator`: as this document writes it. */
  of(vocabulary: string, name: string): string {
    return `${this.#prefixes.get(vocabulary) ?? `${vocabulary}:`}${name}`
  }
}

function prefixOf(declaration: string): string {
  const colon = declaration.indexOf(':')
  return colon < 0 ? '' : `${declaration.slice(colon + 1)}:`
}

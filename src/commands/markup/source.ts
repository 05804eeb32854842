import { html, type Token } from 'parse5'
import {
  type ChildNode,
  contentOf,
  type Element,
  isElement,
  isHtml,
  isText,
  type ParentNode,
} from './tree.ts'

interface Span {
  readonly outerStart: number
  readonly innerStart: number
  readonly innerEnd: number
  readonly outerEnd: number
}

const VOID = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
)
const RAW = new Set('style script xmp iframe noembed noframes plaintext'.split(' '))

/** The markup of a tree as a browser writes it. Written once; each element's own is a slice of it. */
export class MarkupSource {
  readonly whole: string
  readonly #parts: string[] = []
  readonly #spans = new Map<Element, Span>()
  #length = 0

  constructor(root: ParentNode) {
    this.#children(root)
    this.whole = this.#parts.join('')
  }

  inner(element: Element): string {
    const { innerStart, innerEnd } = this.#spans.get(element)!
    return this.whole.slice(innerStart, innerEnd)
  }

  outer(element: Element): string {
    const { outerStart, outerEnd } = this.#spans.get(element)!
    return this.whole.slice(outerStart, outerEnd)
  }

  #children(parent: ParentNode): void {
    for (const child of contentOf(parent).childNodes) this.#node(child)
  }

  #node(node: ChildNode): void {
    if (isElement(node)) this.#element(node)
    else if (isText(node)) this.#put(textOf(node.value, node.parentNode))
    else if (node.nodeName === '#comment') this.#put(`<!--${node.data}-->`)
    else this.#put(`<!DOCTYPE ${node.name}>`)
  }

  #element(element: Element): void {
    const outerStart = this.#length
    this.#put(`<${element.tagName}${element.attrs.map(attributeText).join('')}>`)
    const innerStart = this.#length
    this.#children(element)
    const innerEnd = this.#length
    if (!(isHtml(element) && VOID.has(element.tagName))) this.#put(`</${element.tagName}>`)
    this.#spans.set(element, { outerStart, innerStart, innerEnd, outerEnd: this.#length })
  }

  #put(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }
}

/** An attribute's name with its prefix, where it has one (`xlink:href`). */
export const attributeName = ({ name, prefix }: Token.Attribute): string =>
  prefix ? `${prefix}:${name}` : name

const attributeText = (attribute: Token.Attribute): string =>
  ` ${attributeName(attribute)}="${escaped(attribute.value).replaceAll('"', '&quot;')}"`

function textOf(value: string, parent: ParentNode | null): string {
  const isRaw =
    parent !== null && isElement(parent) && parent.namespaceURI === html.NS.HTML && RAW.has(parent.tagName)
  return isRaw ? value : escaped(value).replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('\u00a0', '&nbsp;')

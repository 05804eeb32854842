import { html, parse, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5'

export type Element = Tree.Element
export type Node = Tree.Node
export type ParentNode = Tree.ParentNode
export type ChildNode = Tree.ChildNode
export type TextNode = Tree.TextNode

/** As in browsers: what is nested deeper stands beside its parents instead, so that no page can exhaust the stack. */
const DEEPEST = 512

/** We run no scripts, so what a page shows without them is part of it. */
const options = { scriptingEnabled: false }

/** A whole page: it has a head and a body, whether they were written or not. */
export function parseDocument(text: string): Tree.Document {
  const document = parse(text, options)
  flattenBelow(document, DEEPEST)
  return document
}

/** HTML as it came: a whole page if it begins like one, otherwise a piece of one. */
export function parseMarkup(text: string): ParentNode {
  if (beginsDocument(text)) return parseDocument(text)
  const fragment = parseFragment(text, options)
  flattenBelow(fragment, DEEPEST)
  return fragment
}

const LEADING = /[\s\ufeff]*/y
const FIRST_TAG = /<(?:!doctype|html|head|body)(?=[\s/>])/iy

function beginsDocument(text: string): boolean {
  let at = 0
  for (;;) {
    LEADING.lastIndex = at
    LEADING.test(text)
    at = LEADING.lastIndex
    const end = text.startsWith('<!--', at)
      ? text.indexOf('-->', at)
      : text.startsWith('<?', at)
        ? text.indexOf('>', at)
        : -1
    if (end < 0) break
    at = text.indexOf('>', end) + 1
  }
  FIRST_TAG.lastIndex = at
  return FIRST_TAG.test(text)
}

export const isElement = (node: Node): node is Element => 'tagName' in node
export const isText = (node: Node): node is TextNode => node.nodeName === '#text'
export const isHtml = (element: Element): boolean => element.namespaceURI === html.NS.HTML

/** Where an element's markup is kept: a template's is not among its children. */
export const contentOf = (node: ParentNode): ParentNode => ('content' in node ? node.content : node)

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find(({ name: own, prefix }) => (prefix ? `${prefix}:${own}` : own) === name)?.value
}

/** Every element inside, in document order. What is in a template is no part of the page. */
export function elementsOf(root: ParentNode): Element[] {
  const found: Element[] = []
  const visit = (parent: ParentNode): void => {
    for (const child of parent.childNodes) {
      if (!isElement(child)) continue
      found.push(child)
      visit(child)
    }
  }
  visit(root)
  return found
}

/** All text inside, shown or not. */
export function textContent(root: Node): string {
  if (isText(root)) return root.value
  const parts: string[] = []
  const visit = (parent: ParentNode): void => {
    for (const child of parent.childNodes) {
      if (isText(child)) parts.push(child.value)
      else if (isElement(child)) visit(child)
    }
  }
  if ('childNodes' in root) visit(root)
  return parts.join('')
}

/** Not by recursion, since this is what makes recursion safe for everything after it. */
function flattenBelow(root: ParentNode, deepest: number): void {
  const open: { readonly node: ParentNode; readonly depth: number }[] = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next; next = open.pop()) {
    const content = contentOf(next.node)
    if (next.depth === deepest) content.childNodes = flattened(content)
    else
      for (const child of content.childNodes)
        if (isElement(child)) open.push({ node: child, depth: next.depth + 1 })
  }
}

/** All nodes inside, in document order, none inside another. */
function flattened(parent: ParentNode): ChildNode[] {
  const flat: ChildNode[] = []
  const waiting = parent.childNodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    flat.push(node)
    node.parentNode = parent
    if (!isElement(node)) continue
    const content = contentOf(node)
    for (const child of content.childNodes.toReversed()) waiting.push(child)
    content.childNodes = []
  }
  return flat
}

import { compile, selectAll } from 'css-select'
import { CommandFailure } from '../failure.ts'
import {
  attribute,
  type ChildNode,
  type Element,
  elementsOf,
  isElement,
  isHtml,
  type Node,
  type ParentNode,
  textContent,
} from './tree.ts'

/** Finds elements in a tree, in document order. */
export type Selector = (root: ParentNode) => Element[]

const childrenOf = (node: Node): ChildNode[] => ('childNodes' in node ? node.childNodes : [])
const parentOf = (node: Node): ParentNode | null => ('parentNode' in node ? node.parentNode : null)

/** Remembered for each parent: found anew for every child, a long list would take the square of its length. */
const previous = new WeakMap<ParentNode, Map<Node, Element | null>>()

function previousElement(node: Node): Element | null {
  const parent = parentOf(node)
  if (!parent) return null
  let known = previous.get(parent)
  if (!known) {
    known = new Map()
    let before: Element | null = null
    for (const child of parent.childNodes) {
      known.set(child, before)
      if (isElement(child)) before = child
    }
    previous.set(parent, known)
  }
  return known.get(node) ?? null
}

const adapter = {
  isTag: isElement,
  // Selectors are compared in lower case, while SVG has elements such as `linearGradient`.
  getName: (element: Element) => (isHtml(element) ? element.tagName : element.tagName.toLowerCase()),
  getAttributeValue: attribute,
  hasAttrib: (element: Element, name: string) => attribute(element, name) !== undefined,
  getChildren: childrenOf as (node: Node) => Node[],
  getParent: parentOf,
  getSiblings: (node: Node): Node[] => {
    const parent = parentOf(node)
    return parent ? parent.childNodes : [node]
  },
  prevElementSibling: previousElement,
  getText: textContent,
  removeSubsets: (nodes: Node[]) => nodes,
}

/** A CSS selector, or every element when there is none. Fails by name where it cannot be read. */
export function selectorOf(css: string | undefined): Selector {
  if (css === undefined) return elementsOf
  const query = compiled(css)
  // Like XML: otherwise it would not look into any `template`, and those of SVG and MathML have children like others.
  return root => selectAll<Node, Element>(query, root, { adapter, xmlMode: true })
}

function compiled(css: string) {
  try {
    if (css.trim() === '') throw new Error('It is empty')
    return compile<Node, Element>(css, { adapter })
  } catch (error) {
    throw new CommandFailure('bad_selector', `"${css}" is no CSS selector: ${reasonOf(error)}`, {
      hint: 'Write it as for querySelectorAll: ".product > a[href]", "tr:nth-child(2) td", "li:has(b)".',
    })
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

import type { Json } from '../../language/json.ts'
import { setKey } from '../../language/lenient-json.ts'
import { ReadableText } from './readable.ts'
import type { Selector } from './selector.ts'
import { attributeName, MarkupSource } from './source.ts'
import { type Element, isHtml, parseMarkup } from './tree.ts'

export type ElementColumns = { readonly [column: string]: Json }

/** What is told of each element that is selected in a piece of HTML. */
export function describeElements(text: string, select: Selector): ElementColumns[] {
  const root = parseMarkup(text)
  const found = select(root)
  if (found.length === 0) return []
  const readable = new ReadableText(root)
  const source = new MarkupSource(root)
  return found.map(element => ({
    nodeName: nodeName(element),
    attributes: attributesOf(element),
    innerText: readable.of(element),
    innerHTML: source.inner(element),
    outerHTML: source.outer(element),
  }))
}

/** As browsers say it: HTML's own in capitals, SVG's and MathML's as they are. */
const nodeName = (element: Element): string =>
  isHtml(element) ? element.tagName.toUpperCase() : element.tagName

function attributesOf(element: Element): Json {
  const attributes: Record<string, Json> = {}
  for (const attribute of element.attrs) setKey(attributes, attributeName(attribute), attribute.value)
  return attributes
}

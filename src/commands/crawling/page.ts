import { readableText } from '../markup/readable.ts'
import {
  attribute,
  type Element,
  elementsOf,
  isElement,
  isHtml,
  parseDocument,
  textContent,
} from '../markup/tree.ts'
import { canonicalAddress } from './address.ts'

/** What a crawl takes from a page. */
export interface Page {
  readonly title: string | undefined
  readonly text: string
  readonly links: readonly Link[]
  /** The page asks that its links are not followed. */
  readonly nofollow: boolean
}

export interface Link {
  readonly url: URL
  readonly nofollow: boolean
}

/** The attribute that links, for each element that leads to another page. */
const LINKING: Readonly<Record<string, string>> = { a: 'href', area: 'href', frame: 'src', iframe: 'src' }

export function readPage(html: string, address: URL): Page {
  const document = parseDocument(html)
  const elements = elementsOf(document).filter(isHtml)
  const title = elements.find(({ tagName }) => tagName === 'title')
  const body = elements.find(
    ({ tagName, parentNode }) => tagName === 'body' && parentNode !== null && isElement(parentNode),
  )
  return {
    title: title && (textContent(title).replace(/\s+/g, ' ').trim() || undefined),
    text: body ? readableText(body) : '',
    links: linksOf(elements, baseOf(elements, address)),
    nofollow: elements.some(asksNotToFollow),
  }
}

function linksOf(elements: readonly Element[], base: URL): Link[] {
  const links = new Map<string, Link>()
  for (const element of elements) {
    const name = LINKING[element.tagName]
    const written = name === undefined ? undefined : attribute(element, name)
    const url = written === undefined ? undefined : canonicalAddress(written, base)
    if (!url) continue
    const nofollow = /(?:^|\s)nofollow(?:\s|$)/i.test(attribute(element, 'rel') ?? '')
    // Linked once without it, the page may be followed.
    if (links.get(url.href)?.nofollow !== false) links.set(url.href, { url, nofollow })
  }
  return [...links.values()]
}

function baseOf(elements: readonly Element[], address: URL): URL {
  const base = elements.find(
    element => element.tagName === 'base' && attribute(element, 'href') !== undefined,
  )
  return (base && URL.parse(attribute(base, 'href')!, address.href)) || address
}

const asksNotToFollow = (element: Element): boolean =>
  element.tagName === 'meta' &&
  /^(?:robots|forage)$/i.test(attribute(element, 'name')?.trim() ?? '') &&
  saysNofollow(attribute(element, 'content') ?? '')

/** The words of a robots meta element or of an `X-Robots-Tag` header. */
export const saysNofollow = (words: string): boolean =>
  /(?:^|[\s,:])(?:nofollow|none)(?:[\s,]|$)/i.test(words)

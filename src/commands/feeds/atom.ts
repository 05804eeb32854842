import { readableText } from '../markup/readable.ts'
import { parseMarkup } from '../markup/tree.ts'
import { isoDate } from './dates.ts'
import { type Enclosure, type Feed, type FeedEntry, lengthOf } from './entry.ts'
import type { XmlRoot } from './xml-document.ts'
import { attributeOf, childrenNamed, textOf, type XmlElement } from './xml-elements.ts'

/** Atom 1.0, and 0.3 with its other names for the dates. */
export function readAtom({ prefix, element }: XmlRoot): Feed {
  const named = (parent: XmlElement, name: string) => childrenNamed(parent, prefix + name)
  return {
    title: plainText(named(element, 'title')[0]),
    link: linkOf(named(element, 'link')),
    entries: named(element, 'entry').map(entry => readEntry(name => named(entry, name), prefix)),
  }
}

function readEntry(named: (name: string) => readonly XmlElement[], prefix: string): FeedEntry {
  const links = named('link')
  const link = linkOf(links)
  const [content] = named('content')
  const authors = named('author').flatMap(author => textOf(childrenNamed(author, `${prefix}name`)[0]) ?? [])
  return {
    id: textOf(named('id')[0]) ?? link,
    title: plainText(named('title')[0]),
    link: link ?? attributeOf(content, 'src'),
    published: isoDate(textOf(named('published')[0] ?? named('issued')[0])),
    updated: isoDate(textOf(named('updated')[0] ?? named('modified')[0])),
    author: authors.length > 0 ? authors.join(', ') : undefined,
    summary: textOf(named('summary')[0]),
    content: textOf(content),
    categories: named('category').flatMap(category => attributeOf(category, 'term') ?? []),
    enclosure: enclosureOf(links),
  }
}

const relationOf = (link: XmlElement): string => attributeOf(link, 'rel') ?? 'alternate'

function linkOf(links: readonly XmlElement[]): string | undefined {
  const link = links.find(candidate => relationOf(candidate) === 'alternate')
  return attributeOf(link, 'href')
}

function enclosureOf(links: readonly XmlElement[]): Enclosure | undefined {
  const link = links.find(candidate => relationOf(candidate) === 'enclosure')
  const url = attributeOf(link, 'href')
  return url
    ? { url, type: attributeOf(link, 'type'), length: lengthOf(attributeOf(link, 'length')) }
    : undefined
}

/** A title may be HTML; it is told as text. */
function plainText(element: XmlElement | undefined): string | undefined {
  const text = textOf(element)
  const isMarkup = /html/.test(attributeOf(element, 'type') ?? '')
  return text !== undefined && isMarkup ? readableText(parseMarkup(text)) || undefined : text
}

const XHTML = /<((?:[\w.-]+:)?(?:content|summary|title))\b(?=[^<>]*\btype\s*=\s*["']xhtml["'])[^<>]*>/g

/**
 * Texts that are XHTML, escaped as if they were HTML: read as XML they would come apart into their elements, whose
 * order among each other is not kept.
 */
export function withEscapedXhtml(source: string): string {
  const parts: string[] = []
  let at = 0
  for (const opening of source.matchAll(XHTML)) {
    const start = opening.index + opening[0].length
    if (opening.index < at || opening[0].endsWith('/>')) continue
    const end = source.indexOf(`</${opening[1]}`, start)
    if (end < 0) break
    const inner = source.slice(start, end)
    parts.push(
      source.slice(at, start),
      inner.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    )
    at = end
  }
  return parts.join('') + source.slice(at)
}

import { isoDate } from './dates.ts'
import { type Enclosure, type Feed, type FeedEntry, lengthOf } from './entry.ts'
import { Names, type XmlRoot } from './xml-document.ts'
import { attributeOf, childrenNamed, textOf, type XmlElement } from './xml-elements.ts'

const VOCABULARIES = {
  dc: /^http:\/\/purl\.org\/dc\/elements\/1\.1\/$/,
  dcterms: /^http:\/\/purl\.org\/dc\/terms\/$/,
  content: /^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/$/,
  atom: /^http:\/\/www\.w3\.org\/2005\/Atom$/,
  rdf: /^http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#$/,
}

/** RSS 0.9x and 2.0, where the items are in the channel, and 0.90 and 1.0, where they are beside it. */
export function readRss({ name, element }: XmlRoot): Feed {
  const names = new Names(element, VOCABULARIES)
  const [channel] = childrenNamed(element, 'channel')
  const items = childrenNamed(name === 'RDF' ? element : channel, 'item')
  return {
    title: first(channel, 'title'),
    link: first(channel, 'link'),
    entries: items.map(item => readItem(item, names)),
  }
}

function readItem(item: XmlElement, names: Names): FeedEntry {
  const inside = (vocabulary: string, name: string) => first(item, names.of(vocabulary, name))
  const [guid] = childrenNamed(item, 'guid')
  const isLink = attributeOf(guid, 'isPermaLink') !== 'false'
  const link = first(item, 'link') ?? (isLink ? textOf(guid) : undefined)
  const categories = [...childrenNamed(item, 'category'), ...childrenNamed(item, names.of('dc', 'subject'))]
  return {
    id: textOf(guid) ?? attributeOf(item, names.of('rdf', 'about')) ?? link,
    title: first(item, 'title'),
    link,
    published: isoDate(first(item, 'pubDate') ?? inside('dc', 'date')),
    updated: isoDate(inside('atom', 'updated') ?? inside('dcterms', 'modified')),
    author: inside('dc', 'creator') ?? first(item, 'author'),
    summary: first(item, 'description'),
    content: inside('content', 'encoded'),
    categories: categories.flatMap(category => textOf(category) ?? []),
    enclosure: enclosureOf(childrenNamed(item, 'enclosure')[0]),
  }
}

function enclosureOf(element: XmlElement | undefined): Enclosure | undefined {
  const url = attributeOf(element, 'url')
  if (!url) return undefined
  return { url, type: attributeOf(element, 'type'), length: lengthOf(attributeOf(element, 'length')) }
}

const first = (element: XmlElement | undefined, name: string): string | undefined => {
  for (const child of childrenNamed(element, name)) {
    const text = textOf(child)
    if (text !== undefined) return text
  }
  return undefined
}

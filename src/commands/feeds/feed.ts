import { parseJson } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'
import { attribute, elementsOf, parseDocument } from '../markup/tree.ts'
import { readAtom, withEscapedXhtml } from './atom.ts'
import type { Feed } from './entry.ts'
import { readJsonFeed } from './json-feed.ts'
import { readRss } from './rss.ts'
import { readXmlDocument } from './xml-document.ts'

/** Any feed, by what it looks like rather than by its content type, which is often wrong. */
export function readFeed(text: string): Feed {
  const start = text.trimStart()
  const feed = start.startsWith('{') ? readJson(start) : start.startsWith('<') ? readXml(start) : undefined
  if (feed) return feed
  throw new CommandFailure('no_feed', 'What is there is no RSS, Atom or JSON feed.')
}

function readJson(text: string): Feed | undefined {
  try {
    return readJsonFeed(parseJson(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readXml(text: string): Feed | undefined {
  const root = readXmlDocument(text.includes('xhtml') ? withEscapedXhtml(text) : text, 'feed')
  if (root.name === 'feed') return readAtom(root)
  return root.name === 'rss' || root.name === 'RDF' ? readRss(root) : undefined
}

export const looksLikePage = (text: string): boolean =>
  /^\s*<(?:!doctype\s+html|html)\b/i.test(text.slice(0, 1024))

const TYPES = /^application\/(?:rss\+xml|atom\+xml|feed\+json)\b/i

/** The feed that a page names as its own. */
export function feedOfPage(html: string, address: URL): URL | undefined {
  const elements = elementsOf(parseDocument(html))
  const link = elements.find(
    element =>
      element.tagName === 'link' &&
      /(?:^|\s)alternate(?:\s|$)/i.test(attribute(element, 'rel') ?? '') &&
      TYPES.test(attribute(element, 'type')?.trim() ?? ''),
  )
  return (link && URL.parse(attribute(link, 'href') ?? '', address.href)) || undefined
}

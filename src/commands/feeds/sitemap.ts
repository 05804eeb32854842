import type { Row } from '../../language/json.ts'
import { CommandFailure } from '../failure.ts'
import { readXmlDocument } from './xml-document.ts'
import { childrenNamed, textOf, type XmlElement } from './xml-elements.ts'

/** Rows for the addresses in a sitemap, and the further sitemaps that it names. */
export interface Sitemap {
  readonly addresses: readonly Row[]
  readonly sitemaps: readonly string[]
}

/** A sitemap or an index of them, in XML or as plain text; a robots.txt is taken as an index as well. */
export function readSitemap(text: string): Sitemap {
  return text.trimStart().startsWith('<') ? readXml(text) : readLines(text)
}

function readXml(text: string): Sitemap {
  const { name, prefix, element } = readXmlDocument(text, 'sitemap')
  const named = (parent: XmlElement, child: string) => childrenNamed(parent, prefix + child)
  if (name === 'sitemapindex')
    return {
      addresses: [],
      sitemaps: named(element, 'sitemap').flatMap(entry => textOf(named(entry, 'loc')[0]) ?? []),
    }
  if (name !== 'urlset')
    throw new CommandFailure('no_sitemap', `What is there is no sitemap: its root is ${name}.`)
  return {
    addresses: named(element, 'url').map(entry => addressRow(child => textOf(named(entry, child)[0]))),
    sitemaps: [],
  }
}

function addressRow(read: (name: string) => string | undefined): Row {
  const priority = Number(read('priority') ?? 'none')
  const columns = {
    loc: read('loc'),
    lastmod: read('lastmod'),
    changefreq: read('changefreq'),
    priority: Number.isNaN(priority) ? undefined : priority,
  }
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function readLines(text: string): Sitemap {
  const lines = text.split(/\r\n?|\n/).map(line => line.trim())
  const sitemaps = lines.flatMap(line => /^sitemap\s*:\s*(\S+)/i.exec(line)?.[1] ?? [])
  const addresses = lines.filter(line => /^https?:\/\/\S+$/i.test(line)).map(loc => ({ loc }))
  const isOther = sitemaps.length === 0 && addresses.length === 0 && text.trim() !== ''
  if (isOther)
    throw new CommandFailure(
      'no_sitemap',
      'What is there is no sitemap: neither XML nor a list of addresses.',
    )
  return { addresses, sitemaps }
}

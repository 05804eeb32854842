import type { Json } from '../../language/json.ts'
import { isoDate } from './dates.ts'
import type { Enclosure, Feed, FeedEntry } from './entry.ts'

type Values = { readonly [key: string]: Json | undefined }

/** JSON Feed 1.0 and 1.1. */
export function readJsonFeed(document: Json): Feed | undefined {
  const feed = objectOf(document)
  if (!Array.isArray(feed.items)) return undefined
  return {
    title: textOf(feed.title),
    link: textOf(feed.home_page_url),
    entries: feed.items.map(item => readItem(objectOf(item))),
  }
}

function readItem(item: Values): FeedEntry {
  const link = textOf(item.url) ?? textOf(item.external_url)
  const authors = listOf(item.authors ?? (item.author === undefined ? [] : [item.author]))
  const names = authors.flatMap(author => textOf(objectOf(author).name) ?? [])
  return {
    id: textOf(item.id) ?? link,
    title: textOf(item.title),
    link,
    published: isoDate(textOf(item.date_published)),
    updated: isoDate(textOf(item.date_modified)),
    author: names.length > 0 ? names.join(', ') : undefined,
    summary: textOf(item.summary),
    content: textOf(item.content_html) ?? textOf(item.content_text),
    categories: listOf(item.tags).flatMap(tag => textOf(tag) ?? []),
    enclosure: enclosureOf(objectOf(listOf(item.attachments)[0])),
  }
}

function enclosureOf(attachment: Values): Enclosure | undefined {
  const url = textOf(attachment.url)
  const length = attachment.size_in_bytes
  return url === undefined
    ? undefined
    : { url, type: textOf(attachment.mime_type), length: typeof length === 'number' ? length : undefined }
}

const objectOf = (value: Json | undefined): Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Values) : {}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Numbers stand for ids in some feeds. */
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string'
    ? value.trim() || undefined
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : undefined

import type { Json, Row } from '../../language/json.ts'

/** What a feed says of itself. */
export interface FeedInfo {
  readonly title: string | undefined
  readonly link: string | undefined
}

export interface Feed extends FeedInfo {
  readonly entries: readonly FeedEntry[]
}

/** An entry, whichever kind of feed it came from. */
export interface FeedEntry {
  readonly id: string | undefined
  readonly title: string | undefined
  readonly link: string | undefined
  readonly published: string | undefined
  readonly updated: string | undefined
  readonly author: string | undefined
  readonly summary: string | undefined
  readonly content: string | undefined
  readonly categories: readonly string[]
  readonly enclosure: Enclosure | undefined
}

export interface Enclosure {
  readonly url: string
  readonly type: string | undefined
  readonly length: number | undefined
}

/** The rows of a feed that was found at an address; its links are completed. */
export function entryRows(feed: Feed, address: URL): Row[] {
  const about = present({ title: feed.title, link: completed(feed.link, address), url: address.href })
  return feed.entries.map(({ enclosure, categories, ...entry }) =>
    present({
      ...entry,
      link: completed(entry.link, address),
      categories: categories.length > 0 ? categories : undefined,
      enclosure: enclosure && present({ ...enclosure, url: completed(enclosure.url, address) }),
      _feed: about,
    }),
  )
}

const completed = (link: string | undefined, base: URL): string | undefined =>
  link === undefined ? undefined : (URL.parse(link, base.href)?.href ?? link)

const present = (columns: Readonly<Record<string, Json | undefined>>): Row =>
  Object.fromEntries(Object.entries(columns).filter((pair): pair is [string, Json] => pair[1] !== undefined))

/** A length that is told as text. */
export function lengthOf(text: string | undefined): number | undefined {
  const length = Number(text)
  return text && Number.isSafeInteger(length) && length > 0 ? length : undefined
}

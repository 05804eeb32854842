import { command, type ExpandContext } from './command.ts'
import { CommandFailure } from './failure.ts'
import { decodeText } from './http/charset.ts'
import { refusedStatus } from './http/status.ts'

const ACCEPT =
  'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.8'

export default command({
  name: 'feed',
  kind: 'expand',
  group: 'get',
  summary: 'Gives the entries of an RSS, Atom or JSON feed',
  help: 'All kinds of RSS (0.9x, 1.0, 2.0), Atom and JSON Feed give the same columns, those that an entry has: `id`, `title`, `link`, `published`, `updated`, `author` (several joined by commas), `summary`, `content`, `categories` (an array) and `enclosure.url`, `.type`, `.length`; `_feed.title`, `_feed.link` and `_feed.url` tell where it came from. Dates are ISO 8601 in UTC, and stay as written where they cannot be read; links are completed; `summary` and `content` may be HTML. If the address is a page that names a feed, that one is read.',
  arguments: [{ name: 'url', type: 'url', help: 'The address of the feed, or of a page that has one.' }],
  examples: [
    {
      title: 'RSS',
      query:
        'feed http://localhost:1969/feed.rss || head 1 || table title link published categories _feed.title',
      output: [
        {
          title: 'Granite 75',
          link: 'http://localhost:1969/shop/product/98',
          published: '2025-10-26T00:00:00.000Z',
          categories: ['Keyboards'],
          _feed: { title: 'Hedgerow: new products' },
        },
      ],
    },
    {
      title: 'Atom',
      query: 'feed http://localhost:1969/feed.atom || head 1 || table title updated categories',
      output: [{ title: 'Granite 75', updated: '2025-10-26T00:00:00.000Z', categories: ['keyboards'] }],
    },
    {
      title: 'By way of a page',
      query: 'feed http://localhost:1969/shop || count',
      output: [{ count: 20 }],
    },
  ],
  expand: async function* ({ args, fetch }) {
    // Loaded when they are needed: the start of the server should not wait for a parser of HTML.
    const { feedOfPage, looksLikePage, readFeed } = await import('./feeds/feed.ts')
    const { entryRows } = await import('./feeds/entry.ts')
    const found = await fetched(args.url, false, fetch)
    const linked = looksLikePage(found.text) ? feedOfPage(found.text, found.url) : undefined
    if (looksLikePage(found.text) && !linked)
      throw new CommandFailure('no_feed', 'What is there is a page, and it names no feed.')
    const { text, url } = linked ? await fetched(linked, true, fetch) : found
    yield* entryRows(readFeed(text), url)
  },
})

async function fetched(url: string | URL, fromData: boolean, fetch: ExpandContext<unknown>['fetch']) {
  const response = await fetch({ url, fromData, headers: { accept: ACCEPT } })
  if (response.status < 200 || response.status > 299) throw refusedStatus(response)
  return { text: decodeText(response.bytes, response.header('content-type')), url: response.url }
}

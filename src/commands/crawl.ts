import { unescape as decodeLoosely } from 'node:querystring'
import { pageBody } from './browsing/body.ts'
import { waitFlags } from './browsing/flags.ts'
import { command } from './command.ts'
import { canonicalAddress } from './crawling/address.ts'
import type { ReadPage } from './crawling/fetched-page.ts'
import { CommandFailure } from './failure.ts'

export default command({
  name: 'crawl',
  kind: 'expand',
  group: 'get',
  summary: 'Follows the links of a site and gives a row for each page',
  help: [
    'Breadth-first from the address, inside the same host and port; the scheme may change, and where the first page redirects to another host, that one is the site. A row has `url`, `depth` (links from the first page), `referrer` (the page on which it was first linked), `status`, `title`, `text`, `html` and `type`. What is no HTML is listed without title, text and html; so is a redirect that leaves the site. A page that cannot be fetched has `_error`. Links are taken from `a`, `area`, `frame` and `iframe`, and followed from pages that answered with 2xx.',
    'No page is visited twice: an address is the same with another fragment, the default port, `..` in its path or needless escapes, but not with its query in another order.',
    'A glob has `*` for any characters. One that begins with `/` is for the path and the query, any other for the whole address. The first page is visited whatever the globs say.',
    '`robots.txt`, `nofollow` on a link, in a `robots` meta element or in `X-Robots-Tag` are kept to, unless `--robots false`. Pages are fetched at the pace that the policy of the domain allows, four at once at most.',
    'Scripts are not run, unless by `--browser`: then each page is opened in the browser, and `title`, `text`, `html` and the links are those of the page as its scripts have made it. `X-Robots-Tag` is not seen then.',
  ].join('\n\n'),
  arguments: [{ name: 'url', type: 'url', help: 'The page to begin with.' }],
  flags: [
    {
      name: 'depth',
      type: 'integer',
      min: 0,
      max: 1000,
      default: 3,
      help: 'How many links away from the first page to go.',
    },
    { name: 'pages', type: 'integer', min: 1, max: 100_000, default: 100, help: 'The most pages to visit.' },
    {
      name: 'match',
      type: 'text',
      repeated: true,
      help: 'Follow only links that fit this glob, or one of these.',
    },
    {
      name: 'exclude',
      type: 'text',
      repeated: true,
      help: 'Follow no links that fit this glob, or one of these.',
    },
    {
      name: 'robots',
      type: 'boolean',
      default: true,
      help: 'Whether to keep to what the site asks of crawlers.',
    },
    {
      name: 'browser',
      type: 'boolean',
      default: false,
      help: 'Whether the pages are opened in the browser, so that their scripts run.',
    },
    ...waitFlags,
    {
      name: 'maxBytes',
      type: 'integer',
      min: 1,
      max: 104_857_600,
      default: 5_242_880,
      help: 'The most bytes of a page, unpacked; a larger one has `_error`. The browser has its own limit.',
    },
  ],
  examples: [
    {
      title: 'A list and the pages that follow it',
      query:
        'crawl http://localhost:1969/shop/laptops --match "/shop/laptops?page=*" || table url depth status title referrer',
      output: [
        {
          url: 'http://localhost:1969/shop/laptops',
          depth: 0,
          status: 200,
          title: 'Laptops · Hedgerow',
        },
        {
          url: 'http://localhost:1969/shop/laptops?page=2',
          depth: 1,
          status: 200,
          title: 'Laptops, page 2 · Hedgerow',
          referrer: 'http://localhost:1969/shop/laptops',
        },
      ],
    },
    {
      title: 'A whole shop: how many pages are how far away',
      query:
        'crawl http://localhost:1969/shop --pages 1000 --match "/shop*" --exclude "*?q=*" || stats "count() as pages" --by depth',
      output: [
        { depth: 0, pages: 1 },
        { depth: 1, pages: 33 },
        { depth: 2, pages: 101 },
      ],
    },
    {
      title: 'What is no page is listed by its type; what robots.txt forbids is not visited',
      query: 'crawl http://localhost:1969/shop --match "/feed.*" --match /private || table url status type',
      output: [
        { url: 'http://localhost:1969/shop', status: 200, type: 'text/html' },
        { url: 'http://localhost:1969/feed.rss', status: 200, type: 'application/rss+xml' },
      ],
    },
    {
      title: 'Pages as their scripts make them',
      query:
        'crawl http://localhost:1969/script --browser --wait "[data-ready]" --depth 0 || html html --selector ".product .price" || table title _html.innerText || head 1',
      output: [{ title: 'Made by script · Hedgerow', _html: { innerText: '$702.00' } }],
    },
  ],
  expand: async function* (context) {
    const { args, flags } = context
    const start = canonicalAddress(args.url)
    if (!start)
      throw new CommandFailure('bad_url', `"${args.url}" is no address to crawl.`, {
        hint: 'Write it with https:// in front.',
      })
    const { match = [], exclude = [], browser, ...limits } = flags
    const options = { ...limits, match, exclude, authorization: basicOf(args.url) }
    // Loaded when it is needed: the start of the server should not wait for a parser of HTML.
    const { Crawler } = await import('./crawling/crawler.ts')
    const { fetchPage } = await import('./crawling/fetched-page.ts')
    const { renderPage } = await import('./crawling/rendered-page.ts')
    const read: ReadPage = browser
      ? request => renderPage(request, pageBody(request.url.href, flags), context.browser)
      : request => fetchPage(request, context)
    yield* new Crawler(start, options, context, read).rows()
  },
})

/** The name and password that stand in an address. */
function basicOf(address: string): string | undefined {
  const { username, password } = new URL(address)
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${decodeLoosely(username)}:${decodeLoosely(password)}`).toString('base64')}`
}

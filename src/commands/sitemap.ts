import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { NetworkError } from '../network/errors.ts'
import { command, type ExpandContext } from './command.ts'
import { CommandFailure } from './failure.ts'
import { readSitemap, type Sitemap } from './feeds/sitemap.ts'
import { decodeText } from './http/charset.ts'
import { refusedStatus } from './http/status.ts'

/** Twice what the protocol lets a sitemap have, unpacked. */
const MOST_BYTES = 100 * 1024 * 1024

export default command({
  name: 'sitemap',
  kind: 'expand',
  group: 'get',
  summary: 'Gives the addresses in a sitemap',
  help: 'A row for each address: `loc`, and where the sitemap says so `lastmod`, `changefreq` and `priority`; `_sitemap` is the file it stands in. The sitemaps that an index names are read too, one after the other, each once; so are those of a robots.txt. They may be XML or plain text, and gzipped. One that an index names but that cannot be read is a row with `_error`.',
  arguments: [
    {
      name: 'url',
      type: 'url',
      help: 'The address of the sitemap, of an index, or of a robots.txt.',
    },
  ],
  flags: [
    {
      name: 'files',
      type: 'integer',
      min: 1,
      max: 50_000,
      default: 50,
      help: 'The most files to read, the first one included.',
    },
  ],
  examples: [
    {
      title: 'An index of two sitemaps',
      query: 'sitemap http://localhost:1969/sitemap.xml || count _sitemap',
      output: [
        { _sitemap: 'http://localhost:1969/sitemap-pages.xml', count: 16 },
        { _sitemap: 'http://localhost:1969/sitemap-products.xml', count: 120 },
      ],
    },
    {
      title: 'The product pages, the newest first',
      query:
        'sitemap http://localhost:1969/sitemap-products.xml || sort lastmod --order descending || head 1',
      output: [
        {
          loc: 'http://localhost:1969/shop/product/98',
          lastmod: '2025-10-26',
          _sitemap: 'http://localhost:1969/sitemap-products.xml',
        },
      ],
    },
  ],
  expand: async function* ({ args, flags, fetch, warn }) {
    const waiting = [new URL(args.url)]
    const known = new Set([waiting[0]!.href])
    let read = 0
    for (let url = waiting.shift(); url; url = waiting.shift()) {
      if (read >= flags.files) {
        const left = waiting.length + 1
        warn(
          'sitemap_files',
          `${left} sitemap${left === 1 ? ' was' : 's were'} not read: --files ${flags.files} is the limit, and can be raised.`,
        )
        return
      }
      const file = url.href
      const sitemap = await fetched(url, read > 0, fetch)
      read++
      for (const row of sitemap.addresses) yield { ...row, _sitemap: file }
      for (const address of sitemap.sitemaps) {
        const next = URL.parse(address, file)
        if (!next || known.has(next.href)) continue
        known.add(next.href)
        waiting.push(next)
      }
    }
  },
})

/** The first must be there; any other that is not is only told of. */
async function fetched(
  url: URL,
  fromIndex: boolean,
  fetch: ExpandContext<unknown>['fetch'],
): Promise<Sitemap> {
  try {
    const response = await fetch({ url, fromData: fromIndex, maxBytes: MOST_BYTES })
    if (response.status < 200 || response.status > 299) throw refusedStatus(response)
    return readSitemap(decodeText(await unpacked(response.bytes), response.header('content-type')))
  } catch (error) {
    const isOfFile =
      error instanceof CommandFailure || (error instanceof NetworkError && error.code !== 'aborted')
    if (!fromIndex || !isOfFile) throw error
    return { addresses: [{ _error: { code: error.code, message: error.message } }], sitemaps: [] }
  }
}

/** Told by its first bytes: the content type of a `.xml.gz` is anything. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES })
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new CommandFailure(
      isTooLarge ? 'too_large' : 'bad_gzip',
      isTooLarge
        ? 'The sitemap has more than 100 MiB when it is unpacked.'
        : 'The sitemap is not packed as GZIP should be.',
    )
  }
}

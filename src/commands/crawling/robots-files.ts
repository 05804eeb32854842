import { decodeText } from '../http/charset.ts'
import type { CrawlContext } from './context.ts'
import { allowAll, forbidAll, parseRobots, type RobotsRules } from './robots.ts'

/** The name by which a robots.txt addresses us: what the client sends as its user agent. */
const AGENT = 'forage'

/** As much of a robots.txt as is read. */
const MOST_BYTES = 512 * 1024

const MOST_KEPT = 1000

type Fetcher = Pick<CrawlContext, 'send' | 'queryId'>

/** Read once for a query and a site, however many of its rows crawl there. */
const kept = new Map<string, Promise<RobotsRules>>()

export function robotsFor(url: URL, context: Fetcher): Promise<RobotsRules> {
  const key = `${context.queryId} ${url.origin}`
  const known = kept.get(key)
  if (known) return known
  const rules = fetchRobots(new URL('/robots.txt', url), context)
  kept.set(key, rules)
  // The next to ask may have more luck, or may not have been cancelled.
  rules.catch(() => kept.delete(key))
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  return rules
}

/** Without the file everything is allowed; while the server cannot say, nothing is (RFC 9309, 2.3.1). */
async function fetchRobots(url: URL, { send }: Fetcher): Promise<RobotsRules> {
  const response = await send({ url, fromData: true })
  if (response.status >= 200 && response.status <= 299) {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response.stream() as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= MOST_BYTES) break
    }
    return parseRobots(decodeText(Buffer.concat(chunks).subarray(0, MOST_BYTES)), AGENT)
  }
  response.discard()
  return response.status >= 500 ? forbidAll : allowAll
}

import { ForageError } from '../../errors.ts'
import type { Row } from '../../language/json.ts'
import { NetworkError } from '../../network/errors.ts'
import { CommandFailure } from '../failure.ts'
import { canonicalAddress } from './address.ts'
import type { CrawlContext } from './context.ts'
import type { FetchedPage, PageRequest, ReadPage } from './fetched-page.ts'
import { Frontier, type Waiting } from './frontier.ts'
import type { Link } from './page.ts'
import { robotsFor } from './robots-files.ts'
import { fitsAddress } from './wildcard.ts'

export interface CrawlOptions {
  readonly depth: number
  readonly pages: number
  readonly match: readonly string[]
  readonly exclude: readonly string[]
  readonly robots: boolean
  readonly maxBytes: number
  /** Sent to the origin of the first page. */
  readonly authorization: string | undefined
}

/** Pages that are fetched side by side, as far as the domain's policy lets them. */
const AT_ONCE = 4

/** Characters of all pages together: the rows of one crawl are in memory until it is done. */
const MOST_CHARACTERS = 256 * 1024 * 1024

const MOST_REDIRECTS = 10

interface Visited {
  readonly row: Row
  readonly links: readonly Link[]
}

/** One crawl: the pages of a site, nearest first, each once. */
export class Crawler {
  readonly #start: URL
  readonly #options: CrawlOptions
  readonly #context: CrawlContext
  readonly #read: ReadPage
  readonly #frontier: Frontier
  /** Host and port of the site: where the first page turned out to be. */
  #site: string
  readonly #forbidden: string[] = []
  #listed = 0
  #characters = 0

  constructor(start: URL, options: CrawlOptions, context: CrawlContext, read: ReadPage) {
    this.#start = start
    this.#site = start.host
    this.#options = options
    this.#context = context
    this.#read = read
    this.#frontier = new Frontier(options.depth)
  }

  /**
   * The rows of the pages. Several are on their way at once, but they are taken in the order in which they were
   * started, so that the same site gives the same rows.
   */
  async *rows(): AsyncGenerator<Row> {
    this.#frontier.add({ url: this.#start, depth: 0, referrer: undefined })
    const running: { readonly page: Waiting; readonly outcome: Promise<Visited | undefined | Failed> }[] = []
    for (;;) {
      while (running.length < AT_ONCE && this.#hasRoom(running.length)) {
        const page = this.#frontier.next()
        if (!page) break
        running.push({ page, outcome: this.#visit(page).catch(error => new Failed(error)) })
      }
      const oldest = running.shift()
      if (!oldest) break
      const visited = await oldest.outcome
      if (visited instanceof Failed) throw visited.reason
      if (visited) yield this.#take(visited, oldest.page.depth)
    }
    this.#warnOfLimits()
  }

  #hasRoom(running: number): boolean {
    return this.#listed + running < this.#options.pages && this.#characters < MOST_CHARACTERS
  }

  #take({ row, links }: Visited, depth: number): Row {
    this.#listed++
    this.#characters += String(row.html ?? '').length + String(row.text ?? '').length
    const referrer = String(row.url)
    for (const { url, nofollow } of links) {
      if (nofollow && this.#options.robots) continue
      if (this.#isWanted(url)) this.#frontier.add({ url, depth: depth + 1, referrer })
    }
    return row
  }

  #isWanted(url: URL): boolean {
    const { match, exclude } = this.#options
    return (
      url.host === this.#site &&
      (match.length === 0 || match.some(pattern => fitsAddress(pattern, url))) &&
      !exclude.some(pattern => fitsAddress(pattern, url))
    )
  }

  /** A page that cannot be fetched is a row with `_error`; without the first one there is no crawl. */
  async #visit(page: Waiting): Promise<Visited | undefined> {
    try {
      return await this.#follow(page)
    } catch (error) {
      const isFirst = page.depth === 0
      const isOfThePage = error instanceof NetworkError || error instanceof ForageError
      if (isFirst || !isOfThePage || error.code === 'aborted') throw error
      const { code, message } = error
      return { row: { ...rowOf(page, page.url), _error: { code, message } }, links: [] }
    }
  }

  /** Redirects are followed here, so that where they lead is visited once and keeps to the rules like any other page. */
  async #follow(page: Waiting): Promise<Visited | undefined> {
    let { url } = page
    for (let redirects = 0; ; redirects++) {
      if (!(await this.#mayVisit(url, page))) return undefined
      const fetched = await this.#read(this.#requestFor(url, page.depth > 0 || redirects > 0))
      const target = fetched.location === undefined ? undefined : canonicalAddress(fetched.location, url)
      if (!target) return { row: rowOf(page, url, fetched), links: this.#linksOf(fetched) }
      if (page.depth === 0) this.#site = target.host
      const isNew = target.host === this.#site && redirects < MOST_REDIRECTS && this.#frontier.meet(target)
      if (!isNew) {
        const isKnown = target.host === this.#site && redirects < MOST_REDIRECTS && page.depth > 0
        return isKnown ? undefined : { row: rowOf(page, url, fetched), links: [] }
      }
      url = target
      if (fetched.hasArrived)
        return (await this.#mayVisit(url, page))
          ? { row: rowOf(page, url, fetched), links: this.#linksOf(fetched) }
          : undefined
    }
  }

  /** A name and password in the first address are for its origin alone. */
  #requestFor(url: URL, fromData: boolean): PageRequest {
    const { authorization, maxBytes } = this.#options
    const isOwn = authorization !== undefined && url.origin === this.#start.origin
    return { url, fromData, maxBytes, ...(isOwn && { authorization }) }
  }

  async #mayVisit(url: URL, page: Waiting): Promise<boolean> {
    if (!this.#options.robots) return true
    const rules = await robotsFor(url, this.#context)
    if (rules.crawlDelay !== undefined)
      this.#context.warn(
        'crawl_delay',
        `The robots.txt of ${url.host} asks for ${rules.crawlDelay} s between two pages. A domain policy for it keeps to that.`,
      )
    if (rules.allows(url)) return true
    if (page.depth === 0)
      throw new CommandFailure(
        'robots_forbidden',
        `The robots.txt of ${url.host} forbids ${url.href}, or cannot be read.`,
        {
          hint: 'If the site is yours or allows it otherwise, --robots false crawls it nevertheless.',
        },
      )
    this.#forbidden.push(url.href)
    return false
  }

  #linksOf({ page, status, nofollow }: FetchedPage): readonly Link[] {
    if (!page || status < 200 || status > 299 || (nofollow && this.#options.robots)) return []
    return page.links
  }

  #warnOfLimits(): void {
    const { pages, depth } = this.#options
    const { warn } = this.#context
    const { waiting, tooDeep } = this.#frontier
    const left = waiting === 1 ? '1 address was' : `${waiting} addresses were`
    if (waiting > 0 && this.#listed >= pages)
      warn(
        'crawl_pages',
        `The crawl ended at ${pages} pages, when ${left} still to be visited. --pages raises the limit.`,
      )
    else if (waiting > 0)
      warn(
        'crawl_size',
        `The crawl ended when its pages filled 256 MiB and ${left} still to be visited. Crawl parts of the site, by --match.`,
      )
    if (tooDeep > 0)
      warn(
        'crawl_depth',
        `${tooDeep} page${tooDeep === 1 ? '' : 's'} deeper than ${depth} links from the first ${tooDeep === 1 ? 'was' : 'were'} not visited. --depth raises the limit.`,
      )
    const [first] = this.#forbidden
    if (first !== undefined)
      warn(
        'crawl_robots',
        `robots.txt forbids ${this.#forbidden.length} of the pages that were linked, such as ${first}. --robots false visits them.`,
      )
  }
}

/** Kept until its turn comes: thrown at once, it would be nobody's. */
class Failed {
  readonly reason: unknown
  constructor(reason: unknown) {
    this.reason = reason
  }
}

/** The columns in the order in which they are told. */
function rowOf({ depth, referrer }: Waiting, url: URL, fetched?: FetchedPage): Row {
  const { status, type, html, page } = fetched ?? {}
  const columns = { url: url.href, depth, status, title: page?.title, text: page?.text, html, referrer, type }
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

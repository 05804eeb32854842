/** A page that is to be visited. */
export interface Waiting {
  readonly url: URL
  readonly depth: number
  /** The page on which it was first linked. */
  readonly referrer: string | undefined
}

/** Addresses that are remembered: a site that makes up links without end must not fill the memory. */
const MOST_KNOWN = 1_000_000

/** What a crawl has yet to visit, nearest first, and what it has met: no page comes out twice. */
export class Frontier {
  readonly #waiting: (Waiting | undefined)[] = []
  readonly #known = new Set<string>()
  readonly #deepest: number
  #at = 0
  /** Pages that were met only beyond the depth. */
  tooDeep = 0

  constructor(deepest: number) {
    this.#deepest = deepest
  }

  get waiting(): number {
    return this.#waiting.length - this.#at
  }

  /** True the first time that an address is met. */
  meet(url: URL): boolean {
    if (this.#known.has(url.href) || this.#known.size >= MOST_KNOWN) return false
    this.#known.add(url.href)
    return true
  }

  add(page: Waiting): void {
    if (!this.meet(page.url)) return
    if (page.depth > this.#deepest) this.tooDeep++
    else this.#waiting.push(page)
  }

  next(): Waiting | undefined {
    const page = this.#waiting[this.#at]
    if (page) this.#waiting[this.#at++] = undefined
    return page
  }
}

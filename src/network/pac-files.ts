import type { Lookup } from './dialer.ts'
import { PacFile, type Route } from './pac.ts'
import type { Reach } from './policy.ts'
import type { Scope } from './scope.ts'

/** A PAC file as it was fetched, with what it may reach: proxies that a public file names must be public. */
export interface FetchedPac {
  readonly source: string
  readonly scope: Scope
}
export interface RouteChoice {
  readonly route: Route
  readonly proxyReach: Reach
}
interface Loaded {
  readonly pac: PacFile
  readonly scope: Scope
}
interface Entry {
  readonly loading: Promise<Loaded>
  readonly expiry: NodeJS.Timeout
}

const lifeMs = 5 * 60_000
const most = 16

/** The PAC files in use, each fetched once in a while and running on its thread meanwhile. */
export class PacFiles {
  readonly #entries = new Map<string, Entry>()
  readonly #fetch: (url: string) => Promise<FetchedPac>
  readonly #lookup: Lookup

  constructor(fetch: (url: string) => Promise<FetchedPac>, lookup: Lookup) {
    this.#fetch = fetch
    this.#lookup = lookup
  }

  async routes(pacUrl: string, url: URL): Promise<readonly RouteChoice[]> {
    const { loading } = this.#entries.get(pacUrl) ?? this.#open(pacUrl)
    try {
      const { pac, scope } = await loading
      const routes = await pac.routes(url)
      return routes.map(route => ({
        route,
        proxyReach: route === 'direct' ? 'public' : scope.reach(route.host),
      }))
    } catch (error) {
      // Fetched anew by whoever asks next: a file that was mended must not stay broken here.
      this.#drop(pacUrl)
      throw error
    }
  }

  close(): void {
    for (const pacUrl of [...this.#entries.keys()]) this.#drop(pacUrl)
  }

  #open(pacUrl: string): Entry {
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= most && oldest !== undefined) this.#drop(oldest)
    const entry = {
      loading: this.#load(pacUrl),
      expiry: setTimeout(() => this.#drop(pacUrl), lifeMs).unref(),
    }
    this.#entries.set(pacUrl, entry)
    return entry
  }

  #drop(pacUrl: string): void {
    const entry = this.#entries.get(pacUrl)
    this.#entries.delete(pacUrl)
    clearTimeout(entry?.expiry)
    entry?.loading.then(
      ({ pac }) => pac.close(),
      () => {},
    )
  }

  async #load(pacUrl: string): Promise<Loaded> {
    const { source, scope } = await this.#fetch(pacUrl)
    return { pac: new PacFile(source, this.#lookup), scope }
  }
}

import type { Reach } from './policy.ts'

/** A host as it is compared: lower case, without the brackets of IPv6 and without a final dot. */
export function hostKey(hostname: string): string {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname
  return (bare.endsWith('.') ? bare.slice(0, -1) : bare).toLowerCase()
}

/**
 * What one job may reach. It begins with the host that the user wrote: only when that host itself turns out to be
 * local may the job go on to other local hosts. What it turned out to be is noted from the connection that was made,
 * not from asking again: a name that resolves to a public address first and to a private one afterwards gains nothing.
 */
export class Scope {
  readonly #written: string | undefined
  #local: boolean | undefined

  /** `written`: the host in the text of the query or request; none for an address that came from data. */
  constructor(written?: string) {
    this.#written = written === undefined ? undefined : hostKey(written)
    if (written === undefined) this.#local = false
  }

  static ofUrl(url: string | URL): Scope {
    return new Scope(new URL(url).hostname)
  }

  reach(host: string): Reach {
    // A host that was public once stays so for this job, also when its name resolves differently the next time.
    if (this.#local === false) return 'public'
    return this.#local === true || hostKey(host) === this.#written ? 'local' : 'public'
  }

  /** Notes where a connection to `host` really went. */
  note(host: string, isPublic: boolean): void {
    if (hostKey(host) !== this.#written) return
    this.#local = this.#local !== false && !isPublic
  }

  /** The job now shows a public page: from here on it reaches nothing local. */
  leaveLocal(): void {
    this.#local = false
  }
}

import type { WindowName } from './limits.ts'
import type { AppliedPolicy } from './policy-book.ts'

export interface Verdict {
  readonly go: boolean
  /** When to ask again: 0 with `go`, null when never. */
  readonly retryAfterMs: number | null
  /** What it was judged by; null where nothing limits. */
  readonly policy: AppliedPolicy | null
}

/** A domain that somebody waits for. */
export interface WaitingDomain {
  readonly domain: string
  /** When its next turn is, epoch ms. */
  readonly untilMs: number
  readonly jobs: number
}

/** How much of its limits a domain has used at this moment. */
export interface DomainUse {
  readonly domain: string
  /** Null where nothing limits; such a domain is here only while it is held back. */
  readonly policy: AppliedPolicy | null
  /** By their names in a policy: how many dispatches each window holds. */
  readonly used: Readonly<Record<WindowName, number>>
  /** Until when the domain itself asked for patience, epoch ms; undefined when it does not. */
  readonly heldUntilMs: number | undefined
  /** How many wait for it, and when the next of them goes, epoch ms. */
  readonly waiting: number
  readonly nextMs: number | undefined
}

/** Says when a host may be asked again. Hosts are in the form of `readHost`. */
export interface Limiter {
  /** Books one dispatch if there is room now. The same id within 60 s books nothing more. */
  tryBook(host: string, id?: string): Verdict | Promise<Verdict>
  /**
   * Books one dispatch when it is its turn: first come, first served for each host, and no host waits for another.
   * `owner` (a query's id) is for `waiting`. Rejects with `forbidden` when a limit is 0.
   */
  acquire(host: string, signal?: AbortSignal, owner?: string): Promise<void>
  /** Nobody asks this host before then (epoch ms; at most an hour from now). An earlier hold never shortens a later one. */
  holdBack(host: string, untilMs: number): void | Promise<void>
  /** Whom those wait for who wait, all or those of one owner. */
  waiting(owner?: string): readonly WaitingDomain[]
}

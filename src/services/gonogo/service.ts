import { ForageError } from '../../errors.ts'
import type { Catalog } from '../../storage/catalog/catalog.ts'
import type { Service } from '../service.ts'
import { readHost } from './domains.ts'
import type { Verdict } from './limiter.ts'
import { defaultLimits, windowMs, windowNames } from './limits.ts'
import { MemoryLimiter } from './memory-limiter.ts'
import { Policies } from './policies.ts'
import { PolicyBook } from './policy-book.ts'
import { type Dispatches, roomAfter } from './windows.ts'

/** gonogo: how often a domain may be asked. */
export class GonogoService implements Service {
  readonly name = 'gonogo'
  readonly needs = []
  readonly policies: Policies
  /** Lives as long as the process: a restart of the service must not forget what was asked of whom. */
  readonly limiter: MemoryLimiter
  readonly #book = new PolicyBook()

  constructor(catalog: Catalog) {
    this.policies = new Policies(catalog, () => this.#load())
    this.limiter = new MemoryLimiter(this.#book)
  }

  async start(): Promise<void> {
    await this.#load()
  }

  async stop(): Promise<void> {}

  detail(): string {
    const waiting = this.limiter.waiting()
    const jobs = waiting.reduce((sum, domain) => sum + domain.jobs, 0)
    return `${this.#book.size} domain policies; ${jobs} jobs wait for ${waiting.length} domains`
  }

  /** Books one dispatch if the domain's policy has room; the same id within 60 s books nothing more. */
  enforce(domain: string, id: string): Verdict {
    return this.limiter.tryBook(hostOf(domain), id)
  }

  /** How much of its limits each domain uses that is being asked; see `MemoryLimiter.domains`. */
  domains() {
    return this.limiter.domains().map(({ domain, policy, used, waiting, heldUntilMs, nextMs }) => ({
      domain,
      policy,
      windows: windowNames.map(name => ({
        seconds: windowMs[name] / 1000,
        used: used[name],
        limit: policy?.policy[name] ?? null,
      })),
      heldUntil: timeOf(heldUntilMs),
      waiting,
      nextAt: timeOf(nextMs),
    }))
  }

  /** Whether one more dispatch is in order after those told, and nothing else. Books nothing. */
  check(domain: string, dispatches: Dispatches, now = Date.now()): Verdict {
    const policy = this.#book.match(hostOf(domain))
    const roomAt = policy ? roomAfter(dispatches, policy.policy) : 0
    const go = roomAt <= now
    const wait = Number.isFinite(roomAt) ? Math.ceil(roomAt - now) : null
    return { go, retryAfterMs: go ? 0 : wait, policy }
  }

  /** What it goes by; it has no secrets. */
  environment() {
    return {
      defaultPolicy: defaultLimits,
      windowsMs: Object.values(windowMs),
      unlimited: ['localhost', '*.localhost', 'loopback addresses'],
      policies: this.#book.size,
    }
  }

  async #load(): Promise<void> {
    const policies = await this.policies.all()
    this.#book.replace(policies.map(({ id, name, domain, policy }) => ({ id, name, domain, policy })))
    this.limiter.policiesChanged()
  }
}

const timeOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()

function hostOf(domain: string): string {
  const host = readHost(domain)
  if (host !== undefined) return host
  const message = 'must be the name or address of a host, such as a.b.com'
  throw new ForageError('invalid_request', `Not valid in the path: $.domain ${message}`, {
    errors: [{ path: '$.domain', message, in: 'path' }],
  })
}

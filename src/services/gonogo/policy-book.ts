import { classify } from '../../network/addresses.ts'
import { defaultLimits, type Limits } from './limits.ts'

/** The policy that holds for a host; the built-in one has neither id nor name. */
export interface AppliedPolicy {
  readonly id: string | null
  readonly name: string | null
  readonly domain: string
  readonly policy: Limits
}

const builtIn: AppliedPolicy = { id: null, name: null, domain: '*', policy: defaultLimits }

/** All policies, to be asked which one holds for a host: the most exact alone does. */
export class PolicyBook {
  #byDomain: ReadonlyMap<string, AppliedPolicy> = new Map()
  #version = 0

  /** Changes whenever the answers may. */
  get version(): number {
    return this.#version
  }

  get size(): number {
    return this.#byDomain.size
  }

  replace(policies: readonly AppliedPolicy[]): void {
    this.#byDomain = new Map(policies.map(policy => [policy.domain, policy]))
    this.#version++
  }

  /** For a host in the form of `readHost`: `a.b.com`, then `*.b.com`, `*.com`, `*`; null is no limit. */
  match(host: string): AppliedPolicy | null {
    const exact = this.#byDomain.get(host)
    if (exact) return exact
    const isAddress = classify(host) !== undefined
    for (let dot = isAddress ? -1 : host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) {
      const found = this.#byDomain.get(`*${host.slice(dot)}`)
      if (found) return found
    }
    return this.#byDomain.get('*') ?? (isThisMachine(host) ? null : builtIn)
  }
}

const isThisMachine = (host: string) =>
  host === 'localhost' || host.endsWith('.localhost') || classify(host) === 'loopback'

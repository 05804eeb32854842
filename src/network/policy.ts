import { networkInterfaces } from 'node:os'
import { kindOf, parseAddress } from './addresses.ts'
import { NetworkError } from './errors.ts'
import { type Ranges, readRanges } from './ranges.ts'

/** How far a connection may reach: to public addresses, or also to this machine and private networks. */
export type Reach = 'public' | 'local'

export interface PolicyOptions {
  /** Others can reach Forage: then nothing local is reached but what `network` lists. */
  readonly exposed: boolean
  /** `FORAGE_NETWORK`. */
  readonly network: readonly string[]
  /** The addresses of this machine's interfaces. */
  readonly interfaces?: () => readonly string[]
}

/** An address that passed, and whether it lies on the public internet. */
export interface Verdict {
  readonly public: boolean
}

/** The rule that every connection is held to, whoever asks for it. Nothing here connects or resolves. */
export class NetworkPolicy {
  readonly #exposed: boolean
  readonly #ranges: Ranges
  readonly #interfaces: () => readonly string[]
  readonly #ownPorts = new Set<number>()

  constructor(options: PolicyOptions) {
    this.#exposed = options.exposed
    this.#ranges = readRanges(options.network)
    this.#interfaces = options.interfaces ?? interfaceAddresses
  }

  /** Closes a port on which Forage itself listens. The demo site's is simply not told. */
  closePort(port: number): void {
    this.#ownPorts.add(port)
  }

  openPort(port: number): void {
    this.#ownPorts.delete(port)
  }

  /** Whether local addresses can be reached at all because the user wrote them. */
  get localByWriting(): boolean {
    return !this.#exposed && !this.#ranges.publicOnly
  }

  /**
   * Passes when every address of a host may be reached; throws `blocked_address` with the rule otherwise.
   * A host with local and public addresses alike is how rebinding starts, and passes only where ranges allow it.
   */
  check(host: string, port: number, addresses: readonly string[], reach: Reach): Verdict {
    const parsed = addresses.map(readAddress)
    const kinds = parsed.map(kindOf)
    const blocked = (rule: string) =>
      new NetworkError('blocked_address', `${host} may not be reached: ${rule}.`)
    if (kinds.includes('metadata')) throw blocked('addresses of cloud metadata services are always refused')
    if (this.#isOwn(port, parsed)) throw blocked(`port ${port} of this machine is Forage's own`)
    const isPublic = kinds.includes('public')
    const rest = kinds.filter((kind, index) => kind !== 'public' && !this.#ranges.allow(parsed[index]!))
    if (rest.length === 0) return { public: isPublic }
    if (rest.includes('reserved'))
      throw blocked('it is neither a public nor a private address, and FORAGE_NETWORK does not list it')
    if (this.#exposed)
      throw blocked('Forage is exposed, so private and loopback addresses need FORAGE_NETWORK to list them')
    if (this.#ranges.publicOnly)
      throw blocked('FORAGE_NETWORK says public, so other private and loopback addresses are refused')
    if (isPublic) throw blocked('it has public and private addresses at once')
    if (reach === 'public')
      throw blocked(
        'private and loopback addresses are reached only when the query itself names them, not from a public page, redirect or response',
      )
    return { public: false }
  }

  #isOwn(port: number, addresses: readonly Uint8Array[]): boolean {
    if (!this.#ownPorts.has(port)) return false
    const own = this.#interfaces().map(readAddress)
    return addresses.some(
      address => kindOf(address) === 'loopback' || own.some(mine => Buffer.compare(mine, address) === 0),
    )
  }
}

function readAddress(text: string): Uint8Array {
  const bytes = parseAddress(text)
  if (!bytes) throw new TypeError('A resolver must answer with IP addresses.')
  return bytes
}

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(({ address }) => address))

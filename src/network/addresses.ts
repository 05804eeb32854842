import { isIP } from 'node:net'

/**
 * What an address is, by the special-purpose registries of IANA. The rule is positive: `public` is what those
 * registries call globally reachable, everything they do not is one of the others.
 * `metadata` is where clouds hand out credentials; link-local, documentation, multicast and the like are `reserved`.
 */
export type AddressKind = 'public' | 'private' | 'loopback' | 'metadata' | 'reserved'

/** A block of addresses: the first `bits` bits of `bytes` (4 or 16 of them). */
export interface Block {
  readonly bytes: Uint8Array
  readonly bits: number
}

/** Reads an address in one of its canonical spellings to 4 or 16 bytes; an IPv4 inside `::ffff:` becomes those 4. */
export function parseAddress(text: string): Uint8Array | undefined {
  // An interface name behind % says nothing about where the address leads, and no public address has one.
  const address = text.replace(/^\[(.*)\]$/, '$1').replace(/%.*$/, '')
  const version = isIP(address)
  if (version === 4) return Uint8Array.from(address.split('.'), Number)
  if (version === 0) return undefined
  const bytes = parseVersion6(address)
  return contains(mapped, bytes) ? bytes.subarray(12) : bytes
}

function parseVersion6(address: string): Uint8Array {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const text = dotted
    ? `${dotted[1]}${hexPair(dotted[2]!, dotted[3]!)}:${hexPair(dotted[4]!, dotted[5]!)}`
    : address
  const [head = '', tail] = text.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = new Array<string>(8 - before.length - after.length).fill('0')
  const bytes = new Uint8Array(16)
  for (const [index, group] of [...before, ...zeros, ...after].entries()) {
    const value = Number.parseInt(group, 16)
    bytes[index * 2] = value >> 8
    bytes[index * 2 + 1] = value & 0xff
  }
  return bytes
}

const hexPair = (high: string, low: string) => (Number(high) * 256 + Number(low)).toString(16)

/** Reads `10.0.0.0/8`, `fd00::/8` or a single address. */
export function parseBlock(text: string): Block | undefined {
  const [address = '', length, rest] = text.trim().split('/')
  const version = isIP(address)
  if (version === 0 || rest !== undefined) return undefined
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined
  const widest = version === 4 ? 32 : 128
  const bits = length === undefined ? widest : Number(length)
  if (bits > widest) return undefined
  const bytes = version === 4 ? parseAddress(address)! : parseVersion6(address)
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8 by another name; addresses are compared without the mapping.
  return version === 6 && bits >= 96 && contains(mapped, bytes)
    ? { bytes: bytes.subarray(12), bits: bits - 96 }
    : { bytes, bits }
}

export function contains(block: Block, address: Uint8Array): boolean {
  if (block.bytes.length !== address.length) return false
  const whole = block.bits >> 3
  for (let index = 0; index < whole; index++) {
    if (block.bytes[index] !== address[index]) return false
  }
  const mask = 0xff & (0xff00 >> (block.bits & 7))
  return mask === 0 || ((block.bytes[whole]! ^ address[whole]!) & mask) === 0
}

const mapped: Block = {
  bytes: Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0]),
  bits: 96,
}
const blocks = (...texts: string[]): readonly Block[] => texts.map(text => parseBlock(text)!)
const within = (list: readonly Block[], address: Uint8Array) => list.some(block => contains(block, address))

/** AWS (instance, ECS, EKS), Azure, Google, Oracle, Alibaba. */
const metadata = blocks(
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  '168.63.129.16',
  '192.0.0.192',
  '100.100.100.200',
)
/** 0.0.0.0 and :: as a destination are this machine. */
const loopback = blocks('127.0.0.0/8', '::1', '0.0.0.0', '::')
const privateBlocks = blocks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')

/** Exceptions that the registries call globally reachable although the block around them is not. */
const reachable = blocks(
  '192.0.0.9',
  '192.0.0.10',
  '2001:1::1',
  '2001:1::2',
  '2001:1::3',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:20::/28',
  '2001:30::/28',
)
const unreachable = blocks(
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
)
/** The only part of IPv6 that is given out as global unicast. */
const globalUnicast = parseBlock('2000::/3')!

interface Transition {
  readonly block: Block
  /** Whether packets for such an address leave for the internet at all. */
  readonly routed: boolean
  /** The IPv4 addresses that packets for it may end up at. */
  readonly inside: (bytes: Uint8Array) => readonly Uint8Array[]
}
const at = (offset: number) => (bytes: Uint8Array) => [bytes.subarray(offset, offset + 4)]
const transition = (block: string, routed: boolean, inside: Transition['inside']): Transition => ({
  block: parseBlock(block)!,
  routed,
  inside,
})
const transitions: readonly Transition[] = [
  transition('64:ff9b::/96', true, at(12)),
  transition('64:ff9b:1::/48', false, localNat64),
  transition('2002::/16', true, at(2)),
  transition('2001::/32', true, bytes => [
    bytes.subarray(4, 8),
    bytes.subarray(12, 16).map(byte => byte ^ 0xff),
  ]),
  transition('::ffff:0:0:0/96', false, at(12)),
  transition('::/96', false, at(12)),
]

/** A network picks its own prefix length below 64:ff9b:1::/48 (RFC 6052 says where each puts the address). */
function localNat64(bytes: Uint8Array): readonly Uint8Array[] {
  const pick = (...indexes: number[]) => Uint8Array.from(indexes, index => bytes[index]!)
  return [pick(6, 7, 9, 10), pick(7, 9, 10, 11), pick(9, 10, 11, 12), pick(12, 13, 14, 15)]
}

/** ISATAP puts an IPv4 address behind 0:5efe (or 200:5efe) in the last 64 bits of any prefix. */
const isIsatap = (bytes: Uint8Array) =>
  (bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe

/** What kind of address these bytes are, any IPv4 address inside them included. */
export function kindOf(bytes: Uint8Array): AddressKind {
  if (within(metadata, bytes)) return 'metadata'
  if (within(loopback, bytes)) return 'loopback'
  if (bytes.length === 16) {
    const found = transitions.find(({ block }) => contains(block, bytes))
    if (found) return kindAround(found.inside(bytes), found.routed ? 'public' : 'reserved')
    if (isIsatap(bytes)) return kindAround(at(12)(bytes), kindOfPlain(bytes))
  }
  return kindOfPlain(bytes)
}

function kindOfPlain(bytes: Uint8Array): AddressKind {
  if (within(privateBlocks, bytes)) return 'private'
  if (within(reachable, bytes)) return 'public'
  if (within(unreachable, bytes)) return 'reserved'
  return bytes.length === 4 || contains(globalUnicast, bytes) ? 'public' : 'reserved'
}

function kindAround(inside: readonly Uint8Array[], outside: AddressKind): AddressKind {
  const kinds = inside.map(kindOf)
  if (kinds.includes('metadata')) return 'metadata'
  return kinds.every(kind => kind === 'public') ? outside : 'reserved'
}

/** The kind of an address in text, `undefined` if it is none (a name, say). */
export function classify(text: string): AddressKind | undefined {
  const bytes = parseAddress(text)
  return bytes && kindOf(bytes)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AddressKind,
  classify,
  contains,
  kindOf,
  parseAddress,
  parseBlock,
} from '../../src/network/addresses.ts'
import { isRange, readRanges } from '../../src/network/ranges.ts'
import fc from '../support/fast-check.ts'

/** The first and last address of each block of the IANA registries, and their neighbours outside. */
const table: Record<AddressKind, readonly string[]> = {
  public: [
    '1.0.0.0',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.0.9',
    '192.0.0.10',
    '192.0.1.0',
    '192.0.3.0',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.98.255',
    '192.88.100.0',
    '192.167.255.255',
    '192.169.0.0',
    '192.175.48.1',
    '198.17.255.255',
    '198.20.0.0',
    '198.51.99.255',
    '198.51.101.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '8.8.8.8',
    '168.63.129.15',
    '2000::',
    '2001:1::1',
    '2001:1::2',
    '2001:1::3',
    '2001:3::',
    '2001:4:112::',
    '2001:20::',
    '2001:3f:ffff::',
    '2001:200::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2606:4700::1111',
    '2620:4f:8000::',
    '3ffe:ffff::',
    '3fff:1000::',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2001:0:808:808::f7f7:f7f7',
  ],
  private: [
    '10.0.0.0',
    '10.255.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.168.0.0',
    '192.168.255.255',
    '100.64.0.0',
    '100.127.255.255',
    'fc00::',
    'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '::ffff:10.0.0.1',
    '::ffff:c0a8:1',
  ],
  loopback: [
    '127.0.0.0',
    '127.0.0.1',
    '127.255.255.255',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
  ],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    'fd00:ec2::254',
    'FD00:0EC2:0:0:0:0:0:0254',
    'fd00:ec2::23',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::168.63.129.16',
    '2002:a9fe:a9fe::',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
    '2001:0:a9fe:a9fe::f7f7:f7f7',
    '2001:0:808:808::5601:5601',
    '2001:db8::5efe:169.254.169.254',
    '2606:4700::200:5efe:a9fe:a9fe',
    // 64:ff9b:1::/48 with the address where prefixes of 48, 56, 64 and 96 bits put it
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:a9:fe:a9fe::',
    '64:ff9b:1:0:a9:fea9:fe00:0',
    '64:ff9b:1::a9fe:a9fe',
    '64:ff9b:1:abcd:64:6464:c800:0',
  ],
  reserved: [
    '0.0.0.1',
    '0.255.255.255',
    '169.254.0.0',
    '169.254.169.253',
    '169.254.255.255',
    '192.0.0.0',
    '192.0.0.8',
    '192.0.0.11',
    '192.0.0.255',
    '192.0.2.0',
    '192.0.2.255',
    '192.88.99.0',
    '192.88.99.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.0',
    '198.51.100.255',
    '203.0.113.0',
    '203.0.113.255',
    '224.0.0.0',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.255',
    '100::',
    '2001:1::4',
    '2001:2::',
    '2001:10::',
    '2001:1f:ffff::',
    '2001:1ff:ffff::',
    '2001:db8::',
    '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff',
    '3fff::',
    '3fff:fff:ffff::',
    '5f00::1',
    '4000::',
    '8000::',
    '1fff:ffff::',
    'fe80::1',
    'fe80::1%eth0',
    'febf::',
    'fec0::',
    'ff02::1',
    '64:ff9b:2::',
    '64:ff9b:1::808:808',
    '64:ff9b::10.0.0.1',
    '64:ff9b::127.0.0.1',
    '2002:a00:1::',
    '2002:7f00:1::',
    '2001:0:a00:1::f7f7:f7f7',
    '2001:0:808:808::80ff:fffe',
    '::2',
    '::10.0.0.1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:0:8.8.8.8',
    '::ffff:224.0.0.1',
    '2606:4700::5efe:10.0.0.1',
  ],
}

for (const [kind, addresses] of Object.entries(table)) {
  test(`addresses that are ${kind}`, () => {
    for (const address of addresses) assert.equal(classify(address), kind, address)
  })
}

test('what is not an address has no kind', () => {
  for (const text of [
    'localhost',
    '',
    '1.2.3',
    '0x7f.1',
    '2130706433',
    '256.1.1.1',
    '::g',
    '1.2.3.4.5',
    ':::',
  ])
    assert.equal(classify(text), undefined, text)
})

const version4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
const group = (high: number, low: number) => (high * 256 + low).toString(16)

test('an IPv4 address inside another never makes it more reachable than it is alone', () => {
  fc.assert(
    fc.property(version4, ([a, b, c, d]) => {
      const alone = classify([a, b, c, d].join('.'))!
      const [high, low] = [group(a, b), group(c, d)]
      assert.equal(classify(`::ffff:${high}:${low}`), alone)
      const inside = [
        `64:ff9b::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::f7f7:f7f7`,
        `2001:0:808:808::${group(a ^ 255, b ^ 255)}:${group(c ^ 255, d ^ 255)}`,
      ]
      const expected = alone === 'public' || alone === 'metadata' ? alone : 'reserved'
      for (const address of inside) assert.equal(classify(address), expected, address)
    }),
    { numRuns: 500 },
  )
})

test('a block contains exactly the addresses that share its first bits', () => {
  fc.assert(
    fc.property(version4, version4, fc.nat(32), (base, other, bits) => {
      const block = parseBlock(`${base.join('.')}/${bits}`)!
      const number = (parts: number[]) => parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
      const same = number(base) >> BigInt(32 - bits) === number(other) >> BigInt(32 - bits)
      assert.equal(contains(block, Uint8Array.from(other)), same)
    }),
    { numRuns: 500 },
  )
})

test('blocks that cannot be read', () => {
  for (const text of [
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10/8',
    'example.com',
    '10.0.0.0/-1',
    '',
  ])
    assert.equal(parseBlock(text), undefined, text)
  for (const text of ['10.0.0.0/8', 'fd00::/8', '10.1.2.3', 'private', 'loopback', 'all', 'public'])
    assert.ok(isRange(text), text)
  assert.throws(() => readRanges(['10.0.0.0/8', 'home']), /"home" is neither a CIDR block/)
})

test('the ranges of the operator', () => {
  const allows = (ranges: string[], address: string) => readRanges(ranges).allow(parseAddress(address)!)
  assert.ok(allows(['10.0.0.0/8'], '10.1.2.3'))
  assert.ok(allows(['10.0.0.0/8'], '::ffff:10.1.2.3'))
  assert.ok(allows(['::ffff:10.0.0.0/104'], '10.1.2.3'))
  assert.ok(!allows(['10.0.0.0/8'], '11.0.0.1'))
  assert.ok(!allows(['10.0.0.0/8'], '127.0.0.1'))
  assert.ok(allows(['private'], '192.168.1.1') && !allows(['private'], '127.0.0.1'))
  assert.ok(allows(['loopback'], '::1') && !allows(['loopback'], '10.0.0.1'))
  for (const address of ['10.0.0.1', '127.0.0.1', 'fe80::1', '192.0.2.1', 'fd00::1'])
    assert.ok(allows(['all'], address))
  assert.ok(!allows(['public'], '10.0.0.1'))
  for (const address of table.metadata) {
    const bytes = parseAddress(address)!
    assert.equal(kindOf(bytes), 'metadata')
    assert.ok(!readRanges(['all', '0.0.0.0/0', '::/0']).allow(bytes), address)
  }
})

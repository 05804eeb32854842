import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NetworkError } from '../../src/network/errors.ts'
import { NetworkPolicy, type Reach } from '../../src/network/policy.ts'
import { Scope } from '../../src/network/scope.ts'

const interfaces = () => ['127.0.0.1', '192.168.1.5', '203.0.114.7', 'fe80::1%eth0']
const policyOf = (exposed: boolean, ...network: string[]) =>
  new NetworkPolicy({ exposed, network, interfaces })
const outcome = (policy: NetworkPolicy, reach: Reach, ...addresses: string[]) => {
  try {
    return policy.check('host.example', 80, addresses, reach).public ? 'public' : 'local'
  } catch (error) {
    assert.ok(error instanceof NetworkError && error.code === 'blocked_address')
    for (const address of addresses) assert.ok(!error.message.includes(address), error.message)
    return error.message
  }
}

test('bound to loopback, local addresses are for what the user wrote', () => {
  const policy = policyOf(false)
  assert.equal(outcome(policy, 'public', '8.8.8.8', '2606:4700::1111'), 'public')
  assert.equal(outcome(policy, 'local', '127.0.0.1', '::1'), 'local')
  assert.equal(outcome(policy, 'local', '192.168.1.1'), 'local')
  assert.match(outcome(policy, 'public', '192.168.1.1'), /only when the query itself names them/)
  assert.match(outcome(policy, 'public', '::ffff:127.0.0.1'), /only when the query itself names them/)
})

test('a host with public and private addresses is refused, whoever wrote it', () => {
  const policy = policyOf(false)
  assert.match(outcome(policy, 'local', '8.8.8.8', '10.0.0.1'), /public and private addresses at once/)
  assert.match(outcome(policy, 'public', '10.0.0.1', '8.8.8.8'), /public and private addresses at once/)
  assert.equal(outcome(policyOf(false, '10.0.0.0/8'), 'public', '8.8.8.8', '10.0.0.1'), 'public')
})

test('exposed, only the listed ranges open local addresses', () => {
  for (const reach of ['local', 'public'] as const) {
    assert.match(outcome(policyOf(true), reach, '127.0.0.1'), /Forage is exposed/)
    assert.match(outcome(policyOf(true), reach, 'fd00::1'), /Forage is exposed/)
    assert.equal(outcome(policyOf(true, '10.0.0.0/8'), reach, '10.1.1.1'), 'local')
    assert.match(outcome(policyOf(true, '10.0.0.0/8'), reach, '192.168.0.1'), /FORAGE_NETWORK/)
    assert.match(outcome(policyOf(false, 'public'), reach, '127.0.0.1'), /FORAGE_NETWORK says public/)
  }
})

test('metadata and reserved addresses', () => {
  for (const policy of [policyOf(false), policyOf(false, 'all', '0.0.0.0/0'), policyOf(true, 'all')]) {
    for (const address of ['169.254.169.254', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254', '168.63.129.16'])
      assert.match(outcome(policy, 'local', '8.8.8.8', address), /metadata services are always refused/)
  }
  assert.match(outcome(policyOf(false), 'local', '169.254.1.1'), /neither a public nor a private/)
  assert.equal(outcome(policyOf(false, 'all'), 'public', '169.254.1.1'), 'local')
})

test("Forage's own ports are closed on every address of this machine, and only there", () => {
  const policy = policyOf(false, 'all')
  policy.closePort(80)
  for (const address of [
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '::',
    '::1',
    '192.168.1.5',
    '::ffff:192.168.1.5',
    '203.0.114.7',
  ])
    assert.match(outcome(policy, 'local', address), /Forage's own/, address)
  assert.equal(outcome(policy, 'local', '192.168.1.6'), 'local')
  assert.equal(outcome(policy, 'local', '8.8.8.8'), 'public')
  policy.openPort(80)
  assert.equal(outcome(policy, 'local', '127.0.0.1'), 'local')
})

test('a job reaches local hosts only while the host that the user wrote is local', () => {
  const local = new Scope('Intranet.')
  assert.equal(local.reach('intranet'), 'local')
  assert.equal(local.reach('other'), 'public', 'not known yet what intranet is')
  local.note('intranet', false)
  assert.equal(local.reach('other'), 'local')
  local.note('cdn.example', true)
  assert.equal(local.reach('other'), 'local')
  local.leaveLocal()
  assert.equal(local.reach('intranet'), 'public')

  const rebound = new Scope('evil.example')
  rebound.note('evil.example', true)
  rebound.note('evil.example', false)
  assert.equal(rebound.reach('evil.example'), 'public', 'a name that was public stays public')
  assert.equal(rebound.reach('127.0.0.1'), 'public')

  assert.equal(Scope.ofUrl('http://[::1]:3000/').reach('::1'), 'local')
  assert.equal(new Scope().reach('127.0.0.1'), 'public')
})

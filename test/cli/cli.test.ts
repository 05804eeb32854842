import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { cliCommands } from '../../src/cli/commands.ts'
import { settingNames } from '../../src/settings.ts'
import { forage } from '../support/forage.ts'
import { temporaryFolder } from '../support/temporary.ts'

const folder = temporaryFolder()

describe('the command line', { concurrency: 2 }, () => {
  it('helps: an overview, and each command with examples', async () => {
    const { status, stdout } = await forage(['--help'])
    assert.equal(status, 0)
    for (const command of cliCommands) {
      assert.ok(stdout.includes(`forage ${command.name}`))
      const help = await forage([...command.name.split(' '), '--help'])
      assert.equal(help.status, 0)
      assert.ok(help.stdout.includes(command.summary))
      assert.ok(command.examples.length > 0)
      for (const { line } of command.examples) assert.ok(help.stdout.includes(line))
    }
  })

  it('says its version', async () => {
    const { status, stdout } = await forage(['--version'])
    assert.equal(status, 0)
    assert.match(stdout, /^forage \d+\.\d+\.\d+ \(node 2\d\.\S+, catalog version \d+\)\n$/)
  })

  for (const [words, message] of [
    [[], /^$/],
    [['confg'], /no command "confg"; did you mean "forage config"\?/],
    [['key'], /needs one of: create, list, delete/],
    [['key', 'make'], /needs one of: create, list, delete/],
    [['key', 'delete'], /<id> is missing/],
    [['key', 'delete', 'a', 'b'], /"b" is one word too many/],
    [['config', '--jsn'], /--jsn/],
    [['key', 'create', '--name'], /--name/],
  ] as const)
    it(`refuses "forage ${words.join(' ')}" with exit code 2`, async () => {
      const { status, stderr } = await forage(words)
      assert.equal(status, 2)
      assert.match(stderr, message)
    })

  it('shows each setting with value, source and meaning, and hides secrets', async () => {
    const env = { FORAGE_PORT: '8080', FORAGE_API_KEY: 'hunter2', FORAGE_MASTER_KEY: 'ab'.repeat(32) }
    const text = await forage(['config'], env)
    assert.match(text.stdout, /^port = 8080 {2}\(environment\)\n {2}FORAGE_PORT: The port/m)
    assert.match(text.stdout, /^apiKey = \(hidden\)/m)
    assert.doesNotMatch(text.stdout, /hunter2|abab/)
    const json = await forage(['config', '--json'], env)
    assert.doesNotMatch(json.stdout, /hunter2|abab/)
    const names = JSON.parse(json.stdout).map((row: { name: string }) => row.name)
    assert.deepEqual(names, settingNames)
  })

  it('says where a key would have to be, before the first start', async () => {
    const { status, stderr } = await forage(['key', 'list'], { FORAGE_DATA: join(folder, 'none') })
    assert.equal(status, 5)
    assert.match(stderr, /no catalog in the data folder/)
  })

  it('examines the machine', async () => {
    const env = { FORAGE_DATA: join(folder, 'data'), FORAGE_PORT: '0', FORAGE_DEMO_PORT: '0' }
    const { stdout } = await forage(['doctor', '--json'], env)
    const findings = JSON.parse(stdout) as { check: string; ok: boolean }[]
    const checks = ['versions', 'settings', 'browser', 'folder', 'disk', 'port', 'demo port']
    assert.deepEqual(
      findings.map(finding => finding.check),
      checks,
    )
    const bad = await forage(['doctor'], { ...env, FORAGE_BROWSER: '/no/such' })
    assert.equal(bad.status, 1)
    assert.match(bad.stdout, /BAD +browser .*\/no\/such[\s\S]*→ Set it to the path/)
    const wrong = await forage(['doctor'], { FORAGE_PORT: 'x' })
    assert.match(wrong.stdout, /BAD +settings +FORAGE_PORT must be/)
  })
})

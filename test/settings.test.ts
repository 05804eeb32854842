import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { Fault } from '../src/fault.ts'
import { declarations } from '../src/setting-declarations.ts'
import { isExposed, loadSettings, settingNames } from '../src/settings.ts'
import { temporaryFolder } from './support/temporary.ts'

const folder = temporaryFolder()

function problemOf(env: NodeJS.ProcessEnv): string {
  try {
    loadSettings(env)
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === 'settings')
    return error.message
  }
  return assert.fail('it was accepted')
}

function configFile(content: unknown): string {
  const path = join(folder, 'config.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('settings', () => {
  it('have defaults', () => {
    const { settings, sources, file } = loadSettings({})
    assert.equal(settings.port, 1968)
    assert.equal(settings.host, '127.0.0.1')
    assert.equal(settings.data, resolve('data'))
    assert.equal(settings.masterKey, undefined)
    assert.equal(sources.port, 'default')
    assert.equal(file, undefined)
  })

  it('are declared with their own variable and a meaning each', () => {
    const variables = settingNames.map(name => declarations[name].env)
    assert.equal(new Set(variables).size, variables.length)
    for (const name of settingNames) assert.match(declarations[name].meaning, /^[A-Z].*\.$/, name)
  })

  it('come from the environment before the file before the default', () => {
    const FORAGE_CONFIG = configFile({ port: 1111, demoPort: 2222, hosts: ['a.example', 'b.example'] })
    const { settings, sources, file } = loadSettings({ FORAGE_CONFIG, FORAGE_PORT: '3333' })
    assert.deepEqual([settings.port, sources.port], [3333, 'environment'])
    assert.deepEqual([settings.demoPort, sources.demoPort], [2222, 'file'])
    assert.deepEqual(settings.hosts, ['a.example', 'b.example'])
    assert.equal(file, FORAGE_CONFIG)
  })

  it('take an empty variable as not set', () => {
    assert.equal(loadSettings({ FORAGE_PORT: '', FORAGE_API_KEY: '' }).settings.port, 1968)
  })

  it('read lists and switches', () => {
    const { settings } = loadSettings({
      FORAGE_HOSTS: 'a.example, b.example',
      FORAGE_NETWORK: '10.0.0.0/8,fd00::/8',
      FORAGE_DEMO: 'false',
      FORAGE_EXPOSED: '1',
    })
    assert.deepEqual(settings.hosts, ['a.example', 'b.example'])
    assert.deepEqual(settings.network, ['10.0.0.0/8', 'fd00::/8'])
    assert.equal(settings.demo, false)
    assert.equal(settings.exposed, true)
  })

  for (const [variable, value] of [
    ['FORAGE_PORT', '70000'],
    ['FORAGE_PORT', '-1'],
    ['FORAGE_PORT', '19.68'],
    ['FORAGE_PORT', 'http'],
    ['FORAGE_QUERIES', '0'],
    ['FORAGE_DEMO', 'maybe'],
    ['FORAGE_NETWORK', '10.0.0.0/33'],
    ['FORAGE_NETWORK', 'example.com'],
    ['FORAGE_LOG_LEVEL', 'loud'],
    ['FORAGE_API_KEY', 'two words'],
    ['FORAGE_MASTER_KEY', 'short'],
    ['FORAGE_HOSTS', 'a,,b'],
    ['FORAGE_SETUP_SKIP', 'everything'],
  ] as const)
    it(`refuse ${variable}=${value} by name`, () => {
      assert.match(problemOf({ [variable]: value }), new RegExp(`^${variable} must be `))
    })

  it('never show the value of a secret that is wrong', () => {
    assert.doesNotMatch(problemOf({ FORAGE_MASTER_KEY: 'hunter2' }), /hunter2/)
  })

  it('refuse an unknown name, with the nearest known one', () => {
    assert.equal(problemOf({ FORAGE_PROT: '1' }), 'FORAGE_PROT is not a setting; did you mean FORAGE_PORT?')
    assert.match(problemOf({ FORAGE_CONFIG: configFile({ prot: 1 }) }), /"prot" in .* did you mean port\?/)
    assert.match(
      problemOf({ FORAGE_CONFIG: configFile({ setupSkip: [] }) }),
      /"setupSkip" in .* not a setting/,
    )
  })

  it('name every problem at once', () => {
    const message = problemOf({ FORAGE_PORT: 'x', FORAGE_TTL: 'y', FORAGE_NONSENSE: 'z' })
    assert.match(message, /^3 settings are wrong/)
    for (const name of ['FORAGE_PORT', 'FORAGE_TTL', 'FORAGE_NONSENSE']) assert.ok(message.includes(name))
  })

  it('refuse a file that is missing, not JSON, no object, or of a wrong type', () => {
    assert.match(problemOf({ FORAGE_CONFIG: join(folder, 'nowhere.json') }), /is not there/)
    assert.match(problemOf({ FORAGE_CONFIG: folder }), /cannot be read/)
    assert.match(problemOf({ FORAGE_CONFIG: configFile('{"port":') }), /is not JSON/)
    assert.match(problemOf({ FORAGE_CONFIG: configFile([1]) }), /one JSON object/)
    assert.match(problemOf({ FORAGE_CONFIG: configFile({ port: null }) }), /"port" in .* must be a port/)
  })

  it('know when others can reach Forage', () => {
    for (const host of ['127.0.0.1', '127.8.8.8', 'localhost', '::1'])
      assert.equal(isExposed({ host, exposed: false }), false, host)
    for (const host of ['0.0.0.0', '::', '192.168.1.4', 'forage.example', '127.0.0.1.example'])
      assert.equal(isExposed({ host, exposed: false }), true, host)
    assert.equal(isExposed({ host: '127.0.0.1', exposed: true }), true)
  })
})
